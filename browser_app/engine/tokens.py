"""Tokens that nobody off the path can guess."""

import os
import string

LENGTH = 8
_BATCH = 512
_LETTERS = (string.ascii_letters + string.digits).encode("ascii")
_TABLE = bytes(_LETTERS[byte % len(_LETTERS)] for byte in range(256))


class Tokens:
    """Random tokens of 8 letters or digits (47 bits), drawn from the system in batches."""

    __slots__ = ("_left", "_pool")

    def __init__(self) -> None:
        self._pool = b""
        self._left = 0

    def next(self) -> bytes:
        """A fresh token."""
        if not self._left:
            self._pool = os.urandom(_BATCH * LENGTH).translate(_TABLE)
            self._left = _BATCH
        self._left -= 1
        start = self._left * LENGTH
        return self._pool[start : start + LENGTH]
