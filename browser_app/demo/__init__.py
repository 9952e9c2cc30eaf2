"""Demo network: real game servers and master servers on loopback."""
