"""What holds for all tests."""

import signal

# Who starts the tests in the background may have them ignore Ctrl-C, and with them every process they start.
signal.signal(signal.SIGINT, signal.default_int_handler)
