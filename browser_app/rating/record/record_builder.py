"""Builder that turns rounds into a validated record."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from browser_app.rating.game_round import Round
from browser_app.rating.rating_errors import DuplicateRoundIdError, InvalidRoundError
from browser_app.rating.record.record_assembly import RecordColumns, RowOrder
from browser_app.rating.record.record_columns import ColumnCollector, GrowingColumn, NameTables
from browser_app.rating.record.record_validation import check_chunk, find_malformed_field
from browser_app.rating.record.round_record import APPEARANCE_COLUMNS, TEAM_COLUMNS, Floats, RoundRecord

BATCH_ROUNDS = 64
"""Most rounds held as objects: few enough for the processor's cache, enough to be worth a list."""
CHUNK_ROUNDS = 1024
"""Number of rounds validated together."""


def build_record(rounds: Iterable[Round]) -> RoundRecord:
    """Return the record of some rounds.

    Raises:
        InvalidRoundError: a round contradicts itself, or two have the same id.
    """
    builder = RecordBuilder()
    for game_round in rounds:
        builder.add(game_round)
    return builder.build()


class RecordFragment(NamedTuple):
    """Validated rounds with name tables of their own, to move between builders."""

    ids: Sequence[str]
    name_tables: NameTables
    columns: Iterable[tuple[str, GrowingColumn]]


class RecordBuilder:
    """Builder that accepts rounds in any order; `build` sorts them by start.

    Rounds are validated in batches, so an error may be raised only at a later round; it names the first invalid one.
    After an error the builder cannot be used any more, so that no partial record is built.
    """

    def __init__(self) -> None:
        self._name_tables = NameTables()
        self._ids: dict[str, int] = {}
        self._pending_rounds: list[Round] = []
        self._collector = ColumnCollector(self._name_tables)
        self._columns = RecordColumns()
        self._checked_count = 0

    def __len__(self) -> int:
        """Return the number of rounds added."""
        return len(self._ids)

    def add(self, game_round: Round) -> None:
        """Add one round.

        Raises:
            InvalidRoundError: this round or an earlier one contradicts itself.
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
        """Validate all rounds added so far.

        Raises:
            InvalidRoundError: one of them contradicts itself.
        """
        self._collect_pending()
        self._check_collected()

    def _collect_pending(self) -> None:
        waiting, self._pending_rounds = self._pending_rounds, []
        for number, game_round in enumerate(waiting):
            if problem := find_malformed_field(game_round):
                self._collector.add(waiting[:number])
                self._check_collected()  # may raise an error of an earlier round
                raise InvalidRoundError(len(self._ids) - len(waiting) + number, *problem)
        self._collector.add(waiting)

    def _check_collected(self) -> None:
        gathered, self._collector = self._collector, ColumnCollector(self._name_tables)
        self._columns.add_chunk(check_chunk(gathered.to_columns(), self._checked_count))
        self._checked_count += len(gathered)

    def extract_fragment(self) -> RecordFragment:
        """Return the rounds for another builder; reading the columns empties this one.

        Raises:
            InvalidRoundError: one of the rounds contradicts itself.
        """
        self.check_pending()
        return RecordFragment(list(self._ids), self._name_tables, self._columns.pop_all())

    def append_fragment(self, fragment: RecordFragment) -> None:
        """Append the rounds of another builder.

        Raises:
            InvalidRoundError: one of the rounds added here contradicts itself, or has the id of an appended one.
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
        """Return the record, sorted by start, and empty the builder.

        Raises:
            InvalidRoundError: one of the rounds contradicts itself.
        """
        self.check_pending()
        columns, known = self._columns, self._name_tables
        started = columns.pop_column("started")
        rounds = RowOrder.ascending(started)
        team_start, teams = rounds.reorder_groups(columns.pop_column("team_count"))
        appearance_start, players = rounds.reorder_groups(columns.pop_column("appearance_count"))
        moved: dict[str, Any] = {
            field: order.reorder(columns.pop_column(field))
            for order, fields in (
                (rounds, _REORDERED_ROUND_COLUMNS),
                (teams, TEAM_COLUMNS),
                (players, APPEARANCE_COLUMNS),
            )
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
            input_index=rounds.rows,
            started=_fill_unknown_starts(rounds.reorder(started)),
            team_start=team_start,
            appearance_start=appearance_start,
            stays=columns.pop_stints("stays", players),
            commander_stints=columns.pop_stints("commander_stints", players),
            **moved,
        )


_REORDERED_ROUND_COLUMNS = ("game", "map", "mode", "duration")


def _fill_unknown_starts(started: Floats) -> Floats:
    """Replace the unknown starts of upcoming rounds by the latest start."""
    return np.where(np.isnan(started), np.fmax.reduce(started, initial=0.0), started)
