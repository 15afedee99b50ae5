"""From nodes to Python syntax."""
