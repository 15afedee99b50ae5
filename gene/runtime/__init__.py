"""What compiled Gene code calls: values, operators, paths, methods, classes, errors, modules."""
