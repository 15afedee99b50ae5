"""One module for each wire format."""
