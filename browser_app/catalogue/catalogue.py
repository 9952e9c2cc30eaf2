"""Catalogue of all known servers, merged from query results and saved servers."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
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
from browser_app.catalogue.details_budget import DetailsBudget, estimate_details_bytes
from browser_app.catalogue.list_descriptions import known_info, ping_only_rows
from browser_app.catalogue.mode_ranking import ModeRankingTable
from browser_app.catalogue.ping_samples import PingSamples, PingSpread, ping_spread, shown_ping
from browser_app.catalogue.player_trends import PlayerTrends, ServerForecasts
from browser_app.catalogue.row_allocator import batches_of_rows
from browser_app.catalogue.search_texts import SearchTexts
from browser_app.catalogue.server_info import PlayerInfo, QueryResult, SavedServer, ServerInfo
from browser_app.catalogue.server_rows import MAX_ROWS, ServerRows
from browser_app.catalogue.suspicion import current_suspicions
from browser_app.catalogue.suspicion_tracker import SuspicionTracker
from browser_app.catalogue.user_list_marks import UserListMarks
from browser_app.catalogue.user_lists import ServerMatcher, UserLists
from browser_app.diagnostics import internal_errors
from browser_app.games.game_profile import GameProfile, RankingConstants
from browser_app.protocols.address import Address
from browser_app.ranking.ranking_inputs import RankingConstantsTable, RankingInputs
from browser_app.ranking.server_score import compute_gains, compute_scores

_get_info_floats = attrgetter(*INFO_FLOATS)
_get_info_texts = attrgetter("game", *INFO_TEXTS)

_MAX_CACHED_MAPS = 4096
_Mode = tuple[str | None, str | None]
"""Code and title of a game mode; None where unknown."""


def _find_map_mode(games: Mapping[str, GameProfile], game_id: str | None, map_name: str) -> _Mode:
    game = games.get(game_id or "")
    mode = None if game is None else game.map_mode(map_name)
    return (None, None) if game is None or mode is None else (mode, game.modes[mode])


class Catalogue(CatalogueColumns):
    """All known servers.

    A failed query changes the status and removes the ping but keeps the last reply.

    Not thread-safe: one thread owns it.
    """

    def __init__(self, games: Mapping[str, GameProfile], max_rows: int = MAX_ROWS) -> None:
        super().__init__()
        self.games = games
        self._list_marks = UserListMarks(self)
        self._mode_rankings = ModeRankingTable(games)
        self.rows = ServerRows(self, self._list_marks, self._mode_rankings, self._forget_reply, max_rows)
        """Adds and drops servers."""
        self._search_texts = SearchTexts()
        self._cached_map_mode = lru_cache(_MAX_CACHED_MAPS)(partial(_find_map_mode, games))
        """Servers of one game share maps, and trying its prefixes takes a third of the time of a merge."""
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
        self._errors: dict[int, str] = {}
        self._rules_by_row: dict[int, Mapping[str, str]] = {}
        self._details_budget = DetailsBudget()
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

    def map_mode(self, row: int) -> str | None:
        """Return the mode in the column if the map's name suggests it.

        None if the server reports a mode, or the map's name suggests none.
        """
        info = self.info_by_row[row]
        return self.mode[row] or None if info is not None and info.mode is None else None

    def query_error(self, row: int) -> str | None:
        """Return why the last query failed."""
        return self._errors.get(row)

    def search_texts(self) -> Sequence[str]:
        """Return, by row, the casefolded text that search words are looked up in.

        Empty before the first reply.
        """
        return self._search_texts.update(self)

    def factors_of(self, row: int) -> dict[str, float]:
        """Return the factors of the last `rescore`, whose product is `score`.

        Empty for a row added since.
        """
        return {name: float(column[row]) for name, column in self.score_factors.items() if row < len(column)}

    @property
    def installed(self) -> Bools:
        """Rows whose game is known to be installed."""
        return self.game.matching_rows((self.installed_games or frozenset()).__contains__)

    def ping_spreads(self, rows: RowIds) -> PingSpread:
        """Return how steady the pings of these rows are.

        Unknown where the server does not answer now, and where pings are estimated or measured under load.
        """
        uncertain = self.ping_estimated[rows] | self.ping_under_load[rows] | np.isnan(self.ping_ms[rows])
        return ping_spread(np.where(uncertain[:, np.newaxis], np.nan, self.ping_samples[rows]))

    # The user's lists

    def set_user_lists(self, lists: UserLists) -> None:
        """Mark all rows by the user's lists, and from now on those that come later."""
        before = self._list_marks.countries
        self._list_marks.set_lists(lists)
        changed = {address for address, _country in before.items() ^ lists.countries.items()}
        rows = [row for address in changed if (row := self.row_of(address)) is not None]
        if rows:
            self.rows.set_countries(np.array(rows, np.intp))

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

    def row_with_key(self, key: str, home: Address) -> int | None:
        """Return the only responsive row of a stable key, or None.

        `home` is the address that the key is known from; its row does not count.
        """
        return self._list_marks.row_with_key(key, self.row_of(home))

    # Saved servers

    def restore(self, servers: Sequence[SavedServer]) -> ChangeSet:
        """Add saved servers, marked as such.

        Does not change those that have replied since the start.
        """
        all_rows, new = self.rows.find_or_add([server.target for server in servers], [True] * len(servers))
        ids = all_rows.tolist()
        fresh = {row: s for row, s in zip(ids, servers, strict=True) if row >= 0 and self.info_by_row[row] is None}
        rows = np.fromiter(fresh, np.intp, len(fresh))
        columns: set[str] = {"ping_ms", "last_answer", "saved"}
        self.merge_infos(rows, [server.info for server in fresh.values()], columns)
        pings = np.array([server.ping_ms for server in fresh.values()], np.float64)
        self.ping_ms[rows] = self.ping_samples[rows, -1] = pings
        self.last_answer[rows] = [server.last_answer for server in fresh.values()]
        self.saved[rows] = True
        self.rows.listings.add_saved({row: server.sources for row, server in fresh.items()})
        return self.rows.build_change_set(rows, new, columns)

    def saved_servers(self, rows: Iterable[int]) -> list[SavedServer]:
        """Return those of `rows` that ever replied, in the form in which they are saved."""
        answered = [(row, info) for row in rows if (info := self.info_by_row[row]) and self.last_answer[row] > 0]
        ids = np.array([row for row, _ in answered], np.intp)
        pings, sources = shown_ping(self.ping_samples[ids]).tolist(), self.rows.listings.sources_of(ids)
        return [
            SavedServer(
                self.targets[row], info, ping if ping == ping else None, float(self.last_answer[row]), listed_by
            )
            for (row, info), ping, listed_by in zip(answered, pings, sources, strict=True)
        ]

    # Query results

    def merge(self, results: Sequence[QueryResult]) -> ChangeSet:
        """Merge query results in the order of arrival; unknown servers are added."""
        rows, new = self.rows.find_or_add(
            [result.target for result in results], [each.info is not None for each in results]
        )
        all_rows = [(row, result) for row, result in zip(rows.tolist(), results, strict=True) if row >= 0]
        columns: set[str] = set()
        for batch in batches_of_rows(all_rows):
            self._merge_or_report(batch, columns)
        return self.rows.build_change_set(rows[rows >= 0], new, columns)

    def _merge_or_report(self, batch: Mapping[int, QueryResult], columns: set[str]) -> None:
        """Merge a batch; leave out the results that cause an internal error."""
        try:
            self._merge_batch(batch, columns)
        except Exception:  # noqa: BLE001 (our own bug with one server must not lose the others)
            if len(batch) > 1:
                for row, result in batch.items():
                    self._merge_or_report({row: result}, columns)
                return
            internal_errors.report("merging a server's info", *(result.target.address for result in batch.values()))

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
        infos = [known_info(self, row, result) for row, result in zip(rows.tolist(), results, strict=True)]
        self.merge_infos(rows, infos, columns)
        self.set_values("saved", rows, False, columns)
        self.set_values("described", rows, self.described[rows] & ping_only_rows(results), columns)

    def _merge_pings(self, rows: RowIds, results: Sequence[QueryResult], columns: set[str]) -> None:
        known = PingSamples(self.ping_samples[rows], self.ping_estimated[rows], self.ping_under_load[rows])
        pings = known.with_results(results, self.saved[rows])
        self.ping_samples[rows] = pings.samples
        self.set_values("ping_estimated", rows, pings.estimated, columns)
        self.set_values("ping_under_load", rows, pings.under_load, columns)
        self.set_values("ping_ms", rows, shown_ping(pings.samples), columns)

    def merge_infos(self, rows: RowIds, infos: Sequence[ServerInfo], columns: set[str]) -> None:
        """Store the info of servers; add the names of changed columns to `columns`."""
        if not len(rows):
            return
        values = chain.from_iterable(map(_get_info_floats, infos))
        numbers = np.fromiter(values, np.float64, len(infos) * len(INFO_FLOATS)).reshape(len(infos), -1)
        self._set_info_values(rows, numbers.T, columns)
        usable = self.max_players[rows] - np.nan_to_num(self.reserved[rows])
        self.set_values("usable_slots", rows, np.maximum(usable, 0.0), columns)
        texts = dict(zip(("game", *INFO_TEXTS), zip(*map(_get_info_texts, infos), strict=True), strict=True))
        if None in texts["mode"]:
            texts["mode"], texts["mode_name"] = zip(*map(self._mode_of, infos), strict=True)
        other = {name for name, values in texts.items() if self._set_texts(name, rows, values, columns)}
        if "game" in other or "mode" in other:
            self._mode_rankings.update_rows(self, rows, columns)
        self._store_details(rows.tolist(), infos)
        self._suspicion_tracker.update(rows, infos, columns)
        self._drop_details(rows.tolist())
        self._list_marks.apply(rows, columns)

    def _mode_of(self, info: ServerInfo) -> _Mode:
        """Return the mode as reported, else as the map's name suggests."""
        return self._cached_map_mode(info.game, info.map) if info.mode is None else (info.mode, info.mode_name)

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
        self._search_texts.mark_stale(rows)

    def _drop_details(self, new: Sequence[int]) -> None:
        """Drop old details on the hosts whose new replies exceed their budget."""
        for row in new:
            info = self.info_by_row[row]
            files = None if info is None else info.game_files
            size = estimate_details_bytes(self.player_lists.get(row, ()), self._rules_by_row.get(row, {}), files)
            for lost in self._details_budget.store(row, self.targets[row].address.host, size):
                info = self.info_by_row[lost]
                if info is not None:
                    self.info_by_row[lost] = replace(info, player_list=None, rules=None, game_files=None)
                self._forget_details(lost)

    def _forget_details(self, row: int) -> None:
        self._search_texts.mark_stale([row])
        self.player_lists.pop(row, None)
        self._rules_by_row.pop(row, None)
        self._suspicion_tracker.forget(row)
        self._details_budget.forget(row)

    def _forget_reply(self, row: int) -> None:
        self._errors.pop(row, None)
        info = self.info_by_row[row]
        if info is None:
            return
        self._list_marks.set_stable_key(row, info.stable_key, None)
        self.info_by_row[row] = None
        self._forget_details(row)

    # History

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
