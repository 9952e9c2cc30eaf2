"""The demo network: real UDP game servers and masters on loopback."""
