"""Sockets, connections and the event loop of the demo network."""
