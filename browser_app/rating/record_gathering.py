"""Some rounds taken apart into columns as they were given, attribute by attribute; nothing is checked.

A comprehension reads an attribute in some nanoseconds, as long as what was read of a file is still in the processor's
cache: a few rounds at a time take half as long as some hundred.
"""

from collections import defaultdict
from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from browser_app.rating.match import Match, Player, Stay
from browser_app.rating.record import NO_RANK, Ints
from browser_app.rating.record_columns import (
    NO_COUNT,
    NO_INDEX,
    Dictionaries,
    Growing,
    Names,
    flags,
    floats,
    lengths,
    or_none,
)

Given = dict[str, NDArray[Any]]
"""Columns by their names in `Chunk`; instead of its spells those that were given, as `KIND.count` (one an appearance),
`KIND.team` (index into all names of teams), `KIND.enter` and `KIND.leave`."""


class Gathering:
    """The columns of rounds given one after the other; ``len`` is how many.

    Args:
        known: names so far; new ones are added.
    """

    def __init__(self, known: Dictionaries) -> None:
        self._known = known
        self._columns = defaultdict[str, Growing](Growing)
        self._rounds = 0

    def __len__(self) -> int:
        return self._rounds

    def add(self, matches: Sequence[Match]) -> None:
        """Take some rounds whose ranks and races are one a team."""
        known = self._known
        players = list(chain.from_iterable([match.players for match in matches]))
        player = known.players.indices([each.id for each in players])
        _keep_names(known.names, player, players)
        self._extend(_rounds(matches, known))
        self._extend({"player": player, **_counts(players)})
        self._extend(_spells("stays", [each.stays for each in players], known.teams))
        self._extend(_spells("chairs", [each.commanding for each in players], known.teams))
        self._rounds += len(matches)

    def columns(self) -> Given:
        """All of them; they grow no more."""
        return {name: column.array() for name, column in self._columns.items()}

    def _extend(self, columns: Given) -> None:
        for name, part in columns.items():
            self._columns[name].extend(part)


def _rounds(matches: Sequence[Match], known: Dictionaries) -> Given:
    ranks = chain.from_iterable([match.ranks or (NO_RANK,) * len(match.teams) for match in matches])
    races = chain.from_iterable([match.races or (None,) * len(match.teams) for match in matches])
    return {
        "game": known.games.optional([match.game for match in matches]),
        "map": known.maps.optional([match.map for match in matches]),
        "mode": known.modes.indices([match.mode for match in matches]),
        "started": floats([match.started for match in matches]),
        "duration": floats([match.duration for match in matches]),
        "team_count": lengths([match.teams for match in matches]),
        "team_name": known.teams.indices(list(chain.from_iterable([match.teams for match in matches]))),
        "team_race": known.races.optional(list(races)),
        "team_rank": np.array(list(ranks), np.int32),
        "appearance_count": lengths([match.players for match in matches]),
    }


def _counts(players: Sequence[Player]) -> Given:
    return {
        "kills": floats([player.kills for player in players]),
        "deaths": floats([player.deaths for player in players]),
        "score": floats([player.score for player in players]),
        "ping": floats([player.ping for player in players]),
        "squad": or_none([player.squad for player in players], NO_INDEX, _squads),
        "quit": flags([player.quit for player in players]),
        "ranked": flags([player.ranked for player in players]),
    }


def _squads(names: Sequence[str | None]) -> Ints:
    """Squads need to be told apart only within a round, so any few rounds have their own numbers."""
    squads = Names()
    return np.array([-1 if name is None or name == "" else squads[name] for name in names], np.int32)


def _spells(kind: str, lists: Sequence[Sequence[Stay]], teams: Names) -> Given:
    spells = list(chain.from_iterable(lists))
    if not spells:
        none: Given = {f"{kind}.team": _NO_TEAM, f"{kind}.enter": _NO_TIME, f"{kind}.leave": _NO_TIME}
        return {f"{kind}.count": NO_COUNT[: len(lists)], **none}
    return {
        f"{kind}.count": lengths(lists),
        f"{kind}.team": teams.indices([spell.team for spell in spells]),
        f"{kind}.enter": np.array([spell.enter for spell in spells], np.float64),
        f"{kind}.leave": np.array([spell.leave for spell in spells], np.float64),
    }


_NO_TEAM, _NO_TIME = np.zeros(0, np.int32), np.zeros(0)


def _keep_names(names: dict[int, str], player: Ints, players: Sequence[Player]) -> None:
    told = [each.name for each in players]
    if told.count(None) < len(told):
        names.update((i, name) for i, name in zip(player.tolist(), told, strict=True) if name is not None)
