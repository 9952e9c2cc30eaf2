"""Values in the entries of exported and saved lists, as JSON objects."""

from collections.abc import Mapping
from typing import Any, TypeVar

from browser_app.language import gettext as _
from browser_app.number_checks import is_number
from browser_app.protocols.address import normalize_host, shorten
from browser_app.protocols.query_protocols import QUERY_PROTOCOLS
from browser_app.storage.checked_rows import MAX_UNIX_TIME

JsonEntry = Mapping[str, Any]
_T = TypeVar("_T")


def without_none(**values: object) -> dict[str, object]:
    """Return the values that are known."""
    return {key: value for key, value in values.items() if value is not None}


def parse_text(entry: JsonEntry, key: str, default: str | None = None) -> str:
    """Return a text; `default` where it is missing, unless that is None.

    Raises:
        ValueError: it is missing or no text; the message is for the user, as in the other functions.
    """
    value = entry.get(key)
    if value is None:
        value = default
    if not isinstance(value, str):
        message = _("{key}: missing") if value is None else _("{key}: not text")
        raise ValueError(message.format(key=key))
    return value


def parse_protocol(entry: JsonEntry, default: str | None = None) -> str:
    """Return the name of a query protocol, or `default` as in `parse_text`.

    Raises:
        ValueError: it is missing or unknown.
    """
    protocol = parse_text(entry, "protocol", default)
    if protocol != default and protocol not in QUERY_PROTOCOLS:
        raise ValueError(_("{key}: unknown, “{value}”").format(key="protocol", value=shorten(protocol)))
    return protocol


def parse_host_name(entry: JsonEntry) -> str:
    """Return the host name by which a server is found; empty if it has none.

    Raises:
        ValueError: it is no host name.
    """
    name = parse_text(entry, "host_name", "")
    return normalize_host(name) if name else ""


def parse_added_at(entry: JsonEntry, now: float) -> float:
    """Return when an entry was added (Unix time, s); `now` if that is missing.

    Raises:
        ValueError: it is no time.
    """
    value = entry.get("added_at", now)
    if not is_number(value, -MAX_UNIX_TIME, MAX_UNIX_TIME):
        raise ValueError(_("{key}: not a time").format(key="added_at"))
    return float(value)


def parse_enum(entry: JsonEntry, key: str, kinds: type[_T]) -> _T:
    """Return the member of an enum of texts.

    Raises:
        ValueError: it is missing or unknown.
    """
    text = parse_text(entry, key)
    try:
        return kinds(text)  # type: ignore[call-arg] # returns the enum member with this value
    except ValueError:
        raise ValueError(_("{key}: unknown, “{value}”").format(key=key, value=shorten(text))) from None
