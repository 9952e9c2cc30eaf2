"""Marker for texts that the caller translates."""


def N_(text: str) -> str:  # noqa: N802 (the gettext tools know this name)
    """Return the text unchanged.

    The mark makes the gettext tools collect it for translation.
    """
    return text
