"""The standard library: methods of the built-in kinds, global functions, namespaces."""
