"""All known servers: rows that never move, merged from answers and from memory."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from operator import attrgetter

import numpy as np

from browser_app.catalogue.changes import ChangeSet
from browser_app.catalogue.columns import FACT_FLOATS, FACT_TEXTS, Floats, Rows
from browser_app.catalogue.countries import countries_of
from browser_app.catalogue.facts import Answer, Facts, KnownServer, Target
from browser_app.catalogue.forecasts import Forecasts
from browser_app.catalogue.listed_servers import ListedServers
from browser_app.catalogue.pings import low_quantile, pushed
from browser_app.catalogue.scoring import RulesTable
from browser_app.catalogue.search_text import search_text
from browser_app.catalogue.trend import Trend
from browser_app.catalogue.trust import Doubt, SharedPlayers, doubts_of, in_both_families, too_near
from browser_app.games.profile import GameProfile, RankingConstants
from browser_app.ranking.inputs import ConstantsTable, RankingInputs
from browser_app.ranking.score import gain, score

MAX_ROWS = 200_000
"""What a hostile master can make us keep; more than any game's masters ever listed."""

_address = attrgetter("address")
_fact_floats = attrgetter(*FACT_FLOATS)
_fact_texts = attrgetter("game", *FACT_TEXTS)


class Catalogue(ListedServers):
    """The directory of servers.

    Kept true: a row never moves and never vanishes, so its index is the server's id; one row an address; a failed
    question changes the status and takes the ping away but keeps the facts of the last answer.

    Not thread-safe: one thread owns it.
    """

    def __init__(self, games: Mapping[str, GameProfile], max_rows: int = MAX_ROWS) -> None:
        super().__init__()
        self.games = games
        self.refused = 0
        """Targets that found no room."""
        self._search_texts: list[str] = []
        self._unread: set[int] = set()
        """Rows whose search text is older than their answer."""
        self.factor_columns: dict[str, Floats] = {}
        """The score's factors by name, as of the last `rescore`: shorter than the columns if rows were added since."""
        self.scored: RankingInputs | None = None
        """What the last `rescore` scored."""
        self.trend = Trend()
        self.forecasts = Forecasts()
        self.forecast_counts = False
        """What is likely in half an hour is a factor of the score."""
        self.own_country = ""
        """Two-letter code of where the user is; empty if unknown."""
        self._max_rows = max_rows
        self._errors: dict[int, str] = {}
        self._server_rules: dict[int, Mapping[str, str]] = {}
        self._rules_table = RulesTable(games)
        self._hosts: dict[str, int] = {}
        self._shared_players = SharedPlayers()

    # One server

    def facts(self, row: int) -> Facts | None:
        """The last answer, None before the first; with the last player list and rules when it came without."""
        facts = self.all_facts[row]
        if facts is None or (facts.player_list is not None and facts.rules is not None):
            return facts
        players, rules = self.player_lists.get(row), self._server_rules.get(row)
        if players is facts.player_list and rules is facts.rules:
            return facts
        return replace(facts, player_list=players, rules=rules)

    def error(self, row: int) -> str | None:
        """Why the last question brought nothing."""
        return self._errors.get(row)

    def search_texts(self) -> Sequence[str]:
        """By row: everything that a bare search word is looked for in, casefolded; empty before the first answer."""
        for row in self._unread:
            facts = self.all_facts[row]
            if facts is not None:
                self._search_texts[row] = search_text(facts, self.player_lists.get(row, ()))
        self._unread.clear()
        return self._search_texts

    def factors(self, row: int) -> dict[str, float]:
        """The factors of the last `rescore`, whose product is `score`; empty for a row that was added since."""
        return {name: float(column[row]) for name, column in self.factor_columns.items() if row < len(column)}

    # New servers

    def add(self, targets: Sequence[Target]) -> Rows:
        """Rows of these servers, made where they are new; -1 where there is no room for more.

        A server that never answered takes over the newer protocol and game.
        """
        first = len(self.targets)
        places, facts = [*map(self._rows.get, map(_address, targets))], self.all_facts
        for place, (row, target) in enumerate(zip(places, targets, strict=True)):
            if row is None or facts[row] is None:
                places[place] = self._place(target)
        if len(self.targets) > first:
            self._fill_new(first)
        return np.array(places, np.intp)

    def _place(self, target: Target) -> int:
        row = self._rows.get(target.address)
        if row is not None:
            if (row >= len(self) or self.all_facts[row] is None) and target != self.targets[row]:
                self.targets[row] = target
                if row < len(self):
                    self._put_target_texts(np.array([row]), [target])
            return row
        row = len(self.targets)
        if row >= self._max_rows:
            self.refused += 1
            return -1
        self._rows[target.address] = row
        self.targets.append(target)
        return row

    def _fill_new(self, first: int) -> None:
        new = self.targets[first:]
        self.all_facts += [None] * len(new)
        self._search_texts += [""] * len(new)
        self._extend(len(self.targets))
        rows = np.arange(first, len(self.targets))
        self._put_target_texts(rows, new)
        self.address.put(rows, [str(target.address) for target in new])
        hosts = [target.address.host for target in new]
        self.country.put(rows, countries_of(hosts))
        self.operator[rows] = [self._hosts.setdefault(host, len(self._hosts)) for host in hosts]
        self._apply_lists(rows, set())

    def _put_target_texts(self, rows: Rows, targets: Sequence[Target]) -> None:
        self.protocol.put(rows, [target.protocol for target in targets])
        self.game.put(rows, [target.game for target in targets])
        self._put_rules(rows, set())

    def remember(self, servers: Sequence[KnownServer]) -> ChangeSet:
        """Bring back servers of an earlier run, marked old; those that have answered since are left alone."""
        first = len(self)
        ids = self.add([server.target for server in servers]).tolist()
        fresh = {row: s for row, s in zip(ids, servers, strict=True) if row >= 0 and self.all_facts[row] is None}
        rows = np.fromiter(fresh, np.intp, len(fresh))
        columns: set[str] = {"ping_ms", "last_answer", "old"}
        self._take_facts(rows, [server.facts for server in fresh.values()], columns)
        pings = np.array([server.ping_ms for server in fresh.values()], np.float64)
        self.ping_ms[rows] = self.ping_samples[rows, -1] = pings
        self.last_answer[rows] = [server.last_answer for server in fresh.values()]
        self.old[rows] = True
        moved = self._follow_keys(columns)
        return _change_set(np.concatenate((rows, moved)), first, columns)

    def known_servers(self, rows: Iterable[int]) -> list[KnownServer]:
        """Those of `rows` that ever answered, in the form in which they are remembered."""
        answered = [(row, facts) for row in rows if (facts := self.all_facts[row]) is not None]
        pings = low_quantile(self.ping_samples[[row for row, _ in answered]]).tolist()
        return [
            KnownServer(self.targets[row], facts, ping if ping == ping else None, float(self.last_answer[row]))
            for (row, facts), ping in zip(answered, pings, strict=True)
        ]

    # Answers

    def merge(self, answers: Sequence[Answer]) -> ChangeSet:
        """Take in a batch of answers in the order in which they came; unknown servers are added."""
        first = len(self)
        rows = self.add([answer.target for answer in answers])
        placed = [(row, answer) for row, answer in zip(rows.tolist(), answers, strict=True) if row >= 0]
        columns: set[str] = set()
        for batch in _one_each(placed):
            self._merge_once(batch, columns)
        moved = self._follow_keys(columns)
        return _change_set(np.concatenate((rows[rows >= 0], moved)), first, columns)

    def _merge_once(self, batch: Mapping[int, Answer], columns: set[str]) -> None:
        rows = np.fromiter(batch, np.intp, len(batch))
        self._put("status", rows, [answer.status for answer in batch.values()], columns)
        self._put("attempts", rows, [answer.attempts for answer in batch.values()], columns)
        good = {row: answer for row, answer in batch.items() if answer.facts is not None}
        for row in self._errors.keys() & good.keys():
            del self._errors[row]
        if len(good) < len(batch):
            errors = {row: answer.error or "" for row, answer in batch.items() if answer.facts is None}
            self._errors |= errors
            self._put("ping_ms", np.fromiter(errors, np.intp, len(errors)), np.nan, columns)
        if good:
            self._merge_good(np.fromiter(good, np.intp, len(good)), list(good.values()), columns)

    def _merge_good(self, rows: Rows, answers: Sequence[Answer], columns: set[str]) -> None:
        for row, answer in zip(rows.tolist(), answers, strict=True):
            target, game = answer.target, answer.facts.game if answer.facts is not None else None
            self.targets[row] = target if game is None or game == target.game else target._replace(game=game)
        self.protocol.put(rows, [answer.target.protocol for answer in answers])
        self._take_pings(rows, answers, columns)
        self._take_facts(rows, [answer.facts for answer in answers if answer.facts is not None], columns)
        self.last_answer[rows] = [answer.received_at for answer in answers]
        self._put("old", rows, False, columns)

    def _take_pings(self, rows: Rows, answers: Sequence[Answer], columns: set[str]) -> None:
        """Push the new samples; a proven one sends remembered and estimated ones away, and is never mixed with them."""
        pings = np.array([answer.ping_ms for answer in answers], np.float64)
        estimated = np.array([answer.ping_estimated for answer in answers])
        samples = self.ping_samples[rows]
        proven = ~self.ping_estimated[rows] & ~self.old[rows] & ~np.isnan(samples[:, -1])
        samples[~proven & ~estimated | self.old[rows]] = np.nan
        take, none = ~np.isnan(pings) & ~(proven & estimated), np.isnan(samples[:, -1])
        loaded = np.array([answer.ping_loaded for answer in answers]) | ~take
        loaded &= self.ping_loaded[rows] & ~none | take & none
        samples = np.where(take[:, np.newaxis], pushed(samples, pings), samples)
        self.ping_samples[rows] = samples
        self._put("ping_estimated", rows, estimated & ~proven, columns)
        self._put("ping_loaded", rows, loaded, columns)
        self._put("ping_ms", rows, low_quantile(samples), columns)

    def _take_facts(self, rows: Rows, facts: Sequence[Facts], columns: set[str]) -> None:
        if not len(rows):
            return
        told = chain.from_iterable(map(_fact_floats, facts))
        numbers = np.fromiter(told, np.float64, len(facts) * len(FACT_FLOATS)).reshape(len(facts), -1)
        self._put_facts(rows, numbers.T, columns)
        usable = self.max_players[rows] - np.nan_to_num(self.reserved[rows])
        self._put("usable_slots", rows, np.maximum(usable, 0.0), columns)
        texts = dict(zip(("game", *FACT_TEXTS), zip(*map(_fact_texts, facts), strict=True), strict=True))
        other = {name for name, values in texts.items() if self._put_texts(name, rows, values, columns)}
        if "game" in other or "mode" in other:
            self._put_rules(rows, columns)
        self._take_details(rows.tolist(), facts)
        self._doubt(rows, facts, columns)
        self._apply_lists(rows, columns)

    def _put_rules(self, rows: Rows, columns: set[str]) -> None:
        """The constants follow from game and mode."""
        played = list(zip(self.game.texts(rows), self.mode.texts(rows), strict=True))
        places = {each: self._rules_table.place(*each) for each in dict.fromkeys(played)}
        self._put("rules", rows, [places[each] for each in played], columns)

    def _take_details(self, rows: Sequence[int], facts: Sequence[Facts]) -> None:
        for row, each in zip(rows, facts, strict=True):
            before = self.all_facts[row]
            key = before.stable_key if before is not None else None
            if key != each.stable_key:
                self._stable_keys.move(row, key, each.stable_key)
            self.all_facts[row] = each
            if each.player_list is not None:
                self.player_lists[row] = each.player_list
            if each.rules is not None:
                self._server_rules[row] = each.rules
        self._unread.update(rows)

    def _doubt(self, rows: Rows, facts: Sequence[Facts], columns: set[str]) -> None:
        """What these servers' newest answers show, alone and beside others'."""
        lists = self.player_lists
        found = {row: doubts_of(each, ()) for row, each in zip(rows.tolist(), facts, strict=True) if row not in lists}
        concerned = set(rows.tolist()) - found.keys()
        for row, each in zip(rows.tolist(), facts, strict=True):
            if each.player_list is not None:
                concerned |= self._shared_players.put(row, each.player_list)
        for row in concerned:
            told = self.all_facts[row]
            if told is not None:
                found[row] = doubts_of(told, lists.get(row, ())) | (Doubt.SAME_PLAYERS if self._is_copy(row) else 0)
        self._put("doubts", np.fromiter(found, np.intp, len(found)), list(found.values()), columns)

    def _is_copy(self, row: int) -> bool:
        """Another server lists the same players, and is not this one at its other address."""
        name, address = self.name[row], self.targets[row].address
        return any(
            self.name[other] != name or not in_both_families(self.targets[other].address, address)
            for other in self._shared_players.others(row)
        )

    # Scores

    def ranking_inputs(self, player_skill: Mapping[str, float] | None = None) -> RankingInputs:
        """Every row as the ranking wants it. `player_skill`: the user's own by game id, in the game's points."""
        likely = self.forecasts.of(np.arange(len(self))).players if self.forecast_counts else None
        return self._rules_table.inputs(self, player_skill or {}, likely)

    def constants(self, preset: RankingConstants | None = None) -> ConstantsTable:
        """The constants that the column `rules` points into; `preset` stands in for every game's own."""
        return self._rules_table.constants(preset)

    def rescore(self, player_skill: Mapping[str, float] | None = None, preset: RankingConstants | None = None) -> None:
        """Work out `score`, `gain`, the factors and the doubts about pings of every row anew."""
        inputs, table = self.ranking_inputs(player_skill), self.constants(preset)
        scores = score(inputs, table)
        self.score[:] = scores.total
        self.gain[:] = gain(inputs, table, scores.factors)
        near = too_near(self, self.own_country)
        self.doubts[:] = np.where(near, self.doubts | Doubt.TOO_NEAR, self.doubts & ~Doubt.TOO_NEAR)
        self.factor_columns = scores.factors
        self.scored = inputs
        self.search_texts()  # now, rather than while somebody types


def _one_each(pairs: Sequence[tuple[int, Answer]]) -> Iterator[dict[int, Answer]]:
    """Batches that hold each row once, its answers in their order: more than one only where a server answered twice."""
    while pairs:
        batch: dict[int, Answer] = {}
        again = [(row, answer) for row, answer in pairs if batch.setdefault(row, answer) is not answer]
        yield batch
        pairs = again


def _change_set(rows: Rows, first: int, columns: set[str]) -> ChangeSet:
    ids = np.sort(rows)
    ids = ids[np.diff(ids, prepend=-1) > 0]  # `np.unique` would import numpy.ma: 30 ms more to the first answer
    return ChangeSet(ids, ids[ids >= first], frozenset(columns))
