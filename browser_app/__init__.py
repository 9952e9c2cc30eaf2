"""Ready Room: a browser for community game servers."""

__version__ = "0.1.0"
