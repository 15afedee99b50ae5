"""Tools for language models: definitions, validation, execution, wire formats."""
