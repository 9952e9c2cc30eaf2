"""Signs that a server is not what it says: each with its reason, none of them proof, none of them changing a score.

Sources: the collected complaints and counter-measures of other browsers. Not a sign by itself: empty player names, more
players than slots, counts that differ by one or two (all three are usual in recorded replies of honest servers).
"""

import enum
from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from browser_app.catalogue.columns import Bools, Columns, Ints
from browser_app.catalogue.distances import least_round_trip_ms
from browser_app.catalogue.facts import Facts, PlayerRow
from browser_app.language import gettext as _
from browser_app.protocols.address import Address


class Doubt(enum.IntFlag):
    """Reasons to doubt a server."""

    TOO_NEAR = 1
    """It answers sooner than light can come from the country that its address belongs to."""
    LONG_LIST = 2
    """It lists far more players than it has slots."""
    SAME_TIMES = 4
    """All its players have been there equally long."""
    SAME_PLAYERS = 8
    """It lists the same players as a server at another address."""
    FRONT_NAME = 16
    """Its name begins with invisible characters, which sort it to the front."""
    LESS_THAN_NO_TIME = 32
    """Somebody has been there for less than no time."""


NEAR = 0.8
"""So much of the least round trip is allowed for: the table of countries is coarse."""
LIST_SLACK = 8
LEAST_PLAYERS = 6
"""So many players of one length of stay, or the same on two servers, are no chance any more."""
SAME_S, SETTLED_S = 0.5, 60.0
"""Lengths of stay that differ by less are one; soon after a change of map they may be."""


def doubts_of(facts: Facts, players: Sequence[PlayerRow]) -> int:
    """What a server's newest answer and player list show by themselves (values of `Doubt`)."""
    found = int(Doubt.FRONT_NAME) if "" < facts.coloured_name < " " else 0
    if not players:
        return found
    if facts.max_players is not None and len(players) > 2 * facts.max_players + LIST_SLACK:
        found |= Doubt.LONG_LIST
    times = [player.duration_s for player in players if player.duration_s is not None and not player.bot]
    if times:
        least, most = min(times), max(times)
        if least < 0:
            found |= Doubt.LESS_THAN_NO_TIME
        if len(times) >= LEAST_PLAYERS and most > SETTLED_S and most - least < SAME_S:
            found |= Doubt.SAME_TIMES
    return int(found)


def too_near(columns: Columns, own_country: str) -> Bools:
    """Rows whose ping cannot be, seen from the user's country; none where that is not known."""
    least = np.array([least_round_trip_ms(own_country, code) for code in columns.country.pool])
    near: Bools = columns.ping_ms < NEAR * least[columns.country.ids]  # an unknown ping is not too near
    return near


class SharedPlayers:
    """Which servers list the same people: kept up to date with every player list."""

    def __init__(self) -> None:
        self._key_of: dict[int, frozenset[str]] = {}
        self._rows: dict[frozenset[str], set[int]] = defaultdict(set)

    def put(self, row: int, players: tuple[PlayerRow, ...]) -> set[int]:
        """A server's newest list; the rows whose company has changed by it."""
        before = self._key_of.pop(row, None)
        changed = set()
        if before is not None:
            changed = self._rows[before]
            changed.discard(row)
        names = frozenset(player.name for player in players if player.name and not player.bot)
        if len(names) >= LEAST_PLAYERS:
            self._key_of[row] = names
            self._rows[names].add(row)
            changed = changed | self._rows[names]
        return changed | {row}

    def others(self, row: int) -> set[int]:
        """Who else lists the same players."""
        key = self._key_of.get(row)
        return set() if key is None else self._rows[key] - {row}


def in_both_families(one: Address, other: Address) -> bool:
    """One is IPv4 and the other IPv6, with the same port: as a server has them that masters list under both."""
    return one.port == other.port and (":" in one.host) != (":" in other.host)


def beyond(operator: Ints, most: int) -> Bools:
    """Of servers in their order, those that come after the first `most` of their operator (the column of that name)."""
    many = np.flatnonzero(np.bincount(operator)[operator] > most)
    order = many[np.argsort(operator[many], kind="stable")]
    starts = np.flatnonzero(np.diff(operator[order], prepend=-1))
    places = np.arange(len(order)) - np.repeat(starts, np.diff(np.append(starts, len(order))))
    hidden = np.zeros(len(operator), np.bool_)
    hidden[order] = places >= most
    return hidden


def reasons(doubts: Doubt, ping: str = "", country: str = "") -> list[str]:
    """The doubts in words, one sentence each."""
    words = {
        Doubt.TOO_NEAR: _("Ping of {ping} ms to {country} cannot be; asked again before joining.").format(
            ping=ping, country=country
        ),
        Doubt.LONG_LIST: _("It lists more than twice as many players as it has slots."),
        Doubt.SAME_TIMES: _("All its players have been there for exactly the same time."),
        Doubt.SAME_PLAYERS: _("Another address lists the same players: this may only pass you on."),
        Doubt.FRONT_NAME: _("Its name begins with invisible characters, to stand first in lists."),
        Doubt.LESS_THAN_NO_TIME: _("It says that somebody has been there for less than no time."),
    }
    return [sentence for doubt, sentence in words.items() if doubt in doubts]
