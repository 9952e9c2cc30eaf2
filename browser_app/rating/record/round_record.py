"""Columnar record of all rounds of a data set.

A million rounds are twelve million appearances. As columns they take tens of bytes each, as objects a thousand.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int32]
Offsets: TypeAlias = NDArray[np.int64]

NO_RANK = 0

_ROUND_COLUMNS = ("ids", "input_index", "game", "map", "mode", "started", "duration")
TEAM_COLUMNS = ("team_name", "team_race", "team_rank")
"""Columns with one entry per team."""
GAME_SKILL_COLUMNS = ("skill", "offset", "commander_skill", "adagrad_sum", "commander_adagrad_sum")
"""Numbers of the game's own skill; most records have none of them."""
APPEARANCE_COLUMNS = (
    "player",
    "kills",
    "deaths",
    "score",
    "assists",
    "objectives",
    "ping",
    "squad",
    "quit",
    "ranked",
    *GAME_SKILL_COLUMNS,
)
"""Columns with one entry per appearance."""


@dataclass(frozen=True, slots=True)
class Stints:
    """Stints on a team (stays or commander time), one row each, by appearance.

    Attributes:
        appearance: row of the appearance, ascending.
        team: index of the team within its round.
        enter, leave: seconds from the start of the round; 0 ≤ enter < leave ≤ duration.
    """

    appearance: Ints
    team: Ints
    enter: Floats
    leave: Floats

    def slice_appearances(self, first: int, last: int) -> "Stints":
        """Return the stints of appearances first to last - 1, counted from `first`."""
        bounds = np.array((first, last), np.int32)  # another type would make numpy copy all stints
        a, b = np.searchsorted(self.appearance, bounds)
        appearance = self.appearance[a:b] - np.int32(first) if first else self.appearance[a:b]
        return Stints(appearance, self.team[a:b], self.enter[a:b], self.leave[a:b])


@dataclass(frozen=True)
class RoundRecord:
    """Validated rounds as columns, by start; ties in the order of adding.

    Rows: n rounds, their teams (`team_start[k]:team_start[k + 1]`), their appearances, i.e. one player in one round
    (`appearance_start[k]:appearance_start[k + 1]`), and the appearances' stays and commander stints. Names are stored
    once: `map[k]` indexes `maps`, and -1 is none.

    Attributes:
        input_index: position of the round in the order in which rounds were added.
        started: seconds since 1970 (UTC); an upcoming round without a start gets the latest of all.
        duration: seconds, NaN where unknown (upcoming rounds only).
        team_name, team_race: indices into `team_names` and `races`.
        team_rank: ≥ 1, lower is better, or NO_RANK.
        player: index into `player_ids`.
        kills, deaths, score, assists, objectives, ping: NaN where unknown.
        squad: ≥ 0 and equal within a round for players who joined together, -1 alone or unknown.
        quit: 1 quit, 0 finished, -1 unknown.
        ranked: 1 wants a rating, 0 does not, -1 unknown.
        skill, offset, commander_skill, adagrad_sum, commander_adagrad_sum: the game's own numbers before the round, in
            displayed points except for the sums; NaN where unknown.
        stays: time on a team.
        commander_stints: time as commander, part of the stays.
    """

    player_ids: tuple[str, ...]
    player_names: tuple[str | None, ...]
    games: tuple[str, ...]
    maps: tuple[str, ...]
    modes: tuple[str, ...]
    team_names: tuple[str, ...]
    races: tuple[str, ...]

    ids: Sequence[str]
    input_index: Ints
    game: Ints
    map: Ints
    mode: Ints
    started: Floats
    duration: Floats

    team_start: Offsets
    team_name: Ints
    team_race: Ints
    team_rank: Ints

    appearance_start: Offsets
    player: Ints
    kills: Floats
    deaths: Floats
    score: Floats
    assists: Floats
    objectives: Floats
    ping: Floats
    squad: Ints
    quit: NDArray[np.int8]
    ranked: NDArray[np.int8]
    skill: Floats
    offset: Floats
    commander_skill: Floats
    adagrad_sum: Floats
    commander_adagrad_sum: Floats

    stays: Stints
    commander_stints: Stints

    def __len__(self) -> int:
        """Return the number of rounds."""
        return len(self.ids)

    def teams(self, k: int) -> tuple[str, ...]:
        """Return the names of the teams of round k, in side order."""
        return tuple(self.team_names[i] for i in self.team_name[self.team_start[k] : self.team_start[k + 1]])

    def appearances(self, k: int) -> slice:
        """Return the rows of round k's players."""
        return slice(int(self.appearance_start[k]), int(self.appearance_start[k + 1]))

    def players(self, k: int) -> tuple[str, ...]:
        """Return the ids of the players of round k, in the order of their appearances."""
        return tuple(self.player_ids[i] for i in self.player[self.appearances(k)])

    def ranks(self, k: int) -> tuple[int, ...] | None:
        """Return the rank of each team of round k, or None without an outcome."""
        if not self.finished[k]:
            return None
        return tuple(self.team_rank[self.team_start[k] : self.team_start[k + 1]].tolist())

    def first_rounds(self, rounds: int) -> "RoundRecord":
        """Return a record of the first rounds; names that only later ones have remain."""
        return self.slice_rounds(0, rounds)

    def slice_rounds(self, first: int, last: int) -> "RoundRecord":
        """Return a record of rounds first to last - 1; all names keep their indices."""
        team, teams = self.team_start[[first, last]].tolist()
        row, rows = self.appearance_start[[first, last]].tolist()
        columns = {name: getattr(self, name)[first:last] for name in _ROUND_COLUMNS}
        columns |= {name: getattr(self, name)[team:teams] for name in TEAM_COLUMNS}
        columns |= {name: getattr(self, name)[row:rows] for name in APPEARANCE_COLUMNS}
        return replace(
            self,
            **columns,
            team_start=self.team_start[first : last + 1] - team,
            appearance_start=self.appearance_start[first : last + 1] - row,
            stays=self.stays.slice_appearances(row, rows),
            commander_stints=self.commander_stints.slice_appearances(row, rows),
        )

    @cached_property
    def finished(self) -> NDArray[np.bool_]:
        """Whether each round has an outcome."""
        return np.not_equal(self.team_rank[self.team_start[:-1]], NO_RANK)

    @property
    def last_played(self) -> float | None:
        """Start of the last played round; None if there is none."""
        played = self.started[self.finished]
        return float(played[-1]) if len(played) else None

    @cached_property
    def has_sides(self) -> NDArray[np.bool_]:
        """Whether each round has sides; it has none where teams are named after players.

        The order of such teams, as in duels, has no meaning in the game, but may reveal who won: some reports name the
        winner first.
        """
        team_index = {name: i for i, name in enumerate(self.team_names)}
        own_team = np.array([team_index.get(name, -1) for name in self.player_ids], np.int32)
        appearance = self.stays.appearance
        k = self.round_of_appearance[appearance]
        is_own = self.team_name[self.team_start[k] + self.stays.team] == own_team[self.player[appearance]]
        own, others = (np.bincount(k[which], minlength=len(self)) for which in (is_own, ~is_own))
        has_sides: NDArray[np.bool_] = (own == 0) | (others > 0)
        return has_sides

    @cached_property
    def team_count(self) -> Ints:
        """Number of teams of each round (always 2 or more)."""
        return np.diff(self.team_start).astype(np.int32)

    @cached_property
    def round_of_appearance(self) -> Ints:
        """Round of each appearance."""
        return np.repeat(np.arange(len(self), dtype=np.int32), np.diff(self.appearance_start))
