"""Output of command results on the terminal."""
