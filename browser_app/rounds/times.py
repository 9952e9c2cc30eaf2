"""Times of rounds: text in ISO 8601 and seconds since 1970 (UTC)."""

from datetime import UTC, datetime


def seconds_since_1970(text: str) -> float:
    """A time in ISO 8601; without an offset it is UTC.

    Raises:
        ValueError: it is none.
    """
    try:
        time = datetime.fromisoformat(text)
        return (time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        raise ValueError(f"{text!r} is not a time in ISO 8601") from None


def iso_8601(seconds: float) -> str:
    """A time in ISO 8601, to the microsecond.

    Raises:
        ValueError: no calendar has it.
    """
    try:
        return datetime.fromtimestamp(seconds, UTC).isoformat().replace("+00:00", "Z")
    except (ValueError, OverflowError, OSError):
        raise ValueError(f"{seconds} is not a time") from None
