"""Signs that a server reports false data.

Sources: complaints about and countermeasures of other server browsers. Not suspicious by themselves: empty player
names, more players than slots, counts that differ by one or two (all three occur in recorded replies of honest
servers).
"""

import enum
from collections.abc import Mapping, Sequence

import numpy as np

from browser_app.catalogue.catalogue_columns import Bools, CatalogueColumns, Ints
from browser_app.catalogue.places.geography import min_round_trip_ms
from browser_app.catalogue.server_info import PlayerInfo, ServerInfo
from browser_app.games.game_profile import GameProfile
from browser_app.language import gettext as _


class SuspicionMark(enum.IntFlag):
    """Reasons to suspect that a server reports false data."""

    PING_TOO_LOW = 1
    """Replies faster than light could travel to the country of its address."""
    TOO_MANY_PLAYERS = 2
    """Lists far more players than it has slots."""
    IDENTICAL_TIMES = 4
    """All players have the same time on the server."""
    COPIED_PLAYERS = 8
    """Lists the same players as a server at another address."""
    INVISIBLE_NAME_PREFIX = 16
    """The name starts with invisible characters, which sort it first."""
    NEGATIVE_TIME = 32
    """A player has a negative time on the server."""
    EMPTY_PLAYER_LIST = 64
    """Reports players but lists none."""
    FROZEN_TIMES = 128
    """The players' times do not grow."""
    UNKNOWN_TO_STEAM = 256
    """Reports far more players than Steam knows of."""


MARKS_FOUND_IN_RESCORE = int(SuspicionMark.PING_TOO_LOW | SuspicionMark.UNKNOWN_TO_STEAM)
"""These depend on more than replies and stay until the next `Catalogue.rescore`."""
MIN_ROUND_TRIP_SHARE = 0.8
"""Pings down to this share of the physical minimum are accepted, because the table of countries is coarse."""
MAX_EXTRA_PLAYERS = 8
MIN_PLAYERS_FOR_SUSPICION = 6
"""From this number of players on, equal times or equal names on two servers are no coincidence."""
STEAM_COUNT_AGE_S = 600.0
"""Steam's numbers are compared with replies received at most this long before or after them."""
SAME_TIME_S, MIN_COMMON_TIME_S = 0.5, 60.0
"""Times that differ by less are equal; soon after a map change they may well be."""


def suspicions_of(info: ServerInfo, players: Sequence[PlayerInfo]) -> int:
    """Return the marks that a server's last reply and player list justify alone.

    They are `SuspicionMark` flags.
    """
    found = int(SuspicionMark.INVISIBLE_NAME_PREFIX) if "" < info.coloured_name < " " else 0
    if not players:
        return found
    if info.max_players is not None and len(players) > 2 * info.max_players + MAX_EXTRA_PLAYERS:
        found |= SuspicionMark.TOO_MANY_PLAYERS
    times = [player.duration_s for player in players if player.duration_s is not None and not player.bot]
    if times:
        shortest, longest = min(times), max(times)
        if shortest < 0:
            found |= SuspicionMark.NEGATIVE_TIME
        if len(times) >= MIN_PLAYERS_FOR_SUSPICION and longest > MIN_COMMON_TIME_S and longest - shortest < SAME_TIME_S:
            found |= SuspicionMark.IDENTICAL_TIMES
    return int(found)


def rows_with_impossible_ping(columns: CatalogueColumns, own_country: str) -> Bools:
    """Return the rows whose ping is impossible from the user's country.

    No row if the country is unknown.
    """
    minimum = np.array([min_round_trip_ms(own_country, code) for code in columns.country.pool])
    impossible: Bools = (
        columns.ping_ms < MIN_ROUND_TRIP_SHARE * minimum[columns.country.ids]
    )  # False for an unknown ping
    return impossible


def rows_unknown_to_steam(columns: CatalogueColumns, games: Mapping[str, GameProfile]) -> Bools:
    """Return the rows that report far more players than Steam listed.

    Only counts of about the same time are compared. Rows of GoldSource games never are: their servers may
    admit players without Steam, whom Steam cannot count.
    """
    counts_all = ~columns.game.matching_rows(lambda game: game in games and games[game].is_goldsource)
    is_recent = np.abs(columns.last_answer - columns.steam_counted_at) <= STEAM_COUNT_AGE_S
    unknown: Bools = counts_all & is_recent & (columns.players > 2 * columns.steam_players + MAX_EXTRA_PLAYERS)
    return unknown  # False where Steam's number is unknown


def current_suspicions(columns: CatalogueColumns, own_country: str, games: Mapping[str, GameProfile]) -> Ints:
    """Return the marks of all rows.

    Those that depend on pings and on Steam's list are recomputed.
    """
    marks = columns.suspicions & ~MARKS_FOUND_IN_RESCORE
    marks |= np.where(rows_with_impossible_ping(columns, own_country), SuspicionMark.PING_TOO_LOW, 0)
    marks |= np.where(rows_unknown_to_steam(columns, games), SuspicionMark.UNKNOWN_TO_STEAM, 0)
    return marks


def rows_beyond_limit(operator: Ints, limit: int) -> Bools:
    """Return which servers come after the first `limit` ones of their operator.

    See the column of that name.
    """
    many = np.flatnonzero(np.bincount(operator)[operator] > limit)
    order = many[np.argsort(operator[many], kind="stable")]
    starts = np.flatnonzero(np.diff(operator[order], prepend=-1))
    positions = np.arange(len(order)) - np.repeat(starts, np.diff(np.append(starts, len(order))))
    hidden = np.zeros(len(operator), np.bool_)
    hidden[order] = positions >= limit
    return hidden


def format_suspicions(suspicions: SuspicionMark, ping: str = "", country: str = "") -> list[str]:
    """Return one sentence per mark."""
    texts = {
        SuspicionMark.PING_TOO_LOW: _(
            "A ping of {ping} ms to {country} is impossible; checked again before joining."
        ).format(ping=ping, country=country),
        SuspicionMark.TOO_MANY_PLAYERS: _("Lists more than twice as many players as it has slots."),
        SuspicionMark.IDENTICAL_TIMES: _("All players have exactly the same play time."),
        SuspicionMark.COPIED_PLAYERS: _("Another address lists the same players: this server may only redirect you."),
        SuspicionMark.INVISIBLE_NAME_PREFIX: _("The name starts with invisible characters to sort first in lists."),
        SuspicionMark.NEGATIVE_TIME: _("Reports a negative play time for a player."),
        SuspicionMark.EMPTY_PLAYER_LIST: _("Reports players, but its player list is empty."),
        SuspicionMark.FROZEN_TIMES: _("The play times of its players never increase."),
        SuspicionMark.UNKNOWN_TO_STEAM: _("Reports far more players than Steam knows of."),
    }
    return [sentence for mark, sentence in texts.items() if mark in suspicions]
