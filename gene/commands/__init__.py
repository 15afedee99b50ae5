"""The commands of ``gene``: a module each, whose ``main`` takes the arguments and returns the exit status."""
