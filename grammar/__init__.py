"""The definition of Gene's syntax, as package data."""
