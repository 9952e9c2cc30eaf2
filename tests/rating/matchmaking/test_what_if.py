"""Transferred runs and forecasts of possible rounds equal playing these."""

import pickle
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
from explanation_helpers import KINDS, histories
from hypothesis import given, settings
from rating_helpers import played

from browser_app.rating.game_round import Player, Round, Stint
from browser_app.rating.matchmaking.what_if import complete_round, compute_what_if
from browser_app.rating.rating_system import RatingRun, RatingSystem
from browser_app.rating.record.player_slots import build_players_only_record
from browser_app.rating.record.record_builder import build_record
from browser_app.rating.record.round_record import RoundRecord

pytestmark = pytest.mark.slow

few = settings(max_examples=8, deadline=None)
every_kind = pytest.mark.parametrize("kind", KINDS)


def finished(system: RatingSystem, record: RoundRecord, last: int | None = None) -> RatingRun:
    """Return a run that has learned from all rounds before the last."""
    run = system.new_run(record)
    learn(run, range(len(record) if last is None else last))
    return run


def learn(run: RatingRun, rounds: Sequence[int]) -> None:
    for k in rounds:
        if run.skip_reason(k) is None:
            run.update(k)


@every_kind
@few
@given(matches=histories())
def test_transferred_run_continues(kind: str, matches: list[Round]) -> None:
    record = build_record(matches)
    half = len(record) // 2
    run = finished(KINDS[kind], record, half)
    rest, before = (
        build_record([matches[index] for index in record.input_index[half:].tolist()]),
        repr(run.rated_players()),
    )
    learn(run.transfer_to(rest), range(len(rest)))
    assert repr(run.rated_players()) == before
    seated = run.transfer_to(rest)
    for k in range(half, len(record)):
        assert seated.skip_reason(k - half) == run.skip_reason(k)
        assert repr(seated.forecast(k - half)) == repr(run.forecast(k))
        assert seated.ratings(k - half) == run.ratings(k)
        if run.skip_reason(k) is None:
            assert repr(seated.prediction(k - half)) == repr(run.prediction(k))
            seated.update(k - half)
            run.update(k)
    rated = run.rated_players()
    for player, fields in seated.rated_players().items():
        for mode, values in by_mode(fields).items():
            assert values == by_mode(rated[player])[mode]


def by_mode(fields: Mapping[str, object]) -> Mapping[str, object]:
    """Return a player's fields in each mode.

    A transferred run knows only the modes of its record.
    """
    modes = fields.get("modes", {"": fields})
    assert isinstance(modes, Mapping)
    return modes


@every_kind
@few
@given(matches=histories())
def test_run_is_stored_without_rounds(kind: str, matches: list[Round]) -> None:
    record = build_record(matches)
    run = finished(KINDS[kind], record, len(record) - 1)
    kept: RatingRun = pickle.loads(pickle.dumps(run.transfer_to(build_players_only_record(run.record))))  # noqa: S301 (our own)
    assert kept.rated_players() == run.rated_players()
    last = record.slice_rounds(len(record) - 1, len(record))
    a, b = kept.transfer_to(last), run.transfer_to(last)
    assert repr(a.forecast(0)) == repr(b.forecast(0))
    learn(a, [0])
    learn(b, [0])
    assert a.rated_players() == b.rated_players()


@every_kind
@few
@given(matches=histories())
def test_what_if_equals_playing_round(kind: str, matches: list[Round]) -> None:
    """The round is appended to the record, as won, lost and drawn, and learned from."""
    history, last = sorted(matches[:-1], key=lambda game_round: game_round.started or 0.0), matches[-1]
    run = finished(KINDS[kind], build_record(history))
    player, team = last.players[0], last.teams.index(longest(last.players[0]))
    said = compute_what_if(run, last, player.id)
    for change, own, others in ((said.win, 1, 2), (said.lose, 2, 1), (said.draw, 1, 1)):
        ranks = [own if number == team else others for number in range(len(last.teams))]
        record = build_record([*history, complete_round(last, ranks, 0.0)])
        present = finished(KINDS[kind], record, len(history))
        k, row = len(history), 0
        assert present.skip_reason(k) == said.skip_reason
        if said.skip_reason is None:
            prediction = present.prediction(k)
            chance = prediction.first_place[team] if len(ranks) > 2 else prediction.chance(team, 1 - team)
            assert said.chance == pytest.approx(chance, abs=1e-9, nan_ok=True)
        before = present.ratings(k)[row].value
        learn(present, [k])
        assert change == pytest.approx((present.ratings(k)[row].value - before) * run.points_per_unit, abs=1e-9)


def longest(player: Player) -> str:
    times: dict[str, float] = {}
    for stay in player.stays:
        times[stay.team] = times.get(stay.team, 0.0) + stay.leave - stay.enter
    return max(times, key=times.__getitem__)


@every_kind
def test_win_raises_and_loss_lowers(kind: str) -> None:
    season = [played(number, "ab", "cd") for number in range(4)]
    scores = {"a": 9.0, "b": 8.0, "c": 6.0, "d": 5.0}
    scored = [
        replace(game_round, players=[replace(each, score=scores[each.id]) for each in game_round.players])
        for game_round in season
    ]
    run = finished(KINDS[kind], build_record(scored))
    to_come = replace(played(9, "ax", "cy", ranks=None), started=None, duration=None)
    said = compute_what_if(run, to_come, "a")
    assert said.win > said.draw > said.lose
    assert said.chance is not None
    assert 0.0 < said.chance < 1.0
    assert said.skip_reason is None


@every_kind
def test_upcoming_fixtures_add_no_idle_time(kind: str) -> None:
    """A season's file may contain the next weeks, which must not count as idle time."""
    season = [played(number, "ab", "cd") for number in range(4)]
    far = replace(played(99, "ab", "cd", ranks=None), started=4e8)
    to_come = replace(played(9, "ab", "cd", ranks=None), started=None, duration=None)
    said = [
        compute_what_if(finished(KINDS[kind], build_record(rounds), 4), to_come, "a")
        for rounds in (season, [*season, far])
    ]
    assert said[0] == said[1]


def test_unrated_round_has_reason() -> None:
    run = finished(KINDS["elo-xonstat"], build_record([played(1, "ab", "cd")]))
    said = compute_what_if(run, played(2, "a", "b", mode="cts"), "a")
    assert (said.win, said.lose, said.draw) == (0.0, 0.0, 0.0)
    assert said.skip_reason == "mode_not_rated:cts"
    alone = compute_what_if(run, played(2, "a", ""), "a")
    assert (alone.chance, alone.skip_reason) == (None, "one_side_empty")


def test_absent_player_is_refused() -> None:
    run = finished(KINDS["ns2"], build_record([played(1, "ab", "cd")]))
    away = replace(played(2, "a", "b"), players=[*played(2, "a", "b").players, Player("z", [Stint("A", 3.0, 3.0)])])
    for name in ("nobody", "z"):
        with pytest.raises(ValueError, match="is on no team"):
            compute_what_if(run, away, name)
