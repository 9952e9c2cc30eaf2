"""Generated rounds of the demo user."""

import json
import time
from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from browser_app.demo.demo_names import (
    USER_IDENTITIES,
    USER_STEAM_ACCOUNTS,
    USER_XONOTIC_FINGERPRINT,
)
from browser_app.demo.demo_network import DemoNetwork
from browser_app.demo.masters.demo_masters import DEMO_STEAM_KEY
from browser_app.demo.user import demo_skill_services
from browser_app.demo.user.demo_ns2_rounds import NS2_ROUND_COUNT, NS2_USER_ROUND_COUNT
from browser_app.demo.user.demo_rounds import make_user_rounds
from browser_app.demo.user.demo_xonotic_rounds import XONOTIC_ROUND_COUNT as XONOTIC_ROUNDS
from browser_app.player.own_history import compute_own_history
from browser_app.player.player_identities import STEAM_BASE, match_player_ids
from browser_app.player.skill_summary_builder import build_skill_summary
from browser_app.rating.evaluation.backtest import backtest
from browser_app.rating.rating_parameters import resolve_parameters
from browser_app.rating.record.record_builder import RecordBuilder
from browser_app.rating.record.round_record import RoundRecord
from browser_app.rating.system_registry import RATING_SYSTEMS
from browser_app.rounds.round_file import convert_round

NOW = 1_800_000_000.0  # a Friday
ME = {*map(str, USER_STEAM_ACCOUNTS), USER_XONOTIC_FINGERPRINT}

Rounds = Sequence[dict[str, Any]]


@cache
def kept(seed: int = 1, now: float = NOW) -> tuple[Rounds, Rounds]:
    ns2, xonotic = make_user_rounds(now, time.gmtime, seed)
    return ns2.generate(), xonotic.generate()


def own_rounds(rounds: Rounds) -> list[dict[str, Any]]:
    return [each for each in rounds if any(player["id"] in ME for player in each["players"])]


def start(each: dict[str, Any]) -> float:
    return datetime.fromisoformat(each["started"]).timestamp()


def record_of(rounds: Rounds) -> RoundRecord:
    builder = RecordBuilder()
    for each in rounds:
        builder.add(convert_round(each))
    return builder.build()


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_record_has_stated_rounds(seed: int) -> None:
    ns2, xonotic = kept(seed)
    assert (len(ns2), len(own_rounds(ns2))) == (NS2_ROUND_COUNT, NS2_USER_ROUND_COUNT)
    assert len(xonotic) == len(own_rounds(xonotic)) == XONOTIC_ROUNDS
    for rounds in (ns2, xonotic):
        assert len(record_of(rounds)) == len({each["id"] for each in rounds}) == len(rounds)
        for first, second in pairwise(rounds):
            assert start(first) + first["duration"] <= start(second)
        assert max(start(each) + each["duration"] for each in rounds) < NOW


def test_evenings_and_one_pause() -> None:
    ns2, _ = kept()
    times = [time.gmtime(start(each)) for each in ns2]
    assert sum(when.tm_hour >= 17 for when in times) > 0.75 * len(times)
    assert sum(when.tm_wday >= 5 for when in times) > 0.3 * len(times)
    gaps = np.diff([start(each) for each in own_rounds(ns2)]) / 86400
    assert 22 < gaps.max() < 24
    assert np.sort(gaps)[-2] < 10
    assert np.diff([start(each) for each in ns2]).max() < 6 * 86400


def test_ns2_rounds_of_all_kinds() -> None:
    ns2, _ = kept()
    own = [(each, player) for each in own_rounds(ns2) for player in each["players"] if player["id"] in ME]
    sides = Counter(player["stays"][0]["team"] for _, player in own)
    assert min(sides["marines"], sides["aliens"]) > 80
    assert 10 < sum(bool(player["commanding"]) for _, player in own) < 40
    whole = sum(sum(s["leave"] - s["enter"] for s in player["stays"]) == each["duration"] for each, player in own)
    assert 170 < whole < 205
    modes = Counter(each["mode"] for each in own_rounds(ns2))
    assert modes["siege"] > 10
    assert modes["siege"] < modes["ns2"] / 3
    for each in ns2:
        at_the_start = all(player["stays"][0]["enter"] == 0 for player in each["players"])
        assert at_the_start or not each.get("approximate")
    assert 0.1 < sum(each.get("approximate", False) for each in ns2) / len(ns2) < 0.4


def test_players_are_on_servers() -> None:
    ns2, _ = kept()
    rounds = Counter(player["id"] for each in ns2 for player in each["players"])
    assert sum(count >= 30 for count in rounds.values()) > 75  # they come back
    assert sum(count >= 10 for count in rounds.values()) > 110
    names = {player["name"] for each in ns2 for player in each["players"]}
    there = [
        person.unique_name
        for part in DemoNetwork(servers=200).specs
        if part.server.game.id == "ns2"
        for person in part.server.players
        if not person.is_bot
    ]
    assert len(there) > 30
    assert sum(name in names for name in there) > 0.9 * len(there)
    assert {each["server"] for each in ns2} <= {part.server.name for part in DemoNetwork(servers=200).specs}


def test_identity_finds_player() -> None:
    for game, rounds, ids in zip(
        ("ns2", "xonotic"), kept(), (list(map(str, USER_STEAM_ACCOUNTS)), [USER_XONOTIC_FINGERPRINT]), strict=True
    ):
        record = record_of(rounds)
        of_game = [identity for identity in USER_IDENTITIES if identity.game == game]
        assert sorted(match_player_ids(of_game, record.player_ids, record.player_names)) == sorted(ids)


def ns2_record(seed: int = 1) -> tuple[RoundRecord, str]:
    """His record, and his id in it: both accounts are one."""
    first, *others = map(str, USER_STEAM_ACCOUNTS)
    rounds = json.loads(json.dumps(kept(seed)[0]))
    for player in (player for each in rounds for player in each["players"]):
        player["id"] = first if player["id"] in others else player["id"]
    return record_of(rounds), first


@pytest.mark.parametrize(("seed", "most"), [(1, 0.64), (2, 0.67), (3, 0.67)])
def test_skill_can_be_learned(seed: int, most: float) -> None:
    record, _ = ns2_record(seed)
    systems = [
        RATING_SYSTEMS[name](resolve_parameters(RATING_SYSTEMS[name].declared_parameters))
        for name in ("ns2", "elo-blog", "trueskill2")
    ]
    found = backtest(record, systems)
    loss = {name: score.log_loss for name, score in found.scores.items() if score.log_loss is not None}
    assert loss["ns2"] < most
    assert loss["ns2"] < min(loss["constant"], loss["size"], loss["elo-blog"])
    assert -0.01 < loss["trueskill2"] - loss["ns2"] < 0.06  # ns2 knows what the game reported
    chance = found.chances["ns2"]
    assert ((chance > 0.2) & (chance < 0.8)).mean() > 0.8


def test_skill_rises_and_slumps() -> None:
    record, me = ns2_record()
    system = RATING_SYSTEMS["ns2"](resolve_parameters(RATING_SYSTEMS["ns2"].declared_parameters))
    run = system.new_run(record)
    history = compute_own_history(record, system, me, run=run)
    now = build_skill_summary(run, system, history)
    assert 0.02 < np.nanmin(history.probability) < np.nanmax(history.probability) < 0.98
    assert ((history.probability > 0.2) & (history.probability < 0.8)).mean() > 0.8
    pause = int(np.argmax(np.diff(history.started)))
    before, after = history.after[: pause + 1], history.after[pause + 1 :]
    assert before[-1] > before[0] + 80.0
    assert after.min() < before[-1] - 50.0
    assert after[-1] > after.min() + 80.0
    assert now.tier is not None
    assert now.tier.name == "Veteran"
    assert now.rank is not None
    assert 1 < now.rank < now.ranked_players / 4
    assert now.value is not None
    assert 5.0 < answered_skill() - now.value < 20.0
    assert 50.0 < history.sd[-1] < 200.0


def answered_skill() -> float:
    answer = demo_skill_services.respond_to_skill_request(
        "/ISteamUserStats/GetUserStatsForGame/v2",
        {"key": DEMO_STEAM_KEY, "appid": "4920", "steamid": str(STEAM_BASE + USER_STEAM_ACCOUNTS[0])},
    )
    assert answer is not None
    stats = json.loads(answer.body)["playerstats"]["stats"]
    return float(next(each["value"] for each in stats if each["name"] == "skill"))


def test_xonotic_scores_match_ranks() -> None:
    _, xonotic = kept()
    assert set(Counter(each["mode"] for each in xonotic)) == {"ctf", "duel", "dm"}
    for each in xonotic:
        if each["mode"] == "duel":
            first, second = each["players"]
            better = first if first["score"] > second["score"] else second
            assert each["winner"] == (None if first["score"] == second["score"] else better["id"])
        elif each["mode"] == "dm":
            best = max(each["players"], key=lambda player: player["score"])
            assert each["ranks"][best["id"]] == 1
        assert sum(player["kills"] for player in each["players"]) == sum(p["deaths"] for p in each["players"])


def test_some_of_xonotic_come_back() -> None:
    _, xonotic = kept()
    rounds = Counter(player["id"] for each in xonotic for player in each["players"])
    assert sum(count >= 10 for count in rounds.values()) > 8
    for mode in ("dm", "ctf"):
        there = Counter(player["id"] for each in xonotic if each["mode"] == mode for player in each["players"])
        assert sum(count >= 10 for count in there.values()) >= 4


def test_record_depends_on_week() -> None:
    later = list(make_user_rounds(NOW + 2 * 86400, time.gmtime, 1))
    assert later[0].generate() == kept()[0]
    assert later[1].generate() == kept()[1]
    next_week = list(make_user_rounds(NOW + 3 * 86400, time.gmtime, 1))
    assert next_week[0].name != later[0].name
    assert [start(each) - 7 * 86400 for each in next_week[0].generate()] == [
        start(each) for each in later[0].generate()
    ]
    assert kept(2)[0] != kept()[0]
