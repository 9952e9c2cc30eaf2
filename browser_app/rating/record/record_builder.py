"""Builder that turns rounds into a validated record."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from browser_app.rating.game_round import Round
from browser_app.rating.rating_errors import DuplicateRoundIdError, InvalidRoundError
from browser_app.rating.record.record_assembly import RecordColumns, RowOrder
from browser_app.rating.record.record_columns import ColumnCollector, GrowingColumn, NameTables
from browser_app.rating.record.record_validation import check_chunk, find_malformed_field
from browser_app.rating.record.round_record import Floats, RoundRecord

BATCH_ROUNDS = 64
"""So many rounds are objects at one time: few enough to stay in the processor's cache, enough for a list to be worth
making."""
CHUNK_ROUNDS = 1024
"""So many rounds are checked together."""


def build_record(rounds: Iterable[Round]) -> RoundRecord:
    """The record of some rounds.

    Raises:
        MatchError: a round contradicts itself, or two have one id.
    """
    builder = RecordBuilder()
    for match in rounds:
        builder.add(match)
    return builder.build()


class RecordFragment(NamedTuple):
    """Rounds under names of their own, checked, on their way from one builder to another."""

    ids: Sequence[str]
    name_tables: NameTables
    columns: Iterable[tuple[str, GrowingColumn]]


class RecordBuilder:
    """Takes rounds in any order; ``build`` sorts them by their start.

    Rounds are taken apart and checked some at a time, so an error may be told at a later one; it names the first round
    at fault. After an error the builder is of no further use: nothing half-read becomes a record.
    """

    def __init__(self) -> None:
        self._name_tables = NameTables()
        self._ids: dict[str, int] = {}
        self._pending_rounds: list[Round] = []
        self._collector = ColumnCollector(self._name_tables)
        self._columns = RecordColumns()
        self._checked_count = 0

    def __len__(self) -> int:
        """How many rounds were taken."""
        return len(self._ids)

    def add(self, game_round: Round) -> None:
        """Take one round.

        Raises:
            MatchError: this round or one before it contradicts itself.
        """
        index = len(self._ids)
        if self._ids.setdefault(game_round.id, index) != index:
            self.check_pending()
            raise DuplicateRoundIdError(index, self._ids[game_round.id])
        self._pending_rounds.append(game_round)
        if len(self._pending_rounds) == BATCH_ROUNDS:
            self._collect_pending()
            if len(self._collector) >= CHUNK_ROUNDS:
                self._check_collected()

    def check_pending(self) -> None:
        """Check all rounds that were taken.

        Raises:
            MatchError: one of them contradicts itself.
        """
        self._collect_pending()
        self._check_collected()

    def _collect_pending(self) -> None:
        waiting, self._pending_rounds = self._pending_rounds, []
        for number, match in enumerate(waiting):
            if problem := find_malformed_field(match):
                self._collector.add(waiting[:number])
                self._check_collected()  # of two faults the first is told
                raise InvalidRoundError(len(self._ids) - len(waiting) + number, *problem)
        self._collector.add(waiting)

    def _check_collected(self) -> None:
        gathered, self._collector = self._collector, ColumnCollector(self._name_tables)
        self._columns.add_chunk(check_chunk(gathered.to_columns(), self._checked_count))
        self._checked_count += len(gathered)

    def extract_fragment(self) -> RecordFragment:
        """What was taken, for another builder; this one is empty when all of it was read.

        Raises:
            MatchError: one of the rounds contradicts itself.
        """
        self.check_pending()
        return RecordFragment(list(self._ids), self._name_tables, self._columns.pop_all())

    def append_fragment(self, fragment: RecordFragment) -> None:
        """Take the rounds of another builder behind those that were taken.

        Raises:
            MatchError: one of the rounds here contradicts itself, or has the id of one there.
        """
        self.check_pending()
        for index, name in enumerate(fragment.ids, len(self._ids)):
            if self._ids.setdefault(name, index) != index:
                raise DuplicateRoundIdError(index, self._ids[name])
        self._checked_count = len(self._ids)
        self._columns.append_columns(fragment.columns, fragment.name_tables, self._name_tables)
        players = list(fragment.name_tables.players)
        self._name_tables.display_names |= {
            self._name_tables.players[players[i]]: name for i, name in fragment.name_tables.display_names.items()
        }

    def build(self) -> RoundRecord:
        """The record, sorted by start; the builder is empty then.

        Raises:
            MatchError: one of the rounds contradicts itself.
        """
        self.check_pending()
        columns, known = self._columns, self._name_tables
        started = columns.pop_column("started")
        rounds = RowOrder.ascending(started)
        team_start, teams = rounds.reorder_groups(columns.pop_column("team_count"))
        appearance_start, players = rounds.reorder_groups(columns.pop_column("appearance_count"))
        moved: dict[str, Any] = {
            field: order.reorder(columns.pop_column(field))
            for order, fields in ((rounds, _OF_ROUNDS), (teams, _OF_TEAMS), (players, _OF_PLAYERS))
            for field in fields
        }
        ids = list(self._ids)
        return RoundRecord(
            player_ids=tuple(known.players),
            player_names=tuple(known.display_names.get(i) for i in range(len(known.players))),
            games=tuple(known.games),
            maps=tuple(known.maps),
            modes=tuple(known.modes),
            team_names=tuple(known.teams),
            races=tuple(known.races),
            ids=[ids[k] for k in rounds.rows.tolist()],
            given=rounds.rows,
            started=_fill_unknown_starts(rounds.reorder(started)),
            team_start=team_start,
            appearance_start=appearance_start,
            stays=columns.pop_stints("stays", players),
            chairs=columns.pop_stints("chairs", players),
            **moved,
        )


_OF_ROUNDS = ("game", "map", "mode", "duration")
_OF_TEAMS = ("team_name", "team_race", "team_rank")
_OF_PLAYERS = ("player", "kills", "deaths", "score", "ping", "squad", "quit", "ranked")


def _fill_unknown_starts(started: Floats) -> Floats:
    """Rounds to come may not tell their start: they take the latest of all."""
    return np.where(np.isnan(started), np.fmax.reduce(started, initial=0.0), started)
