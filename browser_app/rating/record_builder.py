"""From rounds, one by one, to the columns of a record, with every contradiction refused."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from browser_app.rating.errors import MatchError, RepeatedIdError
from browser_app.rating.match import Match
from browser_app.rating.record import Floats, Record
from browser_app.rating.record_checks import ill_formed
from browser_app.rating.record_chunk import checked
from browser_app.rating.record_columns import Dictionaries, Growing
from browser_app.rating.record_gathering import Gathering
from browser_app.rating.record_joining import Columns, Order

BATCH = 64
"""So many rounds are objects at one time: few enough to stay in the processor's cache, enough for a list to be worth
making."""
CHUNK = 1024
"""So many rounds are checked together."""


def record_of(matches: Iterable[Match]) -> Record:
    """The record of some rounds.

    Raises:
        MatchError: a round contradicts itself, or two have one id.
    """
    builder = RecordBuilder()
    for match in matches:
        builder.add(match)
    return builder.build()


class Part(NamedTuple):
    """Rounds under names of their own, checked, on their way from one builder to another."""

    ids: Sequence[str]
    known: Dictionaries
    columns: Iterable[tuple[str, Growing]]


class RecordBuilder:
    """Takes rounds in any order; ``build`` sorts them by their start.

    Rounds are taken apart and checked some at a time, so an error may be told at a later one; it names the first round
    at fault. After an error the builder is of no further use: nothing half-read becomes a record.
    """

    def __init__(self) -> None:
        self._known = Dictionaries()
        self._ids: dict[str, int] = {}
        self._waiting: list[Match] = []
        self._gathered = Gathering(self._known)
        self._columns = Columns()
        self._checked = 0

    def __len__(self) -> int:
        """How many rounds were taken."""
        return len(self._ids)

    def add(self, match: Match) -> None:
        """Take one round.

        Raises:
            MatchError: this round or one before it contradicts itself.
        """
        index = len(self._ids)
        if self._ids.setdefault(match.id, index) != index:
            self.check()
            raise RepeatedIdError(index, self._ids[match.id])
        self._waiting.append(match)
        if len(self._waiting) == BATCH:
            self._gather()
            if len(self._gathered) >= CHUNK:
                self._check_gathered()

    def check(self) -> None:
        """Check all rounds that were taken.

        Raises:
            MatchError: one of them contradicts itself.
        """
        self._gather()
        self._check_gathered()

    def _gather(self) -> None:
        waiting, self._waiting = self._waiting, []
        for number, match in enumerate(waiting):
            if problem := ill_formed(match):
                self._gathered.add(waiting[:number])
                self._check_gathered()  # of two faults the first is told
                raise MatchError(len(self._ids) - len(waiting) + number, *problem)
        self._gathered.add(waiting)

    def _check_gathered(self) -> None:
        gathered, self._gathered = self._gathered, Gathering(self._known)
        self._columns.add(checked(gathered.columns(), self._checked))
        self._checked += len(gathered)

    def part(self) -> Part:
        """What was taken, for another builder; this one is empty when all of it was read.

        Raises:
            MatchError: one of the rounds contradicts itself.
        """
        self.check()
        return Part(list(self._ids), self._known, self._columns.hand_out())

    def join(self, part: Part) -> None:
        """Take the rounds of another builder behind those that were taken.

        Raises:
            MatchError: one of the rounds here contradicts itself, or has the id of one there.
        """
        self.check()
        for index, name in enumerate(part.ids, len(self._ids)):
            if self._ids.setdefault(name, index) != index:
                raise RepeatedIdError(index, self._ids[name])
        self._checked = len(self._ids)
        self._columns.join(part.columns, part.known, self._known)
        players = list(part.known.players)
        self._known.names |= {self._known.players[players[i]]: name for i, name in part.known.names.items()}

    def build(self) -> Record:
        """The record, sorted by start; the builder is empty then.

        Raises:
            MatchError: one of the rounds contradicts itself.
        """
        self.check()
        columns, known = self._columns, self._known
        started = columns.take("started")
        rounds = Order.sorting(started)
        team_start, teams = rounds.of_groups(columns.take("team_count"))
        appearance_start, players = rounds.of_groups(columns.take("appearance_count"))
        moved: dict[str, Any] = {
            field: order.moved(columns.take(field))
            for order, fields in ((rounds, _OF_ROUNDS), (teams, _OF_TEAMS), (players, _OF_PLAYERS))
            for field in fields
        }
        ids = list(self._ids)
        return Record(
            player_ids=tuple(known.players),
            player_names=tuple(known.names.get(i) for i in range(len(known.players))),
            games=tuple(known.games),
            maps=tuple(known.maps),
            modes=tuple(known.modes),
            team_names=tuple(known.teams),
            races=tuple(known.races),
            ids=[ids[k] for k in rounds.rows.tolist()],
            given=rounds.rows,
            started=_known_starts(rounds.moved(started)),
            team_start=team_start,
            appearance_start=appearance_start,
            stays=columns.take_spells("stays", players),
            chairs=columns.take_spells("chairs", players),
            **moved,
        )


_OF_ROUNDS = ("game", "map", "mode", "duration")
_OF_TEAMS = ("team_name", "team_race", "team_rank")
_OF_PLAYERS = ("player", "kills", "deaths", "score", "ping", "squad", "quit", "ranked")


def _known_starts(started: Floats) -> Floats:
    """Rounds to come may not tell their start: they take the latest of all."""
    return np.where(np.isnan(started), np.fmax.reduce(started, initial=0.0), started)
