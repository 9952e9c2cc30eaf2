"""Conversions from each protocol's reply to `ServerInfo`."""
