import re
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import cast

import numpy as np
import pytest
from loopback_servers import a2s, serving
from timeouts import LIMIT_S

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.filters.server_filter import parse_filter
from browser_app.catalogue.server_info import QueryResult, QueryStatus, QueryTarget, ServerInfo
from browser_app.catalogue.user_lists import ServerMatcher, UserLists
from browser_app.demo.demo_network import DemoNetwork
from browser_app.engine.cancel_token import CancelToken
from browser_app.engine.catalogue_snapshot import (
    FilterRule,
    LocalServerDirectory,
    PlayOptions,
    build_scored_snapshot,
    build_snapshot,
)
from browser_app.engine.masters.query_sources import parse_sources
from browser_app.engine.play_now_run import (
    NoEligibleServer,
    PlayNowOutcome,
    PlayNowRun,
    PlayNowStep,
    RetryStarted,
    VerificationFinished,
    VerificationStarted,
    VerifiedServer,
)
from browser_app.engine.query.query_timing import PACES
from browser_app.engine.query.scanner import Scanner
from browser_app.engine.server_poll import start_poll
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.address import Address
from browser_app.ranking.play_now_choice import ExclusionReason, format_choice_reasons


def address(number: int) -> Address:
    return Address(f"127.0.0.{number}", 27016)


def result(number: int, players: int | None, ping_ms: float = 50.0, **changes: object) -> QueryResult:
    """Return a server's result; a server without players is silent."""
    target = QueryTarget(address(number), "a2s", "ns2")
    if players is None:
        return QueryResult(target, QueryStatus.NO_ANSWER, None, "no answer", None, False, 3, 1.0)
    plain = ServerInfo(
        game="ns2", name=f"Server {number}", map="ns2_veil", connect=Address(target.address.host, 27015),
        players=players, bots=0, spectators=0, max_players=24, mode="ns2", performance=50.0, version="344",
        password=False,
    )  # fmt: skip
    info = replace(plain, **changes)  # type: ignore[arg-type] # its own fields
    return QueryResult(target, QueryStatus.OK, info, None, ping_ms, False, 1, 1.0)


class FakeScanner:
    """Fake scanner: servers return what the test sets."""

    def __init__(self, *results: QueryResult) -> None:
        self.results: dict[Address, QueryResult] = {each.target.address: each for each in results}
        self.queried: list[list[int]] = []
        self.hangs = False

    def scan(self, targets: Iterable[QueryTarget], **_: object) -> "FakeScan":
        addresses = [target.address for target in targets]
        self.queried.append([int(each.host.rpartition(".")[2]) for each in addresses])
        return FakeScan([] if self.hangs else [self.results[each] for each in addresses], hangs=self.hangs)


class FakeScan:
    def __init__(self, results: Sequence[QueryResult], *, hangs: bool) -> None:
        self.results = deque(results)
        self.is_sealed = False
        self.finished = threading.Event()
        if not hangs:
            self.finished.set()

    def seal(self) -> None:
        self.is_sealed = True

    def cancel(self) -> None:
        self.finished.set()

    def wait(self) -> None:
        assert self.is_sealed
        assert self.finished.wait(LIMIT_S)


class PlayNowFixture:
    """A catalogue filled by one poll, whose servers then answer by `scanner`."""

    def __init__(
        self, games: GameRegistry, first: Sequence[QueryResult], *later: QueryResult, **options: object
    ) -> None:
        self.catalogue = Catalogue(games)
        self.catalogue.merge(first)
        by_address = {each.target.address: each for each in (*first, *later)}
        self.scanner = FakeScanner(*by_address.values())
        self.steps: list[PlayNowStep] = []
        self.refreshed = 0
        self.before_refresh: Callable[[], None] = lambda: None
        self.directory = LocalServerDirectory(self.catalogue, PlayOptions(**options), lambda _: self._poll())  # type: ignore[arg-type]

    def _poll(self) -> None:
        self.refreshed += 1
        self.before_refresh()
        self.catalogue.merge(list(self.scanner.results.values()))

    def play_now(self, max_attempts: int | None = 1) -> PlayNowRun:
        return PlayNowRun(
            cast("Scanner", self.scanner),
            self.directory,
            pace=PACES["normal"],
            report=self.steps.append,
            max_attempts=max_attempts,
            retry_interval_s=0.0,
        )

    def run(self, max_attempts: int | None = 1) -> PlayNowOutcome:
        return self.play_now(max_attempts).run()


def number_of(verified: VerifiedServer | None) -> int | None:
    return int(verified.target.address.host.rpartition(".")[2]) if verified else None


def test_best_verified_is_chosen(games: GameRegistry) -> None:
    fixture = PlayNowFixture(games, [result(1, 3), result(2, 13), result(3, 12), result(4, 11), result(5, 2)])
    outcome = fixture.run()
    assert fixture.scanner.queried == [[3, 2, 4]] or fixture.scanner.queried == [[2, 3, 4]]
    assert number_of(outcome.chosen) == fixture.scanner.queried[0][0]
    assert outcome.attempts == 1
    assert [each.is_eligible for each in outcome.verified] == [True, True, True]
    assert all(each.score_before == each.score_now and each.exclusion_reason is None for each in outcome.verified)
    assert sum(outcome.excluded_counts.values()) == 0
    reason = format_choice_reasons(outcome.reason)
    assert re.fullmatch(
        r"1\d playing, 1\d slots free, \d+ ms; (almost )?a good game( already)?(; one more player .+)?\.", reason
    )
    verifying, checked = fixture.steps
    assert isinstance(verifying, VerificationStarted)
    assert isinstance(checked, VerificationFinished)
    assert [each.score for each in verifying.candidates] == sorted(
        (each.score for each in verifying.candidates), reverse=True
    )
    assert checked.servers == outcome.verified


@pytest.mark.parametrize(
    ("later", "why"),
    [
        (result(1, 24), ExclusionReason.FULL),
        (result(1, None), ExclusionReason.NO_ANSWER),
        (result(1, 14, password=True), ExclusionReason.PASSWORD),
        (result(1, 14, rookie_only=True), ExclusionReason.ROOKIE_ONLY),
        (result(1, 14, joinable=False), ExclusionReason.FULL),
        (result(1, 14, map="ns2_summit"), ExclusionReason.FILTERED),
        (result(1, 14, quick_play=False), ExclusionReason.FILTERED),
    ],
)
def test_unfit_server_is_excluded(games: GameRegistry, later: QueryResult, why: ExclusionReason) -> None:
    fixture = PlayNowFixture(games, [result(1, 12), result(2, 8)], later, scope=parse_filter("map:ns2_veil"))
    outcome = fixture.run()
    assert number_of(outcome.chosen) == 2
    first, second = outcome.verified
    assert (first.is_eligible, first.exclusion_reason) == (False, why)
    assert (second.is_eligible, second.exclusion_reason) == (True, None)
    assert outcome.excluded_counts[why] == 1


def test_new_scores_decide(games: GameRegistry) -> None:
    fixture = PlayNowFixture(games, [result(1, 12), result(2, 8)], result(1, 1))
    outcome = fixture.run()
    assert number_of(outcome.chosen) == 2
    first, _ = outcome.verified
    assert first.is_eligible
    assert first.score_now < first.score_before


def test_late_reply_counts(games: GameRegistry) -> None:
    fixture = PlayNowFixture(games, [result(1, 12, 500.0), result(2, 12, 400.0), result(3, 12, 30.0)])
    assert number_of(fixture.run().chosen) == 3


def test_refresh_if_none_fits(games: GameRegistry) -> None:
    first = [result(1, 14), result(2, 13), result(3, 12), result(4, 2)]
    fixture = PlayNowFixture(games, first, *(result(number, 24) for number in (1, 2, 3)))
    outcome = fixture.run(max_attempts=None)
    assert fixture.refreshed == 1
    assert number_of(outcome.chosen) == 4
    assert outcome.attempts == 2
    assert outcome.excluded_counts[ExclusionReason.FULL] == 3
    assert [type(step) for step in fixture.steps] == [
        VerificationStarted,
        VerificationFinished,
        RetryStarted,
        VerificationStarted,
        VerificationFinished,
    ]
    assert fixture.steps[2] == RetryStarted(2)


def test_single_attempt(games: GameRegistry) -> None:
    fixture = PlayNowFixture(games, [result(1, 14)], result(1, None))
    outcome = fixture.run(max_attempts=1)
    assert (outcome.chosen, outcome.reason, outcome.attempts) == (None, (), 1)
    assert (outcome.verified[0].is_eligible, outcome.verified[0].exclusion_reason) == (
        False,
        ExclusionReason.NO_ANSWER,
    )
    assert np.isnan(outcome.verified[0].score_now)
    assert fixture.refreshed == 0


def test_no_candidate_is_reported(games: GameRegistry) -> None:
    fixture = PlayNowFixture(games, [result(1, 24), result(2, None), result(3, 12, password=True), result(4, 24)])
    fixture.before_refresh = lambda: (
        fixture.scanner.results.update({address(4): result(4, 20)}) if fixture.refreshed == 2 else None
    )
    outcome = fixture.run(max_attempts=None)
    assert number_of(outcome.chosen) == 4
    assert outcome.attempts == 3
    assert fixture.scanner.queried == [[4]]
    nothing = fixture.steps[0]
    assert isinstance(nothing, NoEligibleServer)
    assert {why: number for why, number in nothing.excluded_counts.items() if number} == {
        ExclusionReason.FULL: 2, ExclusionReason.NO_ANSWER: 1, ExclusionReason.PASSWORD: 1,
    }  # fmt: skip


def test_attempt_limit(games: GameRegistry) -> None:
    fixture = PlayNowFixture(games, [result(1, 24)])
    outcome = fixture.run(max_attempts=3)
    assert (outcome.chosen, outcome.attempts, fixture.refreshed) == (None, 3, 2)


def test_no_servers(games: GameRegistry) -> None:
    outcome = PlayNowFixture(games, []).run()
    assert outcome == PlayNowOutcome(None, (), (), outcome.excluded_counts, 1)
    assert set(outcome.excluded_counts.values()) == {0}


def test_saved_passwords(games: GameRegistry) -> None:
    fixture = PlayNowFixture(games, [result(1, 12, password=True)])
    assert fixture.run().chosen is None
    fixture.catalogue.set_user_lists(UserLists(password_saved=ServerMatcher(frozenset({address(1)}))))
    assert number_of(fixture.run().chosen) == 1


def test_left_server_is_last(games: GameRegistry) -> None:
    fixture = PlayNowFixture(games, [result(1, 12), result(2, 1)])
    fixture.catalogue.set_user_lists(UserLists(recently_left=ServerMatcher(frozenset({address(1)}))))
    assert number_of(fixture.run().chosen) == 2
    fixture.scanner.results[address(2)] = result(2, 24)
    fixture.catalogue.merge([result(2, 24)])
    outcome = fixture.run()
    assert number_of(outcome.chosen) == 1
    assert outcome.verified[0].is_eligible
    assert outcome.verified[0].exclusion_reason == ExclusionReason.RECENTLY_LEFT


def test_verification_ends_suspicion(games: GameRegistry) -> None:
    first = [result(1, 12, coloured_name="\x01\x01best"), result(2, 1)]
    fixture = PlayNowFixture(games, first, result(1, 12, coloured_name="best"))
    assert number_of(fixture.run().chosen) == 1

    fixture = PlayNowFixture(games, first)
    outcome = fixture.run()
    assert fixture.scanner.queried == [[1, 2]]
    assert number_of(outcome.chosen) == 2
    assert (outcome.verified[0].is_eligible, outcome.verified[0].exclusion_reason) == (
        False,
        ExclusionReason.SUSPICIOUS,
    )

    fixture = PlayNowFixture(games, first[:1])
    assert number_of(fixture.run().chosen) == 1  # the only server left


def test_low_ping_is_suspicious(games: GameRegistry) -> None:
    brazil = result(3, 12, 3.0)  # an address registered in Brazil
    brazil = replace(brazil, target=brazil.target._replace(address=Address("200.160.2.3", 27015)))
    fixture = PlayNowFixture(games, [brazil, result(4, 1)])
    assert number_of(fixture.run().chosen) == 3  # the user's country is unknown
    fixture.catalogue.own_country = "DE"
    assert (number_of(fixture.run().chosen), fixture.scanner.queried[-1]) == (4, [3, 4])


def test_suspicious_is_skipped(games: GameRegistry) -> None:
    suspicious = [result(number, 12, coloured_name="\x01best") for number in (1, 2, 3)]
    fixture = PlayNowFixture(games, [*suspicious, result(4, 1)])
    outcome = fixture.run(max_attempts=None)
    assert fixture.scanner.queried == [[1, 2, 3], [4]]
    assert number_of(outcome.chosen) == 4


def test_options_exclude_servers(games: GameRegistry) -> None:
    results = [
        result(1, 12),
        result(2, 12, version="343"),
        result(3, 12, version=None),
        result(4, 12, rookie_only=True),
        result(5, 12),
    ]
    fixture = PlayNowFixture(games, results)
    options = PlayOptions(skipped_addresses=frozenset({address(5), address(99)}), own_versions={"ns2": "344"})
    candidates = build_snapshot(fixture.catalogue, options).candidates
    assert candidates.is_filtered_out.tolist() == [False, False, False, False, True]
    assert candidates.has_other_version.tolist() == [False, True, False, False, False]
    assert candidates.requires_rookie.tolist() == [False, False, False, True, False]
    assert not build_snapshot(fixture.catalogue, PlayOptions(is_rookie=True)).candidates.requires_rookie.any()


def test_filter_rules_are_distinguished(games: GameRegistry) -> None:
    fixture = PlayNowFixture(
        games, [result(1, 12), result(2, 12, map="ns2_summit"), result(3, 12, quick_play=False), result(4, 12)]
    )
    options = PlayOptions(scope=parse_filter("map:ns2_veil"), skipped_addresses=frozenset({address(4)}))
    snapshot = build_snapshot(fixture.catalogue, options)
    assert {rule: np.flatnonzero(rows).tolist() for rule, rows in snapshot.filtered.items()} == {
        FilterRule.OUT_OF_SCOPE: [1],
        FilterRule.OTHER_GAME: [],
        FilterRule.SKIPPED: [3],
        FilterRule.NO_QUICK_PLAY: [2],
    }
    assert snapshot.in_scope.tolist() == [True, False, True, True]
    assert snapshot.candidates.is_filtered_out.tolist() == [False, True, True, True]
    no_ns2 = (PlayOptions(skipped_games=frozenset({"ns2"})), PlayOptions(game_filter=parse_filter("game:tf2")))
    assert all(build_snapshot(fixture.catalogue, each).candidates.is_filtered_out.all() for each in no_ns2)


def test_snapshot_is_immutable(games: GameRegistry) -> None:
    fixture = PlayNowFixture(games, [result(1, 12), result(2, 12)])
    fixture.catalogue.set_user_lists(UserLists(favourite=ServerMatcher(frozenset({address(1)}))))
    standing = build_snapshot(fixture.catalogue, PlayOptions())
    columns = {
        name: getattr(part, name).copy()
        for part in (standing.inputs, standing.candidates)
        for name in type(part).__dataclass_fields__
    }
    both = ServerMatcher(frozenset({address(1), address(2)}))
    fixture.catalogue.set_user_lists(UserLists(favourite=both, blocked=both, recently_left=both, password_saved=both))
    fixture.catalogue.merge([result(1, 24, 99.0, password=True, rookie_only=True), result(2, None), result(3, 1)])
    for part in (standing.inputs, standing.candidates):
        for name in type(part).__dataclass_fields__:
            np.testing.assert_array_equal(getattr(part, name), columns[name])
    assert len(standing.targets) == 2


def test_cancel_while_verifying(games: GameRegistry) -> None:
    fixture = PlayNowFixture(games, [result(1, 12)])
    fixture.scanner.hangs = True
    run = fixture.play_now(max_attempts=None)
    threading.Timer(0.1, run.cancel).start()
    outcome = run.run()
    assert (outcome.chosen, outcome.attempts) == (None, 1)


def test_cancel_before_retry(games: GameRegistry) -> None:
    fixture = PlayNowFixture(games, [result(1, 24)])
    run = PlayNowRun(
        cast("Scanner", fixture.scanner), fixture.directory, pace=PACES["normal"], retry_interval_s=2 * LIMIT_S
    )
    threading.Timer(0.1, run.cancel).start()
    began = time.monotonic()
    outcome = run.run()
    assert time.monotonic() - began < LIMIT_S
    assert outcome.chosen is None
    assert fixture.refreshed == 0


def test_cancel_while_refreshing(games: GameRegistry) -> None:
    fixture = PlayNowFixture(games, [result(1, 24)])
    run = fixture.play_now(max_attempts=None)
    fixture.before_refresh = run.cancel
    outcome = run.run()
    assert outcome.chosen is None
    assert fixture.refreshed == 1


def test_real_servers_are_verified(games: GameRegistry, scanner: Scanner) -> None:
    catalogue = Catalogue(games)
    with DemoNetwork(servers=40, simulate_players=False, latency_ms=(1.0, 20.0)) as network:
        sources = parse_sources(games, servers=network.sources.servers)

        def poll(cancel_token: CancelToken) -> None:
            asking = start_poll(scanner, sources, pace=PACES["unlimited"])
            with cancel_token.calling_on_cancel(asking.cancel):
                assert asking.wait(LIMIT_S)
            catalogue.merge(list(asking.scan.results))

        poll(CancelToken())
        directory = LocalServerDirectory(catalogue, PlayOptions(scope=parse_filter("-full")), poll)
        outcome = PlayNowRun(scanner, directory, pace=PACES["unlimited"], max_attempts=2).run()
    assert outcome.chosen is not None
    assert len(outcome.verified) == 3
    assert outcome.attempts == 1
    assert catalogue.server_info(outcome.chosen.row) is not None
    assert catalogue.targets[outcome.chosen.row].address == outcome.chosen.target.address
    best = max(each.score_now for each in outcome.verified if each.is_eligible)
    assert outcome.chosen.score_now == best


@pytest.mark.slow
def test_gone_servers_are_noticed(games: GameRegistry, scanner: Scanner) -> None:
    catalogue = Catalogue(games)
    gone = threading.Event()
    server = a2s()
    with serving(*[lambda request: () if gone.is_set() else server(request)] * 3) as addresses:
        asking = start_poll(
            scanner, parse_sources(games, servers=[f"a2s://{each}" for each in addresses]), pace=PACES["unlimited"]
        )
        assert asking.wait(LIMIT_S)
        catalogue.merge(list(asking.scan.results))
        gone.set()
        directory = LocalServerDirectory(catalogue, PlayOptions(), lambda _: None)
        outcome = PlayNowRun(scanner, directory, pace=PACES["unlimited"], max_attempts=1).run()
    assert outcome.chosen is None
    assert {each.exclusion_reason for each in outcome.verified} == {ExclusionReason.NO_ANSWER}


def test_snapshot_until_rows_change(games: GameRegistry) -> None:
    fixture = PlayNowFixture(games, [result(n, n) for n in range(1, 24)])
    options = PlayOptions(player_skill={"ns2": 1500.0})
    fixture.catalogue.rescore(options.player_skill)
    for _ in range(2):
        shown, whole = build_scored_snapshot(fixture.catalogue, options), build_snapshot(fixture.catalogue, options)
        for name in type(whole.candidates).__dataclass_fields__:
            np.testing.assert_array_equal(getattr(shown.candidates, name), getattr(whole.candidates, name), name)
        assert format_choice_reasons(shown.explain_choice(3)) == format_choice_reasons(whole.explain_choice(3))
        fixture.catalogue.merge([result(99, 12)])
    assert len(build_scored_snapshot(fixture.catalogue, options).targets) == 24
