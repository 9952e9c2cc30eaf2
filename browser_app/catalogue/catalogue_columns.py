"""Columns of the catalogue as numpy arrays, and the change set of one update."""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from browser_app.catalogue.places.languages import LANGUAGE_SEPARATOR
from browser_app.catalogue.server_info import PlayerInfo, QueryStatus, QueryTarget, ServerInfo
from browser_app.catalogue.text_column import TextColumn
from browser_app.protocols.address import Address
from browser_app.ranking.score_factors import unjoinable_mask

Floats: TypeAlias = npt.NDArray[np.float64]
Bools: TypeAlias = npt.NDArray[np.bool_]
Ints: TypeAlias = npt.NDArray[np.int32]
RowIds: TypeAlias = npt.NDArray[np.intp]

PING_SAMPLES = 8

INFO_FLOATS = (
    "players",
    "bots",
    "spectators",
    "max_players",
    "reserved",
    "joinable",
    "closed",
    "password",
    "performance",
    "quality",
    "server_skill",
    "rookie_only",
    "quick_play",
)
"""Columns copied from the `ServerInfo` field of the same name; NaN is unknown, yes is 1 and no is 0."""

INFO_TEXTS = ("name", "map", "mode", "mode_name", "version", "language")
"""Text columns copied from the `ServerInfo` field of the same name."""

USER_LIST_FLAGS = ("favourite", "blocked", "recently_left", "left_early", "password_saved", "has_user_data")
"""Columns set from the user's own lists."""

_NAN = float("nan")
_FLOAT_DEFAULTS = dict.fromkeys(
    (
        *INFO_FLOATS,
        "usable_slots",
        "ping_ms",
        "last_answer",
        "last_played",
        "described_at",
        "score",
        "gain",
        "steam_players",
        "steam_counted_at",
    ),
    _NAN,
)
_BOOL_COLUMNS = (
    *USER_LIST_FLAGS,
    "ping_estimated",
    "ping_under_load",
    "saved",
    "described",
    "occupied",
    "added_by_user",
)
_INT_COLUMNS = ("status", "attempts", "friends", "constants_row", "suspicions", "operator")
_TEXT_COLUMNS = (*INFO_TEXTS, "game", "protocol", "country", "region", "address")


class CatalogueColumns:
    """Columns of equal length, one element per server.

    Scores, marks and search texts are computed from them alone. The arrays are views that are replaced when rows are
    added: read them from here each time, never store them.
    """

    players: Floats
    """Humans playing; neither bots nor spectators."""
    bots: Floats
    spectators: Floats
    max_players: Floats
    reserved: Floats
    joinable: Floats
    """0 if the server reports that nobody can join to play."""
    closed: Floats
    """1 if nobody can join although slots are free."""
    password: Floats
    performance: Floats
    quality: Floats
    server_skill: Floats
    rookie_only: Floats
    quick_play: Floats
    """0 if the server asks not to be chosen automatically."""
    usable_slots: Floats
    """`max_players` less the reserved slots."""
    ping_ms: Floats
    """Low quantile of the last samples; NaN unless the last query was answered or the row is `saved`."""
    last_answer: Floats
    """Unix time, s."""
    steam_players: Floats
    """Players that Steam knows of, as of its list."""
    steam_counted_at: Floats
    """Unix time, s, of Steam's list."""
    last_played: Floats
    """Unix time, s, of the user's last visit."""
    described_at: Floats
    """Unix time, s, of the last list that described it."""
    score: Floats
    """As of the last `rescore`; NaN where not ranked."""
    gain: Floats
    """Seeding value, see `ranking.server_score.compute_gains`, as of the last `rescore`."""

    favourite: Bools
    blocked: Bools
    recently_left: Bools
    left_early: Bools
    """Left soon after joining; Play Now treats it as recently left for longer, the score does not."""
    password_saved: Bools
    has_user_data: Bools
    """With a note, an alert or launch arguments of the user."""
    ping_estimated: Bools
    ping_under_load: Bools
    """All samples were measured while this machine was busy; see `QueryResult.ping_measured_under_load`."""
    saved: Bools
    """Saved in an earlier run and not answered since the start."""
    described: Bools
    """Known from a list alone, see `DescribedServer`; its own reply replaces that."""
    occupied: Bools
    """Rows with a server; the others are free for new ones."""
    added_by_user: Bools
    """Typed, imported or found on the local network in this run."""

    status: Ints
    """Values of `QueryStatus`."""
    attempts: Ints
    friends: Ints
    """Friends seen in the player list."""
    constants_row: Ints
    """Row of the ranking constants that apply; see `Catalogue.ranking_constants`."""
    suspicions: Ints
    """Values of `SuspicionMark`."""
    operator: Ints
    """The same number for all servers on one effective host."""

    name: TextColumn
    map: TextColumn
    mode: TextColumn
    mode_name: TextColumn
    version: TextColumn
    game: TextColumn
    """Profile ids."""
    protocol: TextColumn
    language: TextColumn
    """Codes, separated by commas where a server names several."""
    country: TextColumn
    """Two-letter codes."""
    region: TextColumn
    """Codes of `REGION_NAMES`; they follow from the country."""
    address: TextColumn
    """`HOST:QUERYPORT`."""

    ping_samples: Floats
    """The last round trips, shape (rows, 8), newest last, NaN where there is none."""

    def __init__(self) -> None:
        self.targets: list[QueryTarget] = []
        """By row: how to query the server."""
        self.info_by_row: list[ServerInfo | None] = []
        """By row: the last reply, without players and rules of earlier ones; see `Catalogue.server_info`."""
        self.player_lists: dict[int, tuple[PlayerInfo, ...]] = {}
        """By row: the last player list, of those that ever sent one."""
        self.row_by_address: dict[Address, int] = {}
        self.row_by_name: dict[Address, int] = {}
        """Rows of servers that were found by a host name, by the address with that name."""
        self._size = 0
        self._buffers: dict[str, npt.NDArray[np.generic]] = {}
        for name, fill in _FLOAT_DEFAULTS.items():
            self._buffers[name] = np.full(64, fill)
        for name in _BOOL_COLUMNS:
            self._buffers[name] = np.zeros(64, np.bool_)
        for name in _INT_COLUMNS:
            self._buffers[name] = np.zeros(64, np.int32)
        self._buffers["ping_samples"] = np.full((64, PING_SAMPLES), np.nan)
        for name in _TEXT_COLUMNS:
            setattr(self, name, TextColumn(LANGUAGE_SEPARATOR if name == "language" else ""))
        self._share_info_buffer()
        self.grow(0)

    def __len__(self) -> int:
        return self._size

    def row_of(self, address: Address) -> int | None:
        """Return the row with this query address, or that was found by this host name."""
        row = self.row_by_address.get(address)
        return self.row_by_name.get(address) if row is None else row

    @property
    def server_count(self) -> int:
        """Number of servers, which are fewer than rows once some were dropped."""
        return len(self.row_by_address)

    @property
    def never_answered(self) -> Bools:
        """Rows that have not answered in this run and were not saved earlier.

        Free rows are among them.
        """
        mask: Bools = np.isnan(self.last_answer)
        return mask

    @property
    def full(self) -> Bools:
        """Rows without a free usable slot; unknown numbers are not full."""
        return self.full_among(slice(None))

    @property
    def closed_despite_slots(self) -> Bools:
        """Rows that nobody can join, although no number says that they are full."""
        return self.closed_among(slice(None))

    def full_among(self, rows: RowIds | slice) -> Bools:
        """Return `full` of some rows."""
        return self._unjoinable_among(rows) & ~self.closed_among(rows)

    def closed_among(self, rows: RowIds | slice) -> Bools:
        """Return `closed_despite_slots` of some rows."""
        mask: Bools = (self.closed[rows] > 0) & ~(self.players[rows] >= self.usable_slots[rows])
        return mask

    def _unjoinable_among(self, rows: RowIds | slice) -> Bools:
        return unjoinable_mask(self.players[rows], self.usable_slots[rows], self.joinable[rows] != 0)

    @property
    def free_slots(self) -> Floats:
        """Free usable slots, NaN where unknown."""
        free: Floats = np.maximum(self.usable_slots - self.players, 0.0)
        return free

    @property
    def unresponsive(self) -> Bools:
        """Rows whose last query brought no reply, or an unreadable one."""
        mask: Bools = (self.status == QueryStatus.NO_ANSWER) | (self.status == QueryStatus.MALFORMED)
        return mask

    def is_unjoinable(self, row: int) -> bool:
        """Return whether nobody can join a server now, because it is full or closed."""
        return bool(self._unjoinable_among(slice(row, row + 1))[0])

    def is_closed(self, row: int) -> bool:
        """Return `closed_despite_slots` of one row."""
        return bool(self.closed_among(slice(row, row + 1))[0])

    def is_unresponsive(self, row: int) -> bool:
        """Return `unresponsive` of one row."""
        return self.status[row] in (QueryStatus.NO_ANSWER, QueryStatus.MALFORMED)

    def grow(self, size: int) -> None:
        """Grow every column to `size` rows; new elements are unknown, False or 0."""
        if size > len(self._buffers["score"]):
            capacity = max(size, 2 * len(self._buffers["score"]))
            self._buffers = {name: _enlarged_copy(store, capacity) for name, store in self._buffers.items()}
            self._share_info_buffer()
        for name, store in self._buffers.items():
            setattr(self, name, store[:size])
        for name in _TEXT_COLUMNS:
            self.text_column(name).grow(size)
        self._size = size

    def reset_rows(self, rows: RowIds) -> None:
        """Make rows unknown, False or 0 again."""
        for store in self._buffers.values():
            store[rows] = _unknown_value(store)
        for name in _TEXT_COLUMNS:
            self.text_column(name).set(rows, [None] * len(rows))

    def _share_info_buffer(self) -> None:
        """Make the columns of `INFO_FLOATS` rows of one matrix.

        One assignment thus sets those of a reply.
        """
        self._info_matrix = np.stack([self._buffers[name] for name in INFO_FLOATS])
        self._buffers.update(zip(INFO_FLOATS, self._info_matrix, strict=True))

    def set_values(self, name: str, rows: RowIds, values: object, changed: set[str]) -> None:
        """Set numbers or flags of `rows` (None is NaN).

        Adds the column's name to `changed` if any value is new.
        """
        column = self._buffers[name]
        new = np.asarray(values, column.dtype)
        old = column[rows]
        same = (old == new) | (np.isnan(old) & np.isnan(new)) if column.dtype.kind == "f" else old == new
        if not same.all():
            column[rows] = new
            changed.add(name)

    def _set_info_values(self, rows: RowIds, values: Floats, changed: set[str]) -> None:
        """Set all `INFO_FLOATS` of `rows`, shape (columns, rows).

        Adds the names of changed columns to `changed`.
        """
        old = self._info_matrix[:, rows]
        same = ((old == values) | (np.isnan(old) & np.isnan(values))).all(axis=1)
        self._info_matrix[:, rows] = values
        changed.update(name for name, is_same in zip(INFO_FLOATS, same.tolist(), strict=True) if not is_same)

    def _set_texts(self, name: str, rows: RowIds, values: Collection[str | None], changed: set[str]) -> bool:
        """Set texts of `rows` (None is unknown).

        If any is new, adds the column's name to `changed` and returns True.
        """
        new = self.text_column(name).set(rows, values)
        if new:
            changed.add(name)
        return new

    def text_column(self, name: str) -> TextColumn:
        """Return a text column by name."""
        column = getattr(self, name)
        assert isinstance(column, TextColumn)  # noqa: S101 (only a programming error can pass a wrong name)
        return column


def _enlarged_copy(store: npt.NDArray[np.generic], capacity: int) -> npt.NDArray[np.generic]:
    grown = np.full((capacity, *store.shape[1:]), _unknown_value(store), store.dtype)
    grown[: len(store)] = store
    return grown


def _unknown_value(store: npt.NDArray[np.generic]) -> float:
    return _NAN if store.dtype.kind == "f" else 0


@dataclass(frozen=True, slots=True)
class ChangeSet:
    """Rows touched by one update, in ascending order, without repeats."""

    ids: RowIds
    """All rows that were added or queried, even if their values stayed the same."""
    added: RowIds
    """The new ones among `ids`."""
    columns: frozenset[str]
    """Names of the columns in which any value changed; a new row changes all of them."""
    removed: RowIds = field(default_factory=lambda: np.empty(0, np.intp))
    """Rows whose servers were dropped before; some may be among `added` already, with other servers."""

    @classmethod
    def empty(cls) -> "ChangeSet":
        """Return a change set without rows."""
        return cls(np.empty(0, np.intp), np.empty(0, np.intp), frozenset())

    def __bool__(self) -> bool:
        return len(self.ids) > 0
