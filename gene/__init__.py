"""The Gene language: reader, compiler, runtime, and an API to embed them."""
