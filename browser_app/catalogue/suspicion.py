"""Signs that a server reports false data, each with its reason.

Sources: the collected complaints and counter-measures of other browsers. Not a sign by itself: empty player names, more
players than slots, counts that differ by one or two (all three are usual in recorded replies of honest servers).
"""

import enum
from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from browser_app.catalogue.catalogue_columns import Bools, CatalogueColumns, Ints
from browser_app.catalogue.geography import min_round_trip_ms
from browser_app.catalogue.server_info import PlayerInfo, ServerInfo
from browser_app.language import gettext as _
from browser_app.protocols.address import Address


class SuspicionMark(enum.IntFlag):
    """Reasons to doubt a server."""

    PING_TOO_LOW = 1
    """It answers sooner than light can come from the country that its address belongs to."""
    TOO_MANY_PLAYERS = 2
    """It lists far more players than it has slots."""
    IDENTICAL_TIMES = 4
    """All its players have been there equally long."""
    COPIED_PLAYERS = 8
    """It lists the same players as a server at another address."""
    INVISIBLE_NAME_PREFIX = 16
    """Its name begins with invisible characters, which sort it to the front."""
    NEGATIVE_TIME = 32
    """Somebody has been there for less than no time."""


MIN_ROUND_TRIP_SHARE = 0.8
"""So much of the least round trip is allowed for: the table of countries is coarse."""
MAX_EXTRA_PLAYERS = 8
MIN_PLAYERS_FOR_SUSPICION = 6
"""So many players of one length of stay, or the same on two servers, are no chance any more."""
SAME_TIME_S, MIN_COMMON_TIME_S = 0.5, 60.0
"""Lengths of stay that differ by less are one; soon after a change of map they may be."""


def suspicions_of(info: ServerInfo, players: Sequence[PlayerInfo]) -> int:
    """What a server's newest answer and player list show by themselves (values of `Doubt`)."""
    found = int(SuspicionMark.INVISIBLE_NAME_PREFIX) if "" < info.coloured_name < " " else 0
    if not players:
        return found
    if info.max_players is not None and len(players) > 2 * info.max_players + MAX_EXTRA_PLAYERS:
        found |= SuspicionMark.TOO_MANY_PLAYERS
    times = [player.duration_s for player in players if player.duration_s is not None and not player.bot]
    if times:
        least, most = min(times), max(times)
        if least < 0:
            found |= SuspicionMark.NEGATIVE_TIME
        if len(times) >= MIN_PLAYERS_FOR_SUSPICION and most > MIN_COMMON_TIME_S and most - least < SAME_TIME_S:
            found |= SuspicionMark.IDENTICAL_TIMES
    return int(found)


def rows_with_impossible_ping(columns: CatalogueColumns, own_country: str) -> Bools:
    """Rows whose ping cannot be, seen from the user's country; none where that is not known."""
    least = np.array([min_round_trip_ms(own_country, code) for code in columns.country.pool])
    near: Bools = columns.ping_ms < MIN_ROUND_TRIP_SHARE * least[columns.country.ids]  # an unknown ping is not too near
    return near


class SharedPlayerLists:
    """Which servers list the same people: kept up to date with every player list."""

    def __init__(self) -> None:
        self._names_by_row: dict[int, frozenset[str]] = {}
        self._rows_by_names: dict[frozenset[str], set[int]] = defaultdict(set)

    def set_players(self, row: int, players: tuple[PlayerInfo, ...]) -> set[int]:
        """A server's newest list; the rows whose company has changed by it."""
        before = self._names_by_row.pop(row, None)
        changed = set()
        if before is not None:
            changed = self._rows_by_names[before]
            changed.discard(row)
        names = frozenset(player.name for player in players if player.name and not player.bot)
        if len(names) >= MIN_PLAYERS_FOR_SUSPICION:
            self._names_by_row[row] = names
            self._rows_by_names[names].add(row)
            changed = changed | self._rows_by_names[names]
        return changed | {row}

    def rows_with_same_players(self, row: int) -> set[int]:
        """Who else lists the same players."""
        key = self._names_by_row.get(row)
        return set() if key is None else self._rows_by_names[key] - {row}


def is_dual_stack_pair(one: Address, other: Address) -> bool:
    """One is IPv4 and the other IPv6, with the same port: as a server has them that masters list under both."""
    return one.port == other.port and (":" in one.host) != (":" in other.host)


def rows_beyond_limit(operator: Ints, limit: int) -> Bools:
    """Of servers in their order, those that come after the first `limit` of their operator (the column of that
    name).
    """
    many = np.flatnonzero(np.bincount(operator)[operator] > limit)
    order = many[np.argsort(operator[many], kind="stable")]
    starts = np.flatnonzero(np.diff(operator[order], prepend=-1))
    places = np.arange(len(order)) - np.repeat(starts, np.diff(np.append(starts, len(order))))
    hidden = np.zeros(len(operator), np.bool_)
    hidden[order] = places >= limit
    return hidden


def format_suspicions(suspicions: SuspicionMark, ping: str = "", country: str = "") -> list[str]:
    """The doubts in words, one sentence each."""
    words = {
        SuspicionMark.PING_TOO_LOW: _(
            "A ping of {ping} ms to {country} is impossible; checked again before joining."
        ).format(ping=ping, country=country),
        SuspicionMark.TOO_MANY_PLAYERS: _("Lists more than twice as many players as it has slots."),
        SuspicionMark.IDENTICAL_TIMES: _("All players have exactly the same play time."),
        SuspicionMark.COPIED_PLAYERS: _("Another address lists the same players: this server may only redirect you."),
        SuspicionMark.INVISIBLE_NAME_PREFIX: _("The name starts with invisible characters to sort first in lists."),
        SuspicionMark.NEGATIVE_TIME: _("Reports a negative play time for a player."),
    }
    return [sentence for doubt, sentence in words.items() if doubt in suspicions]
