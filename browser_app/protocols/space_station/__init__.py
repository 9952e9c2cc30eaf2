"""Space Station 14: status over HTTP, and the list of its hub."""
