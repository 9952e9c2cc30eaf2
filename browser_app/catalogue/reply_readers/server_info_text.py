"""Server texts and rules as plain text of bounded length."""

import re
from collections.abc import Iterator, Mapping
from functools import cached_property

from browser_app.protocols.coloured_text import plain_text


class PlainRules(Mapping[str, str]):
    """Keys and values as plain text, in the server's order.

    Colour codes, control and direction characters are left out.

    If several keys become equal, the first one counts. Texts are cleaned at the first access.
    """

    def __init__(self, raw: Mapping[str, str] | Mapping[bytes, bytes], dialect: str = "none") -> None:
        self.raw = raw
        """As sent."""
        self._dialect = dialect

    def __getitem__(self, key: str) -> str:
        return self._texts[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)

    @cached_property
    def _texts(self) -> dict[str, str]:
        texts: dict[str, str] = {}
        for key, value in self.raw.items():
            texts.setdefault(self._plain_text(key), self._plain_text(value))
        return texts

    def _plain_text(self, raw: str | bytes) -> str:
        text = raw.decode("utf-8", "replace") if isinstance(raw, bytes) else raw
        return plain_text(text, self._dialect)


MAX_COLOURED_LENGTH = 512
_SPACES = re.compile("  +")


def clean_text(raw: str, dialect: str = "none", max_length: int = 128) -> str:
    """Return `raw` as plain text with single spaces.

    It has at most `max_length` characters.
    """
    text = plain_text(raw[:MAX_COLOURED_LENGTH], dialect)
    if "  " in text:
        text = _SPACES.sub(" ", text)
    return text[:max_length].strip()
