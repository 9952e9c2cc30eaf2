"""Server texts as they are kept: plain, without spaces around them, and of bounded length."""

from browser_app.protocols.coloured_text import plain

MAX_COLOURED = 512


def line(raw: str, dialect: str = "none", limit: int = 128) -> str:
    """`raw` for people, at most `limit` characters of it."""
    return plain(raw[:MAX_COLOURED], dialect)[:limit].strip()
