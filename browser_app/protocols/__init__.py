"""Query and master server protocols: bytes to dataclasses and back."""
