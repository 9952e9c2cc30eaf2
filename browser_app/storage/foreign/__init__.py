"""Readers of what other programs keep about servers. Each takes bytes and knows nothing of folders."""
