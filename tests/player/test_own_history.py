"""The own history equals the output of `rate` and survives encoding."""

import json
from typing import Any

import numpy as np
import pytest
from player_rounds import ME, generate_record, generate_rounds
from round_serializer import object_from_round

from browser_app.app import run_program
from browser_app.player.own_history import OwnHistory, compute_own_history
from browser_app.player.skill_summary_builder import build_skill_summary
from browser_app.rating.game_round import Player, Round, Stint
from browser_app.rating.record.record_builder import build_record
from browser_app.rating.record.round_record import RoundRecord
from browser_app.rating.system_registry import RATING_SYSTEMS, create_rating_system
from browser_app.rounds.round_reader import read_rounds


@pytest.fixture(scope="module")
def league_file(tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("league") / "league.jsonl"
    matches = [*generate_rounds(), Round("later", ("marines", "aliens"), (), None)]
    file.write_text("".join(json.dumps(object_from_round(match)) + "\n" for match in matches), encoding="utf-8")
    return str(file)


@pytest.fixture(scope="module")
def record(league_file: str) -> RoundRecord:
    return read_rounds([league_file]).record


def run_rate_command(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    assert run_program(["rate", "--trace", *words]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("name", RATING_SYSTEMS)
def test_history_equals_rate_output(
    name: str, league_file: str, record: RoundRecord, capsys: pytest.CaptureFixture[str]
) -> None:
    output = run_rate_command(capsys, "--system", name, league_file)
    system = create_rating_system(name)
    run = system.new_run(record)
    history = compute_own_history(record, system, ME, run=run)
    steps = {entry["id"]: entry for entry in output["trace"]}
    mine = [entry for entry in output["trace"] if ME in entry["changes"]]
    assert len(mine) > 50
    rated_ids = [name for name, reason in zip(history.ids, history.skip_reason, strict=True) if not reason]
    assert rated_ids == [each["id"] for each in mine]
    points = 50.0 if name == "ns2" else 1.0
    for n, (round_id, why) in enumerate(zip(history.ids, history.skip_reason, strict=True)):
        first = record.teams(int(history.round[n]))[0] == history.teams[history.team[n]]
        if why:
            assert round_id not in steps
            assert np.isnan(history.probability[n])
            continue
        step = steps[round_id]
        change = step["changes"][ME]
        chance, outcome = step["probability"], step["outcome"]
        assert history.probability[n] == pytest.approx(chance if first else 1.0 - chance, abs=1e-15)
        assert history.outcome[n] == (outcome if first else 1.0 - outcome)
        assert history.before[n] == points * change["before"]
        assert history.after[n] == points * change["after"]
        if change["sd"] is not None:
            assert history.sd[n] == points * change["sd"]
        elif name == "ns2":  # not in the trace: an estimate
            assert history.sd_from == "gradients"
            assert history.sd[n] > 0.0
        else:
            assert np.isnan(history.sd[n])
    fields = output["players"][ME]
    now = build_skill_summary(run, system, history)
    assert now.value == fields.get("points", fields.get("mean", fields.get("rating")))
    assert now.sd == (history.sd[-1] if name == "ns2" else fields.get("sd"))
    assert now.sd_from == history.sd_from == ("gradients" if name == "ns2" else "")


def test_players_count_for_longest_team(record: RoundRecord) -> None:
    history = compute_own_history(record, create_rating_system("trueskill2"), ME, game="ns2")
    matches = {match.id: match for match in generate_rounds()}
    for n, round_id in enumerate(history.ids):
        teams = [_longest(player) for player in matches[round_id].players]
        mine = history.teams[history.team[n]]
        assert mine == _longest(next(player for player in matches[round_id].players if player.id == ME))
        assert history.size_mine[n] == teams.count(mine)
        assert history.size_other[n] == len(teams) - teams.count(mine)
    assert ((history.share > 0.0) & (history.share <= 1.0)).all()
    assert (history.commander_share <= history.share).all()
    assert set(history.outcome.tolist()) == {0.0, 0.5, 1.0}
    assert (np.diff(history.started) > 0.0).all()


def _longest(player: Player) -> str:
    seconds: dict[str, float] = {}
    for stay in player.stays:
        seconds[stay.team] = seconds.get(stay.team, 0.0) + stay.leave - stay.enter
    return max(seconds, key=seconds.__getitem__)


def test_time_is_weighted_by_system() -> None:
    half = Player(ME, [Stint("a", 0.0, 600.0)], commanding=[Stint("a", 0.0, 300.0)])
    other = Player("x", [Stint("b", 0.0, 1200.0)])
    record = build_record([Round("r", ("a", "b"), (half, other), 0.0, 1200.0, (1, 2))])
    seconds = compute_own_history(record, create_rating_system("trueskill2"), ME)
    assert (seconds.share[0], seconds.commander_share[0]) == (0.5, 0.25)
    weighed = compute_own_history(
        record, create_rating_system("ns2"), ME
    )  # half of a median round weighs ½; all of it weighs ¾
    assert weighed.share[0] == pytest.approx(0.5 / 0.75)


def test_three_teams_play_for_first_place() -> None:
    def play_round(name: str, ranks: tuple[int, ...] | None) -> Round:
        people = [Player(each, [Stint(team, 0.0, 60.0)]) for each, team in ((ME, "b"), ("x", "a"), ("y", "c"))]
        return Round(name, ("a", "b", "c"), people, float(len(name)), 60.0, ranks)

    names = {"r": (2, 1, 3), "rr": (1, 1, 2), "rrr": (1, 2, 3), "rrrr": None}
    history = compute_own_history(
        build_record([play_round(*each) for each in names.items()]), create_rating_system("trueskill2"), ME
    )
    assert history.outcome.tolist()[:3] == [1.0, 0.5, 0.0]
    assert np.isnan(history.outcome[3])
    assert history.probability[0] == pytest.approx(1.0 / 3.0, abs=1e-3)
    assert history.skip_reason == ("", "", "", "no_outcome")
    assert history.before[3] == history.after[3] == history.after[2]


@pytest.mark.parametrize("name", ["ns2", "elo-blog", "trueskill2"])
def test_newcomer_value_is_not_rating(name: str) -> None:
    def play_round(number: int, *player_ids: str, ranks: tuple[int, ...] | None = (1, 2)) -> Round:
        people = [Player(each, [Stint(team, 0.0, 60.0)]) for each, team in zip(player_ids, "ab", strict=False)]
        return Round(str(number), ("a", "b"), people, float(number), 60.0, ranks)

    rounds = (play_round(0, ME), play_round(1, ME, "x", ranks=None), play_round(2, ME, "x"), play_round(3, ME))
    history = compute_own_history(build_record(rounds), create_rating_system(name), ME)
    assert np.isnan([history.before[:2], history.after[:2], history.sd[:2]]).all()
    assert np.isfinite([history.before[2:], history.after[2:]]).all()
    assert history.after[3] == history.before[3] == history.after[2]


def test_servers_and_approximate_by_round() -> None:
    record = generate_record(30)
    servers = [None if k % 3 else f"s{k % 2}" for k in range(len(record))]
    approximate = np.arange(len(record)) % 2 == 0
    history = compute_own_history(record, create_rating_system("ns2"), ME, servers=servers, approximate=approximate)
    server_names = [None if i < 0 else history.servers[i] for i in history.server.tolist()]
    assert server_names == [servers[k] for k in history.round.tolist()]
    assert history.approximate.tolist() == approximate[history.round].tolist()


def test_unknown_player_has_no_rounds() -> None:
    record = generate_record(5)
    assert len(compute_own_history(record, create_rating_system("ns2"), "nobody")) == 0
    assert len(compute_own_history(record.first_rounds(0), create_rating_system("ns2"), ME)) == 0


def test_bytes_round_trip(record: RoundRecord) -> None:
    history = compute_own_history(record, create_rating_system("elo-blog"), ME, game="ns2", servers=["ü"] * len(record))
    content = history.to_bytes()
    decoded = OwnHistory.from_bytes(content)
    for name, value in vars(history).items():
        if isinstance(value, np.ndarray):
            np.testing.assert_array_equal(getattr(decoded, name), value)
            assert getattr(decoded, name).dtype == value.dtype
        else:
            assert getattr(decoded, name) == value
    for broken in (b"", b"no", content[: len(content) // 2], content[:-400]):
        with pytest.raises(ValueError, match="damaged"):
            OwnHistory.from_bytes(broken)


def test_progress_reaches_total() -> None:
    record, calls = generate_record(40), list[tuple[int, int]]()
    compute_own_history(
        record, create_rating_system("ns2"), ME, progress=lambda done, total: calls.append((done, total))
    )
    assert calls[0] == (0, 40)
    assert calls[-1] == (40, 40)
