"""The user's lists as one JSON file, to be carried to another machine or kept safe.

    {"format": "ready-room lists", "version": 1,
     "favourites":    [{"address": "HOST:PORT", "name": "", "added_at": 0.0, "protocol": "a2s", "game": "ns2",
                        "stable_key": "…"}],
     "favourite_keys": ["…"],
     "notes":         [{"address": "HOST:PORT", "text": "…"}],
     "blocked":       [{"kind": "address | network | name", "value": "…", "added_at": 0.0}],
     "friends":       [{"kind": "name | pattern | id", "value": "…", "group": "friends", "added_at": 0.0}],
     "saved_filters": [{"name": "…", "expression": "…"}]}

Addresses are query addresses, times Unix times in seconds. Favourite keys are stable keys
to which no server has answered yet. A list may be missing, and so may everything in an entry but what says which
server, player or filter it is. Passwords are not in it.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from browser_app.catalogue.filter_language import parse_filter
from browser_app.language import gettext as _
from browser_app.protocols import QUERY_PROTOCOLS
from browser_app.protocols.address import Address, parse_address, shortened
from browser_app.protocols.json_text import NoJSON, line_of, read_json
from browser_app.storage.blocked import Block, BlockKind, checked_block
from browser_app.storage.favourites import Favourite
from browser_app.storage.friends import GROUPS, Friend, FriendKind, checked_friend
from browser_app.storage.saved_filters import checked_name
from browser_app.storage.session import Session

FORMAT, VERSION = "ready-room lists", 1
MAX_BYTES = 16 << 20
MAX_ENTRIES = 50_000
"""Of one list."""
MAX_FILTERS = 500
"""Of the saved filters, which stand in one menu."""

_T = TypeVar("_T")
Entry = Mapping[str, Any]


class ExchangeError(ValueError):
    """The file holds no lists of this program; `str()` says why."""


@dataclass(frozen=True)
class Lists:
    """What a file holds.

    Attributes:
        problems: entries that are not taken, each named by its place: `favourites[3] (line 12): …`.
    """

    favourites: tuple[Favourite, ...] = ()
    favourite_keys: tuple[str, ...] = ()
    notes: tuple[tuple[Address, str], ...] = ()
    blocked: tuple[Block, ...] = ()
    friends: tuple[Friend, ...] = ()
    saved_filters: tuple[tuple[str, str], ...] = ()
    problems: tuple[str, ...] = ()


def lists_of(session: Session) -> Lists:
    """The user's lists as they are now."""
    return Lists(
        tuple(session.favourites),
        tuple(session.favourite_keys),
        tuple(session.notes.all().items()),
        tuple(session.blocked),
        tuple(session.friends),
        tuple(session.saved_filters.items()),
    )


def write_lists(lists: Lists) -> bytes:
    """The file."""
    document = {
        "format": FORMAT,
        "version": VERSION,
        "favourites": [
            {
                "address": str(each.address),
                "name": each.name,
                "added_at": each.added_at,
                **_known(protocol=each.protocol, game=each.game, stable_key=each.stable_key),
            }
            for each in lists.favourites
        ],
        "favourite_keys": list(lists.favourite_keys),
        "notes": [{"address": str(address), "text": text} for address, text in lists.notes],
        "blocked": [{"kind": b.kind.value, "value": b.value, "added_at": b.added_at} for b in lists.blocked],
        "friends": [
            {"kind": f.kind.value, "value": f.value, "group": f.group, "added_at": f.added_at} for f in lists.friends
        ],
        "saved_filters": [{"name": name, "expression": expression} for name, expression in lists.saved_filters],
    }
    return (json.dumps(document, ensure_ascii=False, indent=1) + "\n").encode("utf-8", "surrogatepass")


def read_lists(data: bytes, now: float) -> Lists:
    """Read a file; entries without a time were added `now`. A bad entry is named in `problems`, the others count.

    Raises:
        ExchangeError: it is another file, or of a newer program.
    """
    if len(data) > MAX_BYTES:
        raise ExchangeError(_("larger than {n} MiB").format(n=MAX_BYTES >> 20))
    try:
        document = read_json(data)
    except NoJSON as error:
        raise ExchangeError(_("not JSON: {why}").format(why=error)) from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ExchangeError(_('not lists of this program ("format" is not "{name}")').format(name=FORMAT))
    if document.get("version") != VERSION:
        words = _("version {theirs}, this program reads {ours}")
        raise ExchangeError(words.format(theirs=shortened(repr(document.get("version"))), ours=VERSION))
    problems = [_("{key}: unknown, not taken").format(key=shortened(key)) for key in document if key not in _KEYS]

    def read(key: str, entry: Callable[[Entry, float], _T]) -> tuple[_T, ...]:
        return tuple(_entries(data, document, key, lambda each: entry(_object(each), now), problems))

    lists = (
        read("favourites", _favourite),
        tuple(_entries(data, document, "favourite_keys", _key, problems)),
        read("notes", _note),
        read("blocked", _block),
        read("friends", _friend),
        read("saved_filters", _saved_filter),
    )
    return Lists(*lists, tuple(problems))


_KEYS = ("format", "version", "favourites", "favourite_keys", "notes", "blocked", "friends", "saved_filters")


def _known(**values: object) -> dict[str, object]:
    return {key: value for key, value in values.items() if value is not None}


def _entries(data: bytes, document: Entry, key: str, entry: Callable[[Any], _T], problems: list[str]) -> Iterator[_T]:
    entries = document.get(key, [])
    if not isinstance(entries, list):
        problems.append(_("{key}: not a list").format(key=key))
        return
    most = MAX_FILTERS if key == "saved_filters" else MAX_ENTRIES
    if len(entries) > most:
        problems.append(_("{key}: more than {n}; the rest is not taken").format(key=key, n=most))
    for index, each in enumerate(entries[:most]):
        try:
            yield entry(each)
        except ValueError as error:
            line = line_of(data, key, index) if len(problems) < _PLACED else None
            place = f" ({_('line {n}').format(n=line)})" if line else ""
            problems.append(f"{key}[{index}]{place}: {error}")


_PLACED = 20
"""So many problems are told with their line; finding it walks through the file."""


def _object(entry: object) -> Entry:
    if not isinstance(entry, dict):
        raise ValueError(_("not an object"))
    return entry


def _key(entry: object) -> str:
    if not isinstance(entry, str) or not entry:
        raise ValueError(_("not a key"))
    return entry


def _favourite(entry: Entry, now: float) -> Favourite:
    protocol = _text(entry, "protocol", "") or None
    if protocol is not None and protocol not in QUERY_PROTOCOLS:
        raise ValueError(_("{key}: unknown, {value}").format(key="protocol", value=shortened(repr(protocol))))
    return Favourite(
        parse_address(_text(entry, "address")),
        _text(entry, "name", ""),
        _time(entry, now),
        protocol,
        _text(entry, "game", "") or None,
        _text(entry, "stable_key", "") or None,
    )


def _note(entry: Entry, _now: float) -> tuple[Address, str]:
    return parse_address(_text(entry, "address")), _text(entry, "text")


def _block(entry: Entry, now: float) -> Block:
    kind = _one_of(entry, "kind", BlockKind)
    return Block(kind, checked_block(kind, _text(entry, "value")), _time(entry, now))


def _friend(entry: Entry, now: float) -> Friend:
    kind, group = _one_of(entry, "kind", FriendKind), _text(entry, "group", GROUPS[0])
    return checked_friend(Friend(kind, _text(entry, "value"), group, _time(entry, now)))


def _saved_filter(entry: Entry, _now: float) -> tuple[str, str]:
    name, expression = checked_name(_text(entry, "name")), _text(entry, "expression")
    parse_filter(expression)
    return name, expression


def _text(entry: Entry, key: str, default: str | None = None) -> str:
    value = entry.get(key, default)
    if not isinstance(value, str):
        words = _("{key}: missing") if value is None else _("{key}: not a text")
        raise ValueError(words.format(key=key))
    return value


_LATEST = 1e11
"""Unix time, s. Whole numbers in JSON may be too large for a float."""


def _time(entry: Entry, now: float) -> float:
    value = entry.get("added_at", now)
    if isinstance(value, bool) or not isinstance(value, int | float) or not -_LATEST <= value <= _LATEST:
        raise ValueError(_("{key}: not a time").format(key="added_at"))
    return float(value)


def _one_of(entry: Entry, key: str, kinds: type[_T]) -> _T:
    text = _text(entry, key)
    try:
        return kinds(text)  # type: ignore[call-arg] # an enumeration's member by its value
    except ValueError:
        raise ValueError(_("{key}: unknown, {value}").format(key=key, value=shortened(repr(text)))) from None
