"""Network helpers: HTTP, host lookup, address rules and error texts."""
