"""Marker for texts that the caller translates."""


def N_(text: str) -> str:  # noqa: N802 (the gettext tools know this name)
    """Return the text unchanged; the call marks it for the gettext tools."""
    return text
