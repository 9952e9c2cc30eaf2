"""Conversion between ISO 8601 texts and Unix times."""

from datetime import UTC, datetime

from browser_app.language import gettext as _


def parse_iso_time(text: str) -> float:
    """Parse a time in ISO 8601, in UTC if it has no offset, into Unix time in s.

    Raises:
        ValueError: it is not a time.
    """
    try:
        time = datetime.fromisoformat(text)
        return (time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        raise ValueError(_("{value} is not a time in ISO 8601").format(value=repr(text))) from None


def format_iso_time(seconds: float) -> str:
    """Format a Unix time (s) in ISO 8601, to the microsecond.

    Raises:
        ValueError: it is outside the years that datetime supports.
    """
    try:
        return datetime.fromtimestamp(seconds, UTC).isoformat().replace("+00:00", "Z")
    except (ValueError, OverflowError, OSError):
        raise ValueError(_("{value} is not a time").format(value=seconds)) from None
