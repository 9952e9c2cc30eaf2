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
from browser_app.catalogue.suspicion import (
    SharedPlayerLists,
    SuspicionMark,
    is_dual_stack_pair,
    rows_with_impossible_ping,
    suspicions_of,
)
from browser_app.catalogue.user_list_marks import UserListMarks
from browser_app.catalogue.user_lists import ServerMatcher, UserLists
from browser_app.games.game_profile import GameProfile, RankingConstants
from browser_app.ranking.ranking_inputs import RankingConstantsTable, RankingInputs
from browser_app.ranking.server_score import compute_gains, compute_scores


def shown_ping(samples: Floats) -> Floats:
    """The ping to show for each row of `samples` (shape rows × n, NaN where there is none).

    With up to four samples the lowest, with more the lower quarter: a round trip can be lengthened by anything on its
    way but shortened only by an error, and one error must not stand for long. NaN for a row without samples.
    """
    ordered = np.sort(samples, axis=1)  # NaN goes last
    count = np.count_nonzero(~np.isnan(samples), axis=1)
    shown: Floats = ordered[np.arange(len(samples)), np.maximum(count - 1, 0) // 4]
    return shown


def append_sample(samples: Floats, pings: Floats) -> Floats:
    """`samples` with one new ping a row at the end and the oldest one gone."""
    return np.concatenate([samples[:, 1:], pings[:, np.newaxis]], axis=1)


def format_search_text(info: ServerInfo, players: Sequence[PlayerInfo]) -> str:
    """Name, map, mode, tags and player names in one casefolded text, a line each so that no word spans two."""
    lines = [info.name, info.map, info.mode or "", info.mode_name or "", *info.tags]
    if players:
        lines += [player.name for player in players]
    return "\n".join(lines).casefold()


MAX_ROWS = 200_000
"""What a hostile master can make us keep; more than any game's masters ever listed."""

_get_address = attrgetter("address")
_get_info_floats = attrgetter(*INFO_FLOATS)
_get_info_texts = attrgetter("game", *INFO_TEXTS)


class Catalogue(CatalogueColumns):
    """The directory of servers.

    Kept true: a row never moves and never vanishes, so its index is the server's id; one row an address; a failed
    question changes the status and takes the ping away but keeps the facts of the last answer.

    Not thread-safe: one thread owns it.
    """

    def __init__(self, games: Mapping[str, GameProfile], max_rows: int = MAX_ROWS) -> None:
        super().__init__()
        self.games = games
        self.rejected_count = 0
        """Targets that found no room."""
        self._search_texts: list[str] = []
        self._stale_search_rows: set[int] = set()
        """Rows whose search text is older than their answer."""
        self.score_factors: dict[str, Floats] = {}
        """The score's factors by name, as of the last `rescore`: shorter than the columns if rows were added since."""
        self.last_ranking_inputs: RankingInputs | None = None
        """What the last `rescore` scored."""
        self.trends = PlayerTrends()
        self.forecasts = ServerForecasts()
        self.use_forecast = False
        """What is likely in half an hour is a factor of the score."""
        self.own_country = ""
        """Two-letter code of where the user is; empty if unknown."""
        self._max_rows = max_rows
        self._list_marks = UserListMarks(self)
        self._errors: dict[int, str] = {}
        self._rules_by_row: dict[int, Mapping[str, str]] = {}
        self._mode_rankings = ModeRankingTable(games)
        self._operator_ids: dict[str, int] = {}
        self._shared_players = SharedPlayerLists()

    # One server

    def server_info(self, row: int) -> ServerInfo | None:
        """The last answer, None before the first; with the last player list and rules when it came without."""
        facts = self.info_by_row[row]
        if facts is None or (facts.player_list is not None and facts.rules is not None):
            return facts
        players, rules = self.player_lists.get(row), self._rules_by_row.get(row)
        if players is facts.player_list and rules is facts.rules:
            return facts
        return replace(facts, player_list=players, rules=rules)

    def query_error(self, row: int) -> str | None:
        """Why the last question brought nothing."""
        return self._errors.get(row)

    def search_texts(self) -> Sequence[str]:
        """By row: everything that a bare search word is looked for in, casefolded; empty before the first answer."""
        for row in self._stale_search_rows:
            facts = self.info_by_row[row]
            if facts is not None:
                self._search_texts[row] = format_search_text(facts, self.player_lists.get(row, ()))
        self._stale_search_rows.clear()
        return self._search_texts

    def factors_of(self, row: int) -> dict[str, float]:
        """The factors of the last `rescore`, whose product is `score`; empty for a row that was added since."""
        return {name: float(column[row]) for name, column in self.score_factors.items() if row < len(column)}

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
        """Return the group of friends that this player is in; None for bots and players in none."""
        return self._list_marks.friend_group_of(player)

    def matching_rows(self, matcher: ServerMatcher) -> Bools:
        """Return the rows that a list would mark, apart from its stable keys."""
        return self._list_marks.matching_rows(matcher)

    # New servers

    def add(self, targets: Sequence[QueryTarget]) -> RowIds:
        """Rows of these servers, made where they are new; -1 where there is no room for more.

        A server that never answered takes over the newer protocol and game.
        """
        first = len(self.targets)
        places, facts = [*map(self._row_by_address.get, map(_get_address, targets))], self.info_by_row
        for place, (row, target) in enumerate(zip(places, targets, strict=True)):
            if row is None or facts[row] is None:
                places[place] = self._row_for(target)
        if len(self.targets) > first:
            self._fill_new_rows(first)
        return np.array(places, np.intp)

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
        """Bring back servers of an earlier run, marked old; those that have answered since are left alone."""
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
        """Those of `rows` that ever answered, in the form in which they are remembered."""
        answered = [(row, facts) for row in rows if (facts := self.info_by_row[row]) is not None]
        pings = shown_ping(self.ping_samples[[row for row, _ in answered]]).tolist()
        return [
            SavedServer(self.targets[row], facts, ping if ping == ping else None, float(self.last_answer[row]))
            for (row, facts), ping in zip(answered, pings, strict=True)
        ]

    # Answers

    def merge(self, results: Sequence[QueryResult]) -> ChangeSet:
        """Take in a batch of answers in the order in which they came; unknown servers are added."""
        first = len(self)
        rows = self.add([answer.target for answer in results])
        placed = [(row, answer) for row, answer in zip(rows.tolist(), results, strict=True) if row >= 0]
        columns: set[str] = set()
        for batch in _batches_without_repeats(placed):
            self._merge_batch(batch, columns)
        moved = self._list_marks.update_moved_rows(columns)
        return _change_set(np.concatenate((rows[rows >= 0], moved)), first, columns)

    def _merge_batch(self, batch: Mapping[int, QueryResult], columns: set[str]) -> None:
        rows = np.fromiter(batch, np.intp, len(batch))
        self.set_values("status", rows, [answer.status for answer in batch.values()], columns)
        self.set_values("attempts", rows, [answer.attempts for answer in batch.values()], columns)
        good = {row: answer for row, answer in batch.items() if answer.info is not None}
        for row in self._errors.keys() & good.keys():
            del self._errors[row]
        if len(good) < len(batch):
            errors = {row: answer.error or "" for row, answer in batch.items() if answer.info is None}
            self._errors |= errors
            self.set_values("ping_ms", np.fromiter(errors, np.intp, len(errors)), np.nan, columns)
        if good:
            self._merge_answered(np.fromiter(good, np.intp, len(good)), list(good.values()), columns)

    def _merge_answered(self, rows: RowIds, results: Sequence[QueryResult], columns: set[str]) -> None:
        for row, answer in zip(rows.tolist(), results, strict=True):
            target, game = answer.target, answer.info.game if answer.info is not None else None
            self.targets[row] = target if game is None or game == target.game else target._replace(game=game)
        self.protocol.set(rows, [answer.target.protocol for answer in results])
        self._merge_pings(rows, results, columns)
        self._merge_infos(rows, [answer.info for answer in results if answer.info is not None], columns)
        self.last_answer[rows] = [answer.received_at for answer in results]
        self.set_values("old", rows, False, columns)

    def _merge_pings(self, rows: RowIds, results: Sequence[QueryResult], columns: set[str]) -> None:
        """Push the new samples; a proven one sends remembered and estimated ones away, and is never mixed with them."""
        pings = np.array([answer.ping_ms for answer in results], np.float64)
        estimated = np.array([answer.ping_estimated for answer in results])
        samples = self.ping_samples[rows]
        proven = ~self.ping_estimated[rows] & ~self.old[rows] & ~np.isnan(samples[:, -1])
        samples[~proven & ~estimated | self.old[rows]] = np.nan
        take, none = ~np.isnan(pings) & ~(proven & estimated), np.isnan(samples[:, -1])
        loaded = np.array([answer.ping_measured_under_load for answer in results]) | ~take
        loaded &= self.ping_loaded[rows] & ~none | take & none
        samples = np.where(take[:, np.newaxis], append_sample(samples, pings), samples)
        self.ping_samples[rows] = samples
        self.set_values("ping_estimated", rows, estimated & ~proven, columns)
        self.set_values("ping_loaded", rows, loaded, columns)
        self.set_values("ping_ms", rows, shown_ping(samples), columns)

    def _merge_infos(self, rows: RowIds, infos: Sequence[ServerInfo], columns: set[str]) -> None:
        if not len(rows):
            return
        told = chain.from_iterable(map(_get_info_floats, infos))
        numbers = np.fromiter(told, np.float64, len(infos) * len(INFO_FLOATS)).reshape(len(infos), -1)
        self._set_info_values(rows, numbers.T, columns)
        usable = self.max_players[rows] - np.nan_to_num(self.reserved[rows])
        self.set_values("usable_slots", rows, np.maximum(usable, 0.0), columns)
        texts = dict(zip(("game", *INFO_TEXTS), zip(*map(_get_info_texts, infos), strict=True), strict=True))
        other = {name for name, values in texts.items() if self._set_texts(name, rows, values, columns)}
        if "game" in other or "mode" in other:
            self._set_mode_rankings(rows, columns)
        self._store_details(rows.tolist(), infos)
        self._update_suspicions(rows, infos, columns)
        self._list_marks.apply(rows, columns)

    def _set_mode_rankings(self, rows: RowIds, columns: set[str]) -> None:
        """The constants follow from game and mode."""
        played = list(zip(self.game.texts_of(rows), self.mode.texts_of(rows), strict=True))
        places = {each: self._mode_rankings.index_of(*each) for each in dict.fromkeys(played)}
        self.set_values("constants_row", rows, [places[each] for each in played], columns)

    def _store_details(self, rows: Sequence[int], infos: Sequence[ServerInfo]) -> None:
        for row, each in zip(rows, infos, strict=True):
            before = self.info_by_row[row]
            key = before.stable_key if before is not None else None
            if key != each.stable_key:
                self._list_marks.set_stable_key(row, key, each.stable_key)
            self.info_by_row[row] = each
            if each.player_list is not None:
                self.player_lists[row] = each.player_list
            if each.rules is not None:
                self._rules_by_row[row] = each.rules
        self._stale_search_rows.update(rows)

    def _update_suspicions(self, rows: RowIds, infos: Sequence[ServerInfo], columns: set[str]) -> None:
        """What these servers' newest answers show, alone and beside others'."""
        lists = self.player_lists
        found = {
            row: suspicions_of(each, ()) for row, each in zip(rows.tolist(), infos, strict=True) if row not in lists
        }
        concerned = set(rows.tolist()) - found.keys()
        for row, each in zip(rows.tolist(), infos, strict=True):
            if each.player_list is not None:
                concerned |= self._shared_players.set_players(row, each.player_list)
        for row in concerned:
            told = self.info_by_row[row]
            if told is not None:
                found[row] = suspicions_of(told, lists.get(row, ())) | (
                    SuspicionMark.COPIED_PLAYERS if self._has_copied_players(row) else 0
                )
        self.set_values("suspicions", np.fromiter(found, np.intp, len(found)), list(found.values()), columns)

    def _has_copied_players(self, row: int) -> bool:
        """Another server lists the same players, and is not this one at its other address."""
        name, address = self.name[row], self.targets[row].address
        return any(
            self.name[other] != name or not is_dual_stack_pair(self.targets[other].address, address)
            for other in self._shared_players.rows_with_same_players(row)
        )

    # History

    def player_changes(self) -> Floats:
        """Return by row how many more play now than up to six hours ago; NaN where that is unknown."""
        return self.trends.changes(np.arange(len(self)))

    def forecast_players(self) -> Floats:
        """Return by row the players expected in half an hour; NaN where there is no forecast."""
        return self.forecasts.forecasts_of(np.arange(len(self))).players

    # Scores

    def ranking_inputs(self, player_skill: Mapping[str, float] | None = None) -> RankingInputs:
        """Every row as the ranking wants it. `player_skill`: the user's own by game id, in the game's points."""
        likely = self.forecast_players() if self.use_forecast else None
        return self._mode_rankings.ranking_inputs(self, player_skill or {}, likely)

    def ranking_constants(self, preset: RankingConstants | None = None) -> RankingConstantsTable:
        """The constants that the column `constants_row` points into; `preset` stands in for every game's own."""
        return self._mode_rankings.constants(preset)

    def rescore(self, player_skill: Mapping[str, float] | None = None, preset: RankingConstants | None = None) -> None:
        """Work out `score`, `gain`, the factors and the doubts about pings of every row anew."""
        inputs, table = self.ranking_inputs(player_skill), self.ranking_constants(preset)
        scores = compute_scores(inputs, table)
        self.score[:] = scores.total
        self.gain[:] = compute_gains(inputs, table, scores.factors)
        near = rows_with_impossible_ping(self, self.own_country)
        self.suspicions[:] = np.where(
            near, self.suspicions | SuspicionMark.PING_TOO_LOW, self.suspicions & ~SuspicionMark.PING_TOO_LOW
        )
        self.score_factors = scores.factors
        self.last_ranking_inputs = inputs
        self.search_texts()  # now, rather than while somebody types


def _batches_without_repeats(pairs: Sequence[tuple[int, QueryResult]]) -> Iterator[dict[int, QueryResult]]:
    """Batches that hold each row once, its answers in their order: more than one only where a server answered twice."""
    while pairs:
        batch: dict[int, QueryResult] = {}
        again = [(row, answer) for row, answer in pairs if batch.setdefault(row, answer) is not answer]
        yield batch
        pairs = again


def _change_set(rows: RowIds, first: int, columns: set[str]) -> ChangeSet:
    ids = np.sort(rows)
    ids = ids[np.diff(ids, prepend=-1) > 0]  # `np.unique` would import numpy.ma: 30 ms more to the first answer
    return ChangeSet(ids, ids[ids >= first], frozenset(columns))
