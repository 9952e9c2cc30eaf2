"""Some rounds taken apart into columns, attribute by attribute.

A comprehension reads an attribute in some nanoseconds, so this takes half a microsecond a player.
"""

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from browser_app.rating.match import Match, Player, Stay
from browser_app.rating.record import NO_RANK, Floats, Ints, Spells
from browser_app.rating.record_checks import (
    Faults,
    GivenSpells,
    check_chairs,
    check_counts,
    check_rounds,
    checked_spells,
    well_formed,
)
from browser_app.rating.record_columns import Chunk, Dictionaries, Names, flags, floats, lengths, or_none, starts


def take_apart(matches: Sequence[Match], first: int, known: Dictionaries) -> Chunk:
    """The columns of some rounds, checked.

    Args:
        matches: the rounds.
        first: how many rounds came before them.
        known: names so far; new ones are added.

    Raises:
        MatchError: a round contradicts itself.
    """
    appearance_count = lengths([match.players for match in matches])
    faults = Faults(first, starts(appearance_count))
    whole = well_formed(matches, faults)
    if len(whole) < len(matches):
        if whole:
            take_apart(whole, first, known)
        faults.refuse()
    rounds = _round_columns(matches, known)
    teams = _Teams(known.teams, matches, rounds["team_count"])
    faults.rounds(teams.twice(), "teams", "two have one name")
    finished = np.not_equal(rounds["team_rank"][starts(rounds["team_count"])[:-1]], NO_RANK)
    check_rounds(faults, rounds["started"], rounds["duration"], finished)
    players = list(chain.from_iterable([match.players for match in matches]))
    player = known.players.indices([each.id for each in players])
    round_of = np.repeat(np.arange(len(matches), dtype=np.int32), appearance_count)
    faults.players(_repeated(round_of, player), "id", "is there twice in this round")
    stays, chairs = _checked_spells(players, teams, round_of, rounds["duration"], faults)
    told = _player_columns(players)
    check_counts(faults, {field: told[field] for field in ("kills", "deaths")})
    faults.refuse()
    _keep_names(known.names, player, players)
    return Chunk(
        **rounds,
        team_name=teams.name,
        appearance_count=appearance_count,
        player=player,
        **told,
        stays=stays,
        chairs=chairs,
    )


def _round_columns(matches: Sequence[Match], known: Dictionaries) -> dict[str, Any]:
    ranks = chain.from_iterable([match.ranks or (NO_RANK,) * len(match.teams) for match in matches])
    races = chain.from_iterable([match.races or (None,) * len(match.teams) for match in matches])
    return {
        "game": known.games.optional([match.game for match in matches]),
        "map": known.maps.optional([match.map for match in matches]),
        "mode": known.modes.indices([match.mode for match in matches]),
        "started": floats([match.started for match in matches]),
        "duration": floats([match.duration for match in matches]),
        "team_count": lengths([match.teams for match in matches]),
        "team_race": known.races.optional(list(races)),
        "team_rank": np.array(list(ranks), np.int32),
    }


def _player_columns(players: Sequence[Player]) -> dict[str, Any]:
    return {
        "kills": floats([player.kills for player in players]),
        "deaths": floats([player.deaths for player in players]),
        "score": floats([player.score for player in players]),
        "ping": floats([player.ping for player in players]),
        "squad": or_none([player.squad for player in players], np.int32(-1), _squads),
        "quit": flags([player.quit for player in players]),
        "ranked": flags([player.ranked for player in players]),
    }


def _squads(names: Sequence[str | None]) -> Ints:
    """Squads need to be told apart only within a round, so each chunk has its own numbers."""
    squads = Names()
    return np.array([-1 if name is None or name == "" else squads[name] for name in names], np.int32)


class _Teams:
    """The teams of some rounds: finds a team's index within its round by its name."""

    _STEP = 1 << 32  # keys are round × step + index of the name

    def __init__(self, names: Names, matches: Sequence[Match], count: Ints) -> None:
        self.name = names.indices(chain.from_iterable([match.teams for match in matches]))
        self._names = names
        self._start = starts(count)
        self._round = np.repeat(np.arange(len(matches), dtype=np.int64), count)
        keys = self._round * self._STEP + self.name
        self._order = np.argsort(keys, kind="stable")
        self._sorted = keys[self._order]

    def twice(self) -> NDArray[np.bool_]:
        """One flag a round: two of its teams have one name."""
        found = np.zeros(len(self._start) - 1, np.bool_)
        found[self._round[self._order[1:]][np.diff(self._sorted) == 0]] = True
        return found

    def find(self, round_of: Ints, names: Iterable[str]) -> Ints:
        """Index of a team in its round, -1 where the round has no such team."""
        keys = round_of.astype(np.int64) * self._STEP + self._names.indices(names)
        at = np.minimum(np.searchsorted(self._sorted, keys), len(self._sorted) - 1)
        return np.where(self._sorted[at] == keys, self._order[at] - self._start[round_of], -1).astype(np.int32)


def _checked_spells(
    players: Sequence[Player], teams: _Teams, round_of: Ints, duration: Floats, faults: Faults
) -> tuple[Spells, Spells]:
    end = np.where(np.isnan(duration), np.inf, duration)[round_of]
    stays_given = _spells([player.stays for player in players], teams, round_of)
    stays = checked_spells(faults, stays_given, "stays", end[stays_given.appearance])
    chairs_given = _spells([player.commanding for player in players], teams, round_of)
    chairs = checked_spells(faults, chairs_given, "commanding", end[chairs_given.appearance])
    check_chairs(faults, chairs_given, chairs, stays)
    return stays, chairs


def _spells(lists: Sequence[Sequence[Stay]], teams: _Teams, round_of: Ints) -> GivenSpells:
    if not any(lists):
        return GivenSpells.none()
    count = lengths(lists)
    spells = list(chain.from_iterable(lists))
    appearance = np.repeat(np.arange(len(lists), dtype=np.int32), count)
    number = np.arange(len(spells), dtype=np.int32) - np.repeat(np.cumsum(count, dtype=np.int32) - count, count)
    team = teams.find(round_of[appearance], [spell.team for spell in spells])
    enter = np.array([spell.enter for spell in spells], np.float64)
    leave = np.array([spell.leave for spell in spells], np.float64)
    return GivenSpells(appearance, number, team, enter, leave)


def _keep_names(names: dict[int, str], player: Ints, players: Sequence[Player]) -> None:
    told = [each.name for each in players]
    if told.count(None) < len(told):
        names.update((i, name) for i, name in zip(player.tolist(), told, strict=True) if name is not None)


def _repeated(group: Ints, value: Ints) -> NDArray[np.bool_]:
    """Where a value is there again in its group."""
    keys = group.astype(np.int64) << 32 | value
    order = np.argsort(keys, kind="stable")
    again = np.zeros(len(keys), np.bool_)
    again[order[1:][np.diff(keys[order]) == 0]] = True
    return again
