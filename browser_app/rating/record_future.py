"""A record with rounds to come behind it: to ask a system about them, everything that has happened goes first."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from browser_app.rating.match import Match
from browser_app.rating.record import Offsets, Record, Spells
from browser_app.rating.record_builder import record_of

_NAMES = {
    "player_ids": "player",
    "games": "game",
    "maps": "map",
    "modes": "mode",
    "team_names": "team_name",
    "races": "team_race",
}
"""Which column indexes which names."""
_PLAIN = ("started", "duration", "team_rank", "kills", "deaths", "score", "ping", "squad", "quit", "ranked")


def followed_by(history: Record, to_come: Sequence[Match]) -> Record:
    """The history's rounds, unchanged and under their own indices, then the others, by start.

    Players, modes and all other names keep their indices too. What has been played of the history counts as past: a
    round said to start before the last one of that is taken to start with it, and so is one that does not say.

    Raises:
        MatchError: one of the rounds to come contradicts itself.
    """
    now = history.last_played
    if now is not None:
        to_come = [replace(match, started=max(now, match.started or now)) for match in to_come]
    return _joined(history, record_of(to_come))


def _joined(first: Record, second: Record) -> Record:
    fields: dict[str, Any] = {name: np.concatenate([getattr(first, name), getattr(second, name)]) for name in _PLAIN}
    for names, column in _NAMES.items():
        known = {name: index for index, name in enumerate(getattr(first, names))}
        now = [known.setdefault(name, len(known)) for name in getattr(second, names)]
        renumbered = np.array([*now, -1], np.int32)[getattr(second, column)]  # -1, none, stays so
        fields[column] = np.concatenate([getattr(first, column), renumbered])
        fields[names] = tuple(known)
    called = dict(zip(second.player_ids, second.player_names, strict=True))
    called |= {name: told for name, told in zip(first.player_ids, first.player_names, strict=True) if told is not None}
    return Record(
        player_names=tuple(map(called.get, fields["player_ids"])),
        ids=[*first.ids, *second.ids],
        given=np.concatenate([first.given, second.given + np.int32(len(first))]),
        team_start=_offsets(first.team_start, second.team_start),
        appearance_start=_offsets(first.appearance_start, second.appearance_start),
        stays=_spells(first.stays, second.stays, len(first.player)),
        chairs=_spells(first.chairs, second.chairs, len(first.player)),
        **fields,
    )


def _offsets(first: Offsets, second: Offsets) -> Offsets:
    return np.concatenate([first, first[-1] + second[1:]])


def _spells(first: Spells, second: Spells, appearances: int) -> Spells:
    return Spells(
        np.concatenate([first.appearance, second.appearance + np.int32(appearances)]),
        np.concatenate([first.team, second.team]),
        np.concatenate([first.enter, second.enter]),
        np.concatenate([first.leave, second.leave]),
    )
