"""Conversion between ISO 8601 texts and Unix times."""

from datetime import UTC, datetime


def parse_iso_time(text: str) -> float:
    """A time in ISO 8601; without an offset it is UTC.

    Raises:
        ValueError: it is none.
    """
    try:
        time = datetime.fromisoformat(text)
        return (time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        raise ValueError(f"{text!r} is not a time in ISO 8601") from None


def format_iso_time(seconds: float) -> str:
    """A time in ISO 8601, to the microsecond.

    Raises:
        ValueError: no calendar has it.
    """
    try:
        return datetime.fromtimestamp(seconds, UTC).isoformat().replace("+00:00", "Z")
    except (ValueError, OverflowError, OSError):
        raise ValueError(f"{seconds} is not a time") from None
