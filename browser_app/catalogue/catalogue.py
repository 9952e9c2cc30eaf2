"""Catalogue of all known servers, merged from query results and saved servers."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from operator import attrgetter

import numpy as np

from browser_app.catalogue.catalogue_columns import (
    INFO_FLOATS,
    INFO_TEXTS,
    Bools,
    CatalogueColumns,
    ChangeSet,
    Floats,
    RowIds,
)
from browser_app.catalogue.geography import countries_of_hosts
from browser_app.catalogue.mode_ranking import ModeRankingTable
from browser_app.catalogue.player_trends import PlayerTrends, ServerForecasts
from browser_app.catalogue.server_info import PlayerInfo, QueryResult, QueryTarget, SavedServer, ServerInfo
from browser_app.catalogue.suspicion import current_suspicions
from browser_app.catalogue.suspicion_tracker import SuspicionTracker
from browser_app.catalogue.user_list_marks import UserListMarks
from browser_app.catalogue.user_lists import ServerMatcher, UserLists
from browser_app.games.game_profile import GameProfile, RankingConstants
from browser_app.protocols.address import Address
from browser_app.ranking.ranking_inputs import RankingConstantsTable, RankingInputs
from browser_app.ranking.server_score import compute_gains, compute_scores


def shown_ping(samples: Floats) -> Floats:
    """Return the ping to show for each row of `samples`.

    Its shape is rows × n, NaN where there is none.

    The lowest of up to four samples, the lower quartile of more: delays on the way only lengthen a round trip, an error
    can shorten one, and one error must not persist. NaN for a row without samples.
    """
    ordered = np.sort(samples, axis=1)  # NaN sorts last
    count = np.count_nonzero(~np.isnan(samples), axis=1)
    shown: Floats = ordered[np.arange(len(samples)), np.maximum(count - 1, 0) // 4]
    return shown


def append_sample(samples: Floats, pings: Floats) -> Floats:
    """Return `samples` with one new ping per row appended and the oldest one dropped."""
    return np.concatenate([samples[:, 1:], pings[:, np.newaxis]], axis=1)


def format_search_text(info: ServerInfo, players: Sequence[PlayerInfo]) -> str:
    """Return name, map, mode, tags and player names, casefolded.

    Each is on a line of its own, so that no match spans two.
    """
    lines = [info.name, info.map, info.mode or "", info.mode_name or "", *info.tags]
    if players:
        lines += [player.name for player in players]
    return "\n".join(lines).casefold()


MAX_ROWS = 200_000
"""Limits what a hostile master server can make us store; more than any game's masters ever listed."""

_get_address = attrgetter("address")
_get_info_floats = attrgetter(*INFO_FLOATS)
_get_info_texts = attrgetter("game", *INFO_TEXTS)


class Catalogue(CatalogueColumns):
    """All known servers.

    A row never moves and is never removed, so its index is the server's id; there is one row per query address. A
    failed query changes the status and removes the ping but keeps the last reply.

    Not thread-safe: one thread owns it.
    """

    def __init__(self, games: Mapping[str, GameProfile], max_rows: int = MAX_ROWS) -> None:
        super().__init__()
        self.games = games
        self.rejected_count = 0
        """Targets rejected because the catalogue was full."""
        self._search_texts: list[str] = []
        self._stale_search_rows: set[int] = set()
        """Rows whose search text is older than their last reply."""
        self.score_factors: dict[str, Floats] = {}
        """Factors of the score by name, as of the last `rescore`: shorter than the columns if rows were added since."""
        self.last_ranking_inputs: RankingInputs | None = None
        """Inputs of the last `rescore`."""
        self.trends = PlayerTrends()
        self.forecasts = ServerForecasts()
        self.use_forecast = False
        """True makes the expected players in half an hour a factor of the score."""
        self.own_country = ""
        """Two-letter code of the user's country; empty if unknown."""
        self.installed_games: frozenset[str] | None = None
        """Ids of the games that can be started on this machine; None while unknown."""
        self._max_rows = max_rows
        self._list_marks = UserListMarks(self)
        self._errors: dict[int, str] = {}
        self._rules_by_row: dict[int, Mapping[str, str]] = {}
        self._mode_rankings = ModeRankingTable(games)
        self._operator_ids: dict[str, int] = {}
        self._suspicion_tracker = SuspicionTracker(self)

    # Single servers

    def server_info(self, row: int) -> ServerInfo | None:
        """Return the last reply, None before the first one.

        If it came without players or rules, the last known ones are filled in.
        """
        info = self.info_by_row[row]
        if info is None or (info.player_list is not None and info.rules is not None):
            return info
        players, rules = self.player_lists.get(row), self._rules_by_row.get(row)
        if players is info.player_list and rules is info.rules:
            return info
        return replace(info, player_list=players, rules=rules)

    def current_players(self, row: int) -> Sequence[PlayerInfo] | None:
        """Return the players as of the last reply.

        None if it does not name them, or before the first one.
        """
        info = self.info_by_row[row]
        if info is None:
            return None
        return () if info.player_list is None and info.is_empty else info.player_list

    def query_error(self, row: int) -> str | None:
        """Return why the last query failed."""
        return self._errors.get(row)

    def search_texts(self) -> Sequence[str]:
        """Return, by row, the casefolded text that search words are looked up in.

        Empty before the first reply.
        """
        for row in self._stale_search_rows:
            info = self.info_by_row[row]
            if info is not None:
                self._search_texts[row] = format_search_text(info, self.player_lists.get(row, ()))
        self._stale_search_rows.clear()
        return self._search_texts

    def factors_of(self, row: int) -> dict[str, float]:
        """Return the factors of the last `rescore`, whose product is `score`.

        Empty for a row added since.
        """
        return {name: float(column[row]) for name, column in self.score_factors.items() if row < len(column)}

    @property
    def installed(self) -> Bools:
        """Rows whose game is known to be installed."""
        return self.game.matching_rows((self.installed_games or frozenset()).__contains__)

    # The user's lists

    def set_user_lists(self, lists: UserLists) -> None:
        """Mark all rows by the user's lists, and from now on those that come later."""
        self._list_marks.set_lists(lists)

    def note_of(self, row: int) -> str:
        """Return the user's note; empty where there is none."""
        return self._list_marks.note_of(row)

    def notes(self) -> Iterator[tuple[int, str]]:
        """Yield rows with a note, and the note."""
        return self._list_marks.notes()

    def friend_group_of(self, player: PlayerInfo) -> str | None:
        """Return the group of friends of this player, None for bots and players in none."""
        return self._list_marks.friend_group_of(player)

    def matching_rows(self, matcher: ServerMatcher) -> Bools:
        """Return the rows that a list would mark, apart from its stable keys."""
        return self._list_marks.matching_rows(matcher)

    # New servers

    def add(self, targets: Sequence[QueryTarget]) -> RowIds:
        """Return the rows of these servers, adding new ones.

        The row is −1 for a new server if the catalogue is full.

        A server that never replied takes the protocol and game of the newer target.
        """
        first = len(self.targets)
        rows = [*map(self._row_by_address.get, map(_get_address, targets))]
        for index, (row, target) in enumerate(zip(rows, targets, strict=True)):
            if row is None or self.info_by_row[row] is None:
                rows[index] = self._row_for(target)
        if len(self.targets) > first:
            self._fill_new_rows(first)
        return np.array(rows, np.intp)

    def _row_for(self, target: QueryTarget) -> int:
        row = self._row_by_address.get(target.address)
        if row is not None:
            if (row >= len(self) or self.info_by_row[row] is None) and target != self.targets[row]:
                self.targets[row] = target
                if row < len(self):
                    self._set_target_texts(np.array([row]), [target])
            return row
        row = len(self.targets)
        if row >= self._max_rows:
            self.rejected_count += 1
            return -1
        self._row_by_address[target.address] = row
        self.targets.append(target)
        return row

    def _fill_new_rows(self, first: int) -> None:
        new = self.targets[first:]
        self.info_by_row += [None] * len(new)
        self._search_texts += [""] * len(new)
        self._grow(len(self.targets))
        rows = np.arange(first, len(self.targets))
        self._set_target_texts(rows, new)
        self.address.set(rows, [str(target.address) for target in new])
        hosts = [target.address.host for target in new]
        self.country.set(rows, countries_of_hosts(hosts))
        self.operator[rows] = [self._operator_ids.setdefault(host, len(self._operator_ids)) for host in hosts]
        self._list_marks.apply(rows, set())

    def _set_target_texts(self, rows: RowIds, targets: Sequence[QueryTarget]) -> None:
        self.protocol.set(rows, [target.protocol for target in targets])
        self.game.set(rows, [target.game for target in targets])
        self._set_mode_rankings(rows, set())

    def restore(self, servers: Sequence[SavedServer]) -> ChangeSet:
        """Add servers saved in an earlier run as old.

        Does not change those that have replied since the start.
        """
        first = len(self)
        ids = self.add([server.target for server in servers]).tolist()
        fresh = {row: s for row, s in zip(ids, servers, strict=True) if row >= 0 and self.info_by_row[row] is None}
        rows = np.fromiter(fresh, np.intp, len(fresh))
        columns: set[str] = {"ping_ms", "last_answer", "old"}
        self._merge_infos(rows, [server.info for server in fresh.values()], columns)
        pings = np.array([server.ping_ms for server in fresh.values()], np.float64)
        self.ping_ms[rows] = self.ping_samples[rows, -1] = pings
        self.last_answer[rows] = [server.last_answer for server in fresh.values()]
        self.old[rows] = True
        moved = self._list_marks.update_moved_rows(columns)
        return _change_set(np.concatenate((rows, moved)), first, columns)

    def saved_servers(self, rows: Iterable[int]) -> list[SavedServer]:
        """Return those of `rows` that ever replied, in the form in which they are saved."""
        answered = [(row, info) for row in rows if (info := self.info_by_row[row]) is not None]
        pings = shown_ping(self.ping_samples[[row for row, _ in answered]]).tolist()
        return [
            SavedServer(self.targets[row], info, ping if ping == ping else None, float(self.last_answer[row]))
            for (row, info), ping in zip(answered, pings, strict=True)
        ]

    # Query results

    def merge(self, results: Sequence[QueryResult]) -> ChangeSet:
        """Merge query results in the order of arrival; unknown servers are added."""
        first = len(self)
        rows = self.add([result.target for result in results])
        placed = [(row, result) for row, result in zip(rows.tolist(), results, strict=True) if row >= 0]
        columns: set[str] = set()
        for batch in _batches_without_repeats(placed):
            self._merge_batch(batch, columns)
        moved = self._list_marks.update_moved_rows(columns)
        return _change_set(np.concatenate((rows[rows >= 0], moved)), first, columns)

    def _merge_batch(self, batch: Mapping[int, QueryResult], columns: set[str]) -> None:
        rows = np.fromiter(batch, np.intp, len(batch))
        self.set_values("status", rows, [result.status for result in batch.values()], columns)
        self.set_values("attempts", rows, [result.attempts for result in batch.values()], columns)
        good = {row: result for row, result in batch.items() if result.info is not None}
        for row in self._errors.keys() & good.keys():
            del self._errors[row]
        if len(good) < len(batch):
            errors = {row: result.error or "" for row, result in batch.items() if result.info is None}
            self._errors |= errors
            self.set_values("ping_ms", np.fromiter(errors, np.intp, len(errors)), np.nan, columns)
        if good:
            self._merge_answered(np.fromiter(good, np.intp, len(good)), list(good.values()), columns)

    def _merge_answered(self, rows: RowIds, results: Sequence[QueryResult], columns: set[str]) -> None:
        for row, result in zip(rows.tolist(), results, strict=True):
            target, game = result.target, result.info.game if result.info is not None else None
            self.targets[row] = target if game is None or game == target.game else target._replace(game=game)
        self.protocol.set(rows, [result.target.protocol for result in results])
        self._merge_pings(rows, results, columns)
        self.last_answer[rows] = [result.received_at for result in results]
        self._merge_infos(rows, [result.info for result in results if result.info is not None], columns)
        self.set_values("old", rows, False, columns)

    def _merge_pings(self, rows: RowIds, results: Sequence[QueryResult], columns: set[str]) -> None:
        """Append the new samples.

        A measured one replaces saved and estimated ones and is never mixed with them.
        """
        pings = np.array([result.ping_ms for result in results], np.float64)
        estimated = np.array([result.ping_estimated for result in results])
        samples = self.ping_samples[rows]
        proven = ~self.ping_estimated[rows] & ~self.old[rows] & ~np.isnan(samples[:, -1])
        samples[~proven & ~estimated | self.old[rows]] = np.nan
        take, none = ~np.isnan(pings) & ~(proven & estimated), np.isnan(samples[:, -1])
        loaded = np.array([result.ping_measured_under_load for result in results]) | ~take
        loaded &= self.ping_loaded[rows] & ~none | take & none
        samples = np.where(take[:, np.newaxis], append_sample(samples, pings), samples)
        self.ping_samples[rows] = samples
        self.set_values("ping_estimated", rows, estimated & ~proven, columns)
        self.set_values("ping_loaded", rows, loaded, columns)
        self.set_values("ping_ms", rows, shown_ping(samples), columns)

    def _merge_infos(self, rows: RowIds, infos: Sequence[ServerInfo], columns: set[str]) -> None:
        if not len(rows):
            return
        values = chain.from_iterable(map(_get_info_floats, infos))
        numbers = np.fromiter(values, np.float64, len(infos) * len(INFO_FLOATS)).reshape(len(infos), -1)
        self._set_info_values(rows, numbers.T, columns)
        usable = self.max_players[rows] - np.nan_to_num(self.reserved[rows])
        self.set_values("usable_slots", rows, np.maximum(usable, 0.0), columns)
        texts = dict(zip(("game", *INFO_TEXTS), zip(*map(_get_info_texts, infos), strict=True), strict=True))
        other = {name for name, values in texts.items() if self._set_texts(name, rows, values, columns)}
        if "game" in other or "mode" in other:
            self._set_mode_rankings(rows, columns)
        self._store_details(rows.tolist(), infos)
        self._suspicion_tracker.update(rows, infos, columns)
        self._list_marks.apply(rows, columns)

    def _set_mode_rankings(self, rows: RowIds, columns: set[str]) -> None:
        """Set the row of the ranking constants, which depends on game and mode."""
        game_modes = list(zip(self.game.texts_of(rows), self.mode.texts_of(rows), strict=True))
        index_by_mode = {each: self._mode_rankings.index_of(*each) for each in dict.fromkeys(game_modes)}
        self.set_values("constants_row", rows, [index_by_mode[each] for each in game_modes], columns)

    def _store_details(self, rows: Sequence[int], infos: Sequence[ServerInfo]) -> None:
        for row, each in zip(rows, infos, strict=True):
            before = self.info_by_row[row]
            key = before.stable_key if before is not None else None
            if key != each.stable_key:
                self._list_marks.set_stable_key(row, key, each.stable_key)
            self.info_by_row[row] = each
            if each.player_list is not None:
                self.player_lists[row] = each.player_list
            elif row in self.player_lists and each.is_empty:
                self.player_lists[row] = ()  # those of the earlier list have left
            if each.rules is not None:
                self._rules_by_row[row] = each.rules
        self._stale_search_rows.update(rows)

    def set_steam_counts(self, players: Mapping[Address, int], counted_at: float) -> None:
        """Store how many players Steam listed by query address at a Unix time, s.

        Unknown servers are skipped.
        """
        known = {
            row: count for address, count in players.items() if (row := self._row_by_address.get(address)) is not None
        }
        rows = np.fromiter(known, np.intp, len(known))
        self.steam_players[rows] = list(known.values())
        self.steam_counted_at[rows] = counted_at

    # History

    def player_changes(self) -> Floats:
        """Return by row how many more play now than up to six hours ago.

        NaN where unknown.
        """
        return self.trends.changes(np.arange(len(self)))

    def forecast_players(self) -> Floats:
        """Return by row the players expected in half an hour.

        NaN where there is no forecast.
        """
        return self.forecasts.forecasts_of(np.arange(len(self))).players

    # Scores

    def ranking_inputs(self, player_skill: Mapping[str, float] | None = None) -> RankingInputs:
        """Return all rows as inputs of the score.

        `player_skill` is the user's own by game id, in the game's points.
        """
        likely = self.forecast_players() if self.use_forecast else None
        return self._mode_rankings.ranking_inputs(self, player_skill or {}, likely)

    def ranking_constants(self, preset: RankingConstants | None = None) -> RankingConstantsTable:
        """Return the constants that the column `constants_row` refers to.

        `preset` replaces every game's own.
        """
        return self._mode_rankings.constants(preset)

    def rescore(self, player_skill: Mapping[str, float] | None = None, preset: RankingConstants | None = None) -> None:
        """Recompute score, gain, factors and suspicions of all rows."""
        inputs, table = self.ranking_inputs(player_skill), self.ranking_constants(preset)
        scores = compute_scores(inputs, table)
        self.score[:] = scores.total
        self.gain[:] = compute_gains(inputs, table, scores.factors)
        self.suspicions[:] = current_suspicions(self, self.own_country, self.games)
        self.score_factors = scores.factors
        self.last_ranking_inputs = inputs
        self.search_texts()  # now, so that typing in the filter field does not have to wait for it


def _batches_without_repeats(pairs: Sequence[tuple[int, QueryResult]]) -> Iterator[dict[int, QueryResult]]:
    """Yield batches that contain each row once, in order.

    More than one only if a server replied more than once.
    """
    while pairs:
        batch: dict[int, QueryResult] = {}
        again = [(row, result) for row, result in pairs if batch.setdefault(row, result) is not result]
        yield batch
        pairs = again


def _change_set(rows: RowIds, first: int, columns: set[str]) -> ChangeSet:
    ids = np.sort(rows)
    ids = ids[np.diff(ids, prepend=-1) > 0]  # `np.unique` would import numpy.ma, which delays the first result by 30 ms
    return ChangeSet(ids, ids[ids >= first], frozenset(columns))
