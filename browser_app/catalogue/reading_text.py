"""Server texts as they are kept: plain, without needless spaces, and of bounded length."""

import re

from browser_app.protocols.coloured_text import plain

MAX_COLOURED = 512
_SPACES = re.compile("  +")


def line(raw: str, dialect: str = "none", limit: int = 128) -> str:
    """`raw` for people, at most `limit` characters of it, with single spaces between words."""
    text = plain(raw[:MAX_COLOURED], dialect)
    if "  " in text:
        text = _SPACES.sub(" ", text)
    return text[:limit].strip()
