"""Commands that this package adds to ``gene``, through the entry-point group ``gene.commands``."""
