"""Export and import of the user's lists as one JSON file.

    {"format": "ready-room lists", "version": 1,
     "favourites":    [{"address": "HOST:PORT", "name": "", "added_at": 0.0, "protocol": "a2s", "game": "ns2",
                        "stable_key": "…", "host_name": "play.example.org"}],
     "favourite_keys": ["…"],
     "notes":         [{"address": "HOST:PORT", "text": "…"}],
     "countries":     [{"address": "HOST:PORT", "country": "DE"}],
     "blocked":       [{"kind": "address | network | name", "value": "…", "added_at": 0.0}],
     "friends":       [{"kind": "name | pattern | id", "value": "…", "group": "friends", "added_at": 0.0}],
     "saved_filters": [{"name": "…", "expression": "…"}],
     "saved_list_servers": [{"listed": "HOST:PORT", "address": "HOST:PORT", "protocol": "a2s", "game": "ns2",
                             "host_name": "play.example.org"}],
     "alerts":        [{"kind": "friend | slot | players", "address": "HOST:PORT", "players": 10, "name": "",
                        "added_at": 0.0},
                       {"kind": "player | pattern | filter", "value": "…", "added_at": 0.0}]}

Addresses are query addresses, times Unix times in seconds. Favourite keys are stable keys that no server has answered
with yet. A server of a saved list has the address by which the list's filter names it, and that where it was found if
another. Lists are optional, and so is everything in an entry except what identifies the server, player or filter.
Passwords are not exported.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from browser_app.catalogue.filters.server_filter import parse_filter
from browser_app.catalogue.server_info import is_stable_key
from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.protocols.address import Address, parse_address, shorten
from browser_app.protocols.json_parser import JSONParseError, find_line_numbers, parse_json
from browser_app.storage.user_lists.alert_store import MAX_IMPORTED_ALERTS, AlertKind, ServerAlert, check_alert
from browser_app.storage.user_lists.entry_fields import (
    JsonEntry,
    parse_added_at,
    parse_enum,
    parse_host_name,
    parse_protocol,
    parse_text,
    without_none,
)
from browser_app.storage.user_lists.friend_store import FRIEND_GROUPS, Friend, FriendKind, normalise_friend
from browser_app.storage.user_lists.saved_filter_store import normalise_filter_name
from browser_app.storage.user_lists.saved_list_servers import (
    MAX_SAVED_LIST_SERVERS,
    SavedListServer,
    encode_saved_list_server,
    parse_saved_list_server,
)
from browser_app.storage.user_lists.search_alert_store import (
    MAX_SEARCH_ALERTS,
    Alert,
    SearchAlert,
    SearchAlertKind,
    normalise_search_alert,
)
from browser_app.storage.user_lists.server_list_store import BlockEntry, BlockKind, Favourite, normalise_block
from browser_app.storage.user_lists.server_text_store import check_country
from browser_app.storage.user_storage import UserStorage

LISTS_FORMAT, LISTS_VERSION = "ready-room lists", 1
MAX_LISTS_BYTES = 16 << 20
_HEAD_BYTES = 1024
"""Where an exported file names its format."""
MAX_LIST_ENTRIES = 50_000
"""Limit per list."""
MAX_SAVED_FILTERS = 500
"""Limit of the saved filters, which are shown in one menu."""

_LIST_LIMITS: Mapping[str, int] = {
    "saved_filters": MAX_SAVED_FILTERS,
    "alerts": MAX_IMPORTED_ALERTS + MAX_SEARCH_ALERTS,
    "saved_list_servers": MAX_SAVED_LIST_SERVERS,
}
"""Limits of other lists."""

_T = TypeVar("_T")


class ListsFileError(ValueError):
    """The file does not contain lists of this program; `str()` says why."""


@dataclass(frozen=True)
class ExportedLists:
    """Content of a lists file.

    Attributes:
        problems: entries left out, each with its place: `favourites[3] (line 12): …`.
    """

    favourites: tuple[Favourite, ...] = ()
    favourite_keys: tuple[str, ...] = ()
    notes: tuple[tuple[Address, str], ...] = ()
    blocked: tuple[BlockEntry, ...] = ()
    friends: tuple[Friend, ...] = ()
    saved_filters: tuple[tuple[str, str], ...] = ()
    countries: tuple[tuple[Address, str], ...] = ()
    alerts: tuple[Alert, ...] = ()
    saved_list_servers: tuple[SavedListServer, ...] = ()
    problems: tuple[str, ...] = ()


def collect_lists(storage: UserStorage) -> ExportedLists:
    """Return the user's current lists."""
    return ExportedLists(
        tuple(storage.favourites),
        tuple(storage.favourite_keys),
        tuple(storage.notes.all().items()),
        tuple(storage.blocked),
        tuple(storage.friends),
        tuple(storage.saved_filters.items()),
        tuple(storage.corrected_countries.all().items()),
        (*storage.alerts, *storage.search_alerts),
        tuple(storage.saved_list_servers),
    )


def encode_lists(lists: ExportedLists) -> bytes:
    """Return the content of the file."""
    document = {
        "format": LISTS_FORMAT,
        "version": LISTS_VERSION,
        "favourites": [
            {
                "address": str(each.address),
                "name": each.name,
                "added_at": each.added_at,
                **without_none(
                    protocol=each.protocol,
                    game=each.game,
                    stable_key=each.stable_key,
                    host_name=each.host_name or None,
                ),
            }
            for each in lists.favourites
        ],
        "favourite_keys": list(lists.favourite_keys),
        "notes": [{"address": str(address), "text": text} for address, text in lists.notes],
        "countries": [{"address": str(address), "country": country} for address, country in lists.countries],
        "blocked": [
            {"kind": block.kind.value, "value": block.value, "added_at": block.added_at} for block in lists.blocked
        ],
        "friends": [
            {"kind": friend.kind.value, "value": friend.value, "group": friend.group, "added_at": friend.added_at}
            for friend in lists.friends
        ],
        "saved_filters": [{"name": name, "expression": expression} for name, expression in lists.saved_filters],
        "alerts": [_encode_alert(each) for each in lists.alerts],
        "saved_list_servers": [encode_saved_list_server(each) for each in lists.saved_list_servers],
    }
    return (json.dumps(document, ensure_ascii=False, indent=1) + "\n").encode("utf-8", "surrogatepass")


def _encode_alert(alert: Alert) -> dict[str, object]:
    values: dict[str, object] = {"kind": alert.kind.value, "added_at": alert.added_at}
    if isinstance(alert, SearchAlert):
        return values | {"value": alert.value}
    return values | {"address": str(alert.address), "players": alert.players, "name": alert.name}


def parse_lists(data: bytes, now: float) -> ExportedLists:
    """Parse a file; entries without a time count as added `now` (Unix time, s).

    Invalid entries are left out and described in `problems`.

    Raises:
        ListsFileError: it is another file, or of another version.
    """
    if len(data) > MAX_LISTS_BYTES:
        raise ListsFileError(_("larger than {n} MiB").format(n=MAX_LISTS_BYTES >> 20))
    try:
        document = parse_json(data)
    except JSONParseError as error:
        if LISTS_FORMAT.encode() not in data[:_HEAD_BYTES]:
            raise ListsFileError(_("not a file of lists exported by Ready Room")) from None
        message = _("damaged in line {n}: {why}") if error.line is not None else _("damaged: {why}")
        raise ListsFileError(message.format(n=error.line, why=error.reason)) from None
    if not isinstance(document, dict) or document.get("format") != LISTS_FORMAT:
        raise ListsFileError(_("not a file of lists exported by Ready Room"))
    if document.get("version") != LISTS_VERSION:
        message = _("version {theirs}, but only {ours} can be read")
        raise ListsFileError(message.format(theirs=shorten(repr(document.get("version"))), ours=LISTS_VERSION))
    unknown = [_("{key}: unknown, ignored").format(key=shorten(key)) for key in document if key not in _LISTS_KEYS]
    problems: list[_ListProblem] = []

    def parse_list(key: str, entry: Callable[[JsonEntry, float], _T]) -> tuple[_T, ...]:
        return tuple(_parse_entries(document, key, lambda each: entry(_check_object(each), now), problems))

    lists = (
        parse_list("favourites", _parse_favourite),
        tuple(_parse_entries(document, "favourite_keys", _parse_key, problems)),
        parse_list("notes", _parse_note),
        parse_list("blocked", _parse_block),
        parse_list("friends", _parse_friend),
        parse_list("saved_filters", _parse_saved_filter),
        parse_list("countries", _parse_country),
        parse_list("alerts", _parse_alert),
        parse_list("saved_list_servers", lambda entry, _now: parse_saved_list_server(entry)),
    )
    return ExportedLists(*lists, (*_limit_problems(unknown), *_format_problems(data, problems)))


_LISTS_KEYS = (
    "format", "version", "favourites", "favourite_keys", "notes", "blocked", "friends", "saved_filters", "countries",
    "alerts", "saved_list_servers",
)  # fmt: skip


class _ListProblem(NamedTuple):
    """Why an entry was left out; `entry` is None if the whole list is wrong."""

    key: str
    entry: int | None
    reason: str


def _parse_entries(
    document: JsonEntry, key: str, parse: Callable[[Any], _T], problems: list[_ListProblem]
) -> Iterator[_T]:
    entries = document.get(key, [])
    if not isinstance(entries, list):
        problems.append(_ListProblem(key, None, _("not a list")))
        return
    limit = _LIST_LIMITS.get(key, MAX_LIST_ENTRIES)
    if len(entries) > limit:
        problems.append(_ListProblem(key, None, _("more than {n}; the rest is ignored").format(n=limit)))
    for index, each in enumerate(entries[:limit]):
        try:
            yield parse(each)
        except ValueError as error:
            problems.append(_ListProblem(key, index, str(error)))


def _format_problems(data: bytes, problems: Sequence[_ListProblem]) -> list[str]:
    """Return the texts of the problems, with lines, found in one pass over the file."""
    shown_problems = problems[:MAX_REPORTED_PROBLEMS]
    lines = find_line_numbers(data, [(key, index) for key, index, _reason in shown_problems if index is not None])
    texts = []
    for key, index, reason in shown_problems:
        if index is None:
            texts.append(f"{key}: {reason}")
        else:
            message = _("{key}[{index}] (line {n}): {error}")
            texts.append(message.format(key=key, index=index, n=lines.get((key, index), 1), error=reason))
    return [*texts, *_format_rest(len(problems) - len(shown_problems))]


def _limit_problems(texts: Sequence[str]) -> list[str]:
    return [*texts[:MAX_REPORTED_PROBLEMS], *_format_rest(len(texts) - MAX_REPORTED_PROBLEMS)]


def _format_rest(count: int) -> list[str]:
    return [ngettext("{n} more problem", "{n} more problems", count).format(n=count)] if count > 0 else []


MAX_REPORTED_PROBLEMS = 200
"""More are only counted."""


def _check_object(entry: object) -> JsonEntry:
    if not isinstance(entry, dict):
        raise ValueError(_("not an object"))
    return entry


def _parse_key(entry: object) -> str:
    if not isinstance(entry, str) or not is_stable_key(entry):
        raise ValueError(_("not a key"))
    return entry


def _parse_favourite(entry: JsonEntry, now: float) -> Favourite:
    return Favourite(
        parse_address(parse_text(entry, "address")),
        parse_text(entry, "name", ""),
        parse_added_at(entry, now),
        parse_protocol(entry, "") or None,
        parse_text(entry, "game", "") or None,
        _parse_stable_key(entry),
        parse_host_name(entry),
    )


def _parse_stable_key(entry: JsonEntry) -> str | None:
    """Return a favourite's key; None for one that no server can have.

    The address identifies the favourite then.
    """
    text = parse_text(entry, "stable_key", "")
    return text if is_stable_key(text) else None


def _parse_note(entry: JsonEntry, _now: float) -> tuple[Address, str]:
    return parse_address(parse_text(entry, "address")), parse_text(entry, "text")


def _parse_country(entry: JsonEntry, _now: float) -> tuple[Address, str]:
    country = parse_text(entry, "country")
    check_country(country)
    return parse_address(parse_text(entry, "address")), country


def _parse_block(entry: JsonEntry, now: float) -> BlockEntry:
    kind = parse_enum(entry, "kind", BlockKind)
    return BlockEntry(kind, normalise_block(kind, parse_text(entry, "value")), parse_added_at(entry, now))


def _parse_friend(entry: JsonEntry, now: float) -> Friend:
    kind, group = parse_enum(entry, "kind", FriendKind), parse_text(entry, "group", FRIEND_GROUPS[0])
    return normalise_friend(Friend(kind, parse_text(entry, "value"), group, parse_added_at(entry, now)))


def _parse_saved_filter(entry: JsonEntry, _now: float) -> tuple[str, str]:
    name, expression = normalise_filter_name(parse_text(entry, "name")), parse_text(entry, "expression")
    parse_filter(expression)
    return name, expression


def _parse_alert(entry: JsonEntry, now: float) -> Alert:
    kind, added_at = parse_text(entry, "kind"), parse_added_at(entry, now)
    if kind in list(SearchAlertKind):
        return normalise_search_alert(SearchAlert(SearchAlertKind(kind), parse_text(entry, "value"), added_at))
    players = entry.get("players", 0)
    if type(players) is not int:
        raise ValueError(_("{key}: not a number").format(key="players"))
    address, name = parse_address(parse_text(entry, "address")), parse_text(entry, "name", "")
    return check_alert(ServerAlert(address, parse_enum(entry, "kind", AlertKind), players, name, added_at))
