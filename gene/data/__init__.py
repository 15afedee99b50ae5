"""The kinds of data that source text can denote, shared by reader, compiler and runtime."""
