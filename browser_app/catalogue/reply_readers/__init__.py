"""Readers of each protocol's replies and lists into `ServerInfo`."""
