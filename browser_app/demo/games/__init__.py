"""Games of the demo network: their modes, maps and server names."""
