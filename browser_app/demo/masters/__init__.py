"""Master servers and lists of the demo network."""
