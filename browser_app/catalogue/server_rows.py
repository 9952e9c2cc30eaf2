"""Rows of the catalogue: new, listed and dropped servers."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import attrgetter

import numpy as np

from browser_app.catalogue.catalogue_columns import INFO_TEXTS, Bools, CatalogueColumns, ChangeSet, RowIds
from browser_app.catalogue.mode_ranking import ModeRankingTable
from browser_app.catalogue.places.geography import countries_of_hosts
from browser_app.catalogue.places.regions import region_of_country
from browser_app.catalogue.row_allocator import RowAllocator
from browser_app.catalogue.server_info import QueryTarget
from browser_app.catalogue.source_listings import SourceListings
from browser_app.catalogue.user_list_marks import UserListMarks
from browser_app.protocols.address import Address
from browser_app.protocols.effective_host import effective_host
from browser_app.protocols.server_code import address_text

MAX_ROWS = 200_000
"""Limits what a hostile master server can make us store; more than any game's masters ever listed."""

_MIN_FREED_ROWS = 1024
"""Least rows freed at once in a full catalogue."""
_MAX_UNUSED_OPERATORS = 1024
_DROP_CHANGES = ("status", "last_answer", *INFO_TEXTS)
"""Columns that change when servers are dropped."""
_get_address = attrgetter("address")


class ServerRows:
    """Adds servers to a catalogue, one row per query address, and drops them.

    A row never moves, so its index is the server's id. Rows whose servers are dropped are free for other servers.
    """

    def __init__(
        self,
        columns: CatalogueColumns,
        marks: UserListMarks,
        mode_rankings: ModeRankingTable,
        forget_reply: Callable[[int], None],
        max_rows: int,
    ) -> None:
        """Create no rows yet.

        Args:
            columns: the values by row.
            marks: those of the user's lists.
            mode_rankings: the ranking constants of each game and mode.
            forget_reply: called with each row whose server is about to be dropped.
            max_rows: the most there can be.
        """
        self._columns, self._marks, self._mode_rankings = columns, marks, mode_rankings
        self._forget_reply = forget_reply
        self.listings = SourceListings()
        """Which sources listed which rows."""
        self.in_use: Callable[[], Iterable[int]] = tuple
        """Returns rows whose servers are not dropped now, such as the selected one."""
        self.find_countries: Callable[[Sequence[str]], Sequence[str]] = countries_of_hosts
        """Returns the countries of hosts, as `countries_of_hosts`."""
        self._allocator = RowAllocator(max_rows)
        self._removed_rows: list[int] = []
        """Rows whose servers were dropped since the last change set."""
        self._operator_ids: dict[str, int] = {}

    # New servers

    def add(self, targets: Sequence[QueryTarget]) -> RowIds:
        """Return the rows of these servers, which the user named, adding new ones.

        The row is −1 for a new server if the catalogue is full of servers that answer or are the user's own. A server
        that never replied takes the protocol and game of the newer target.
        """
        rows, _new = self.find_or_add(targets, [True] * len(targets))
        self._columns.added_by_user[rows[rows >= 0]] = True
        return rows

    def find_or_add(self, targets: Sequence[QueryTarget], is_important: Sequence[bool]) -> tuple[RowIds, RowIds]:
        """Return the rows of these servers, −1 where none is free, and the new ones.

        In a full catalogue, those that are important take the rows of unresponsive servers.
        """
        rows = [*map(self._columns.row_of, map(_get_address, targets))]
        missing_targets: dict[Address, tuple[QueryTarget, bool]] = {}
        for row, target, important in zip(rows, targets, is_important, strict=True):
            if row is None:
                missing_targets[target.address] = (
                    target,
                    important or missing_targets.get(target.address, (target, False))[1],
                )
            elif self._columns.info_by_row[row] is None and (important or self._marks.may_retarget(row, target)):
                self._replace_target(row, target)
        new = self._add_new(missing_targets, rows) if missing_targets else np.empty(0, np.intp)
        if len(new):
            rows = [*map(self._columns.row_of, map(_get_address, targets))]
        return np.array([-1 if row is None else row for row in rows], np.intp), new

    def _add_new(
        self, missing_targets: Mapping[Address, tuple[QueryTarget, bool]], batch: Iterable[int | None]
    ) -> RowIds:
        """Return new rows of those servers for which a row is free, important ones first."""
        targets = [target for target, _important in missing_targets.values()]
        if len(targets) > self._allocator.available:
            important_count = sum(important for _target, important in missing_targets.values())
            self._free_rows(important_count - self._allocator.available, batch)
            ordered = sorted(missing_targets.values(), key=lambda each: not each[1])
            targets = [target for target, _important in ordered[: self._allocator.available]]
        rows = self._allocator.allocate(len(targets))
        self._fill_rows(rows, targets)
        return rows

    def _free_rows(self, missing: int, batch: Iterable[int | None]) -> None:
        """Drop unresponsive servers, those that never answered first; none in `batch`."""
        for droppable in (self._columns.never_answered, self._columns.unresponsive):
            if missing > 0:
                dropped = self._droppable_rows(droppable)
                dropped[[row for row in batch if row is not None]] = False
                rows = np.flatnonzero(dropped)[: max(missing, _MIN_FREED_ROWS)]
                self.drop(rows)
                missing -= len(rows)

    def _replace_target(self, row: int, target: QueryTarget) -> None:
        if target != self._columns.targets[row] and self._columns.row_by_address.get(target.address) == row:
            self._columns.targets[row] = target
            self._set_target_texts(np.array([row]), [target])

    def _fill_rows(self, rows: RowIds, targets: Sequence[QueryTarget]) -> None:
        missing = self._allocator.size - len(self._columns.targets)
        self._columns.targets += targets[len(targets) - missing :]
        self._columns.info_by_row += [None] * missing
        self._columns.grow(self._allocator.size)
        self._columns.occupied[rows] = True
        self._set_targets(rows, targets)

    def _set_targets(self, rows: RowIds, targets: Sequence[QueryTarget]) -> None:
        """Set the servers of rows, with all columns that follow from their addresses."""
        for row, target in zip(rows.tolist(), targets, strict=True):
            self._columns.targets[row] = target
            self._columns.row_by_address[target.address] = row
        self._set_target_texts(rows, targets)
        self._columns.address.set(rows, [address_text(target.address) for target in targets])
        hosts = [target.address.host for target in targets]
        self.set_countries(rows)
        operators = [effective_host(host).host for host in hosts]
        self._columns.operator[rows] = [
            self._operator_ids.setdefault(each, len(self._operator_ids)) for each in operators
        ]
        self._marks.apply(rows, set())

    def set_found_target(self, named: Address, target: QueryTarget) -> None:
        """Give a server known by its host name alone the address found for it.

        Its row stays. Where another row has that address, the one with the name is dropped, unless it is in use.
        """
        row, found = self._columns.row_by_address.get(named), self._columns.row_by_address.get(target.address)
        if row is None or row == found or self._columns.info_by_row[row] is not None:
            return
        if found is None:
            del self._columns.row_by_address[named]
            self._columns.row_by_name[named] = row
            self._set_targets(np.array([row]), [target])
            return
        self._columns.added_by_user[found] |= self._columns.added_by_user[row]
        self._columns.added_by_user[row] = False
        self._columns.row_by_name[named] = found
        if row not in self.in_use():
            self.drop(np.array([row]))

    def is_country_corrected(self, row: int) -> bool:
        """Return whether the user set the country of a server."""
        return self._columns.targets[row].address in self._marks.countries

    def set_countries(self, rows: RowIds) -> None:
        """Set the countries of servers: as corrected by the user, else by their addresses."""
        addresses = [self._columns.targets[row].address for row in rows.tolist()]
        countries = self.find_countries([address.host for address in addresses])
        if corrected := self._marks.countries:
            countries = [corrected.get(each, found) for each, found in zip(addresses, countries, strict=True)]
        self._columns.country.set(rows, countries)
        self._columns.region.set(rows, [*map(region_of_country, countries)])

    def _set_target_texts(self, rows: RowIds, targets: Sequence[QueryTarget]) -> None:
        self._columns.protocol.set(rows, [target.protocol for target in targets])
        self._columns.game.set(rows, [target.game for target in targets])
        self._mode_rankings.update_rows(self._columns, rows, set())

    # Servers that are not polled any more

    def polled_targets(self) -> list[QueryTarget]:
        """Return how to query those servers that are queried whoever lists them.

        These have answered before or are the user's own. Silent ones are also looked up again by their host names: they
        may have moved.
        """
        polled = self._columns.occupied & (~self._columns.never_answered | self._marks.own_rows())
        targets = [self._columns.targets[row] for row in np.flatnonzero(polled).tolist()]
        unresponsive = (
            self._columns.targets[row] for row in np.flatnonzero(polled & self._columns.unresponsive).tolist()
        )
        by_name = [each._replace(address=each.named_address, host_name="") for each in unresponsive if each.host_name]
        return targets + by_name

    def set_listing(self, source: int, rows: RowIds, *, is_complete: bool) -> None:
        """Store what a source (see `source_id`) lists now.

        An incomplete list only adds servers that have answered.
        """
        answered = ~self._columns.never_answered
        if is_complete:
            self.listings.replace(source, rows, answered)
        else:
            self.listings.add(source, rows[answered[rows]])

    def unlisted_rows(self) -> RowIds:
        """Return the rows of servers to drop.

        No source lists them, and they never answered or were listed only by sources that are switched off. None is the
        user's own or in use.
        """
        size = len(self._columns)
        unwanted = self._columns.never_answered | self.listings.switched_off_rows(size)
        return np.flatnonzero(self._droppable_rows(unwanted & ~self.listings.listed_rows(size)))

    def _droppable_rows(self, rows: Bools) -> Bools:
        droppable: Bools = rows & self._columns.occupied & ~self._marks.own_rows()
        droppable[[*self.in_use()]] = False
        return droppable

    def drop(self, rows: RowIds) -> None:
        """Drop the servers of these rows; the next change set names the rows."""
        for row in rows.tolist():
            self._forget_reply(row)
            del self._columns.row_by_address[self._columns.targets[row].address]
        dropped = set(rows.tolist())
        self._columns.row_by_name = {name: row for name, row in self._columns.row_by_name.items() if row not in dropped}
        self._columns.reset_rows(rows)
        self.listings.clear(rows)
        self._allocator.release(rows)
        self._removed_rows += rows.tolist()
        if len(self._operator_ids) > 2 * len(self._columns) + _MAX_UNUSED_OPERATORS:
            self._renumber_operators()

    def drop_unlisted(self, limit: int) -> ChangeSet:
        """Drop at most `limit` of the `unlisted_rows`; repeat until nothing is dropped."""
        self.drop(self.unlisted_rows()[:limit])
        return self.build_change_set(np.empty(0, np.intp), np.empty(0, np.intp), set(_DROP_CHANGES))

    def _renumber_operators(self) -> None:
        """Forget hosts without a server, so that ever new ones do not fill the memory."""
        rows = np.flatnonzero(self._columns.occupied)
        operators = [effective_host(self._columns.targets[row].address.host).host for row in rows.tolist()]
        self._operator_ids = {each: index for index, each in enumerate(dict.fromkeys(operators))}
        self._columns.operator[rows] = [self._operator_ids[each] for each in operators]

    # Change sets

    def build_change_set(self, rows: RowIds, new: RowIds, columns: set[str]) -> ChangeSet:
        """Update the marks by stable keys; return the change set of an update.

        Called by the modules that update the catalogue.
        """
        marked = self._marks.update_rows_by_key(columns)
        removed, self._removed_rows = self._removed_rows, []
        ids = _sorted_rows([*rows.tolist(), *marked.tolist(), *removed])
        return ChangeSet(ids, _sorted_rows(new.tolist()), frozenset(columns), _sorted_rows(removed))


def _sorted_rows(rows: Iterable[int]) -> RowIds:
    return np.array(sorted(set(rows)), np.intp)
