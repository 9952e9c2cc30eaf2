"""Query and master protocols: bytes to dataclasses and back, nothing else."""
