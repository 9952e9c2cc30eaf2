"""Query and master server protocols: bytes to dataclasses and back.

Functions that read or parse bytes of a server raise `PacketError` if these are cut off or not of their format, those of
a list `DescribedListError`. Docstrings name these errors only where more is to be said.
"""
