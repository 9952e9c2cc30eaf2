"""Simulated rounds: valid, and outcomes drawn from the stated truth."""

import math
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from round_simulator import OutcomeModel, RoundTruth, SimulationSettings, simulate_rounds
from trueskill2_simulator import TrueSkill2OutcomeModel

from browser_app.demo.outcome_model import NS2OutcomeModel, NS2SimulationSettings
from browser_app.rating.game_round import Round
from browser_app.rating.ns2.ns2_run import NS2Run
from browser_app.rating.ns2.ns2_system import NS2System
from browser_app.rating.rating_parameters import resolve_parameters
from browser_app.rating.record.record_builder import build_record
from browser_app.rating.trueskill2.trueskill2_model import BaseSkillModel, CountModel, QuitModel
from browser_app.rating.trueskill2.trueskill2_model import ModeModel as TrueSkill2Model

pytestmark = pytest.mark.slow

PLAIN = TrueSkill2Model(m0=1.0, v0=0.5, gamma2=0.0, tau2=0.0, beta2=1.0, draw_margin=0.0)


def played(simulation: SimulationSettings, model: OutcomeModel, seed: int = 1) -> list[tuple[Round, RoundTruth]]:
    return list(simulate_rounds(simulation, model, np.random.default_rng(seed)))


def a_model(simulation: SimulationSettings, *, trueskill2: bool, seed: int = 1) -> OutcomeModel:
    rng = np.random.default_rng(seed)
    if trueskill2:
        return TrueSkill2OutcomeModel(simulation.players, [PLAIN] * len(simulation.modes), rng)
    return NS2OutcomeModel(
        simulation.players, len(simulation.maps), NS2SimulationSettings(offset=1.0, advantage=0.5), rng
    )


simulations = st.builds(
    SimulationSettings,
    players=st.integers(14, 30),
    rounds=st.integers(0, 8),
    sizes=st.sampled_from(((1, 1), (3, 7), (6, 6))),
    modes=st.sampled_from((("",), ("a", "b"))),
    maps=st.sampled_from((("",), ("x", "y", "z"))),
    length_spread=st.sampled_from((0.0, 1.0)),
    activity=st.sampled_from((0.0, 1.0)),
    late=st.sampled_from((0.0, 0.7, 1.0)),
    early=st.sampled_from((0.0, 0.7, 1.0)),
    switch=st.sampled_from((0.0, 0.7, 1.0)),
    squad=st.sampled_from((0.0, 0.5, 1.0)),
    commanders=st.booleans(),
)


@given(simulations, st.booleans(), st.integers(0, 1000))
@settings(deadline=None)
def test_simulations_are_valid_and_deterministic(simulation: SimulationSettings, trueskill2: bool, seed: int) -> None:
    rounds = played(simulation, a_model(simulation, trueskill2=trueskill2), seed)
    assert rounds == played(simulation, a_model(simulation, trueskill2=trueskill2), seed)
    record = build_record(game_round for game_round, _ in rounds)
    assert len(record) == simulation.rounds
    for game_round, truth in rounds:
        assert list(truth.skill) == [player.id for player in game_round.players]
        assert truth.chance is not None
        assert 0.0 <= truth.chance <= 1.0


def test_shares_match_settings() -> None:
    simulation = SimulationSettings(
        players=40, rounds=600, late=0.3, early=0.2, switch=0.1, squad=0.4, length_spread=0.0
    )
    rounds = [game_round for game_round, _ in played(simulation, a_model(simulation, trueskill2=False))]
    players = [(game_round, player) for game_round in rounds for player in game_round.players]
    assert all(game_round.duration == simulation.length_s for game_round in rounds)
    assert np.mean([player.stays[0].enter > 0.0 for _, player in players]) == pytest.approx(0.3, abs=0.02)
    assert np.mean([player.stays[-1].leave < simulation.length_s for _, player in players]) == pytest.approx(
        0.2, abs=0.02
    )
    assert np.mean([len(player.stays) == 2 for _, player in players]) == pytest.approx(0.1, abs=0.02)
    alone = np.mean([player.squad is None for _, player in players])  # neither joined another player nor was joined
    assert alone == pytest.approx((2 * 0.6 + 4 * 0.6**2) / 6, abs=0.02)
    pauses = [b.started - a.started - a.duration for a, b in pairwise(rounds)]  # type: ignore[operator]
    assert np.mean(pauses) == pytest.approx(simulation.pause_s, rel=0.1)


def test_squads_have_two_members_or_more() -> None:
    simulation = SimulationSettings(rounds=200, squad=0.5)
    for game_round, _ in played(simulation, a_model(simulation, trueskill2=False)):
        for squad in {player.squad for player in game_round.players if player.squad is not None}:
            members = [player for player in game_round.players if player.squad == squad]
            assert len(members) >= 2
            assert len({player.stays[0].team for player in members}) == 1


def test_first_player_plays_most() -> None:
    simulation = SimulationSettings(players=50, rounds=300, activity=1.0)
    counts = dict.fromkeys(range(50), 0)
    for game_round, _ in played(simulation, a_model(simulation, trueskill2=False)):
        for player in game_round.players:
            counts[int(player.id[1:])] += 1
    assert counts[0] > 250
    assert counts[49] < counts[0] / 2


def calibration(rounds: list[tuple[Round, RoundTruth]]) -> float:
    """Return by how many standard deviations the first-named team won more."""
    decided = [
        (game_round.ranks[0] == 1, truth.chance)
        for game_round, truth in rounds
        if game_round.ranks and game_round.ranks[0] != game_round.ranks[1]
    ]
    wins, chance = np.array([won for won, _ in decided]), np.array([p for _, p in decided], np.float64)
    return float((wins - chance).sum() / math.sqrt((chance * (1.0 - chance)).sum()))


@pytest.mark.parametrize("trueskill2", [False, True])
def test_outcomes_match_chances(trueskill2: bool) -> None:
    simulation = SimulationSettings(rounds=3000, sizes=(4, 7), late=0.3, early=0.3, switch=0.1, maps=("x", "y"))
    rounds = played(simulation, a_model(simulation, trueskill2=trueskill2))
    chances = np.array([truth.chance for _, truth in rounds])
    assert np.std(chances) > 0.1
    for low, high in ((0.0, 0.35), (0.35, 0.65), (0.65, 1.0)):
        assert abs(calibration([each for each, p in zip(rounds, chances, strict=True) if low <= p < high])) < 3.0


def test_ns2_chance_equals_prediction() -> None:
    simulation = SimulationSettings(
        players=60, rounds=200, sizes=(4, 7), late=0.3, early=0.3, switch=0.2, commanders=True
    )
    model = NS2OutcomeModel(60, 1, NS2SimulationSettings(offset=2.0), np.random.default_rng(1))
    rounds = played(simulation, model)
    record = build_record(game_round for game_round, _ in rounds)
    run = NS2System(resolve_parameters(NS2System.declared_parameters)).new_run(record)
    assert isinstance(run, NS2Run)
    numbers = [int(player[1:]) for player in record.player_ids]
    known = run._skills
    known.skill, known.offset, known.commander = (
        values[numbers].tolist() for values in (model.skill, model.offset, model.commander)
    )
    for k, (_, truth) in enumerate(rounds):
        assert run.prediction(k).probability == pytest.approx(truth.chance, abs=1e-12)


def test_ns2_map_bias() -> None:
    """Players without any skill leave only F."""
    simulation = SimulationSettings(rounds=30, maps=("x", "y", "z"))
    model = NS2OutcomeModel(
        simulation.players, 3, NS2SimulationSettings(theta=1e-9, advantage=1.0), np.random.default_rng(1)
    )
    for game_round, truth in played(simulation, model):
        assert truth.chance == pytest.approx(
            1.0 / (1.0 + math.exp(-model.advantage[simulation.maps.index(game_round.map)])), abs=1e-6
        )


def test_ns2_draws_and_drift() -> None:
    simulation = SimulationSettings(players=20, rounds=800)
    rounds = played(
        simulation, NS2OutcomeModel(20, 1, NS2SimulationSettings(drift=0.1, draws=0.2), np.random.default_rng(1))
    )
    assert np.mean([game_round.ranks == (1, 1) for game_round, _ in rounds]) == pytest.approx(0.2, abs=0.04)
    steps = []
    last: dict[str, float] = {}
    for _, truth in rounds:
        steps += [skill - last[player] for player, skill in truth.skill.items() if player in last]
        last |= truth.skill
    assert np.std(steps) == pytest.approx(0.1, rel=0.03)


def trueskill2_rounds(simulation: SimulationSettings, *models: TrueSkill2Model) -> list[tuple[Round, RoundTruth]]:
    return played(simulation, TrueSkill2OutcomeModel(simulation.players, models, np.random.default_rng(3)))


def steps(simulation: SimulationSettings, model: TrueSkill2Model, *, of_mode: bool) -> list[tuple[int, float, float]]:
    """Return steps between a player's rounds (in a mode).

    Earlier rounds, idle minutes, change of skill.
    """
    last: dict[tuple[str, str], tuple[int, float, float]] = {}
    found = []
    for game_round, truth in trueskill2_rounds(simulation, *(model for _ in simulation.modes)):
        assert game_round.started is not None
        assert game_round.duration is not None
        for player, skill in truth.skill.items():
            key = (player, game_round.mode if of_mode else "")
            rounds, end, before = last.get(key, (0, 0.0, 0.0))
            if rounds:
                found.append((rounds - 1, (game_round.started - end) / 60.0, skill - before))
            last[key] = (rounds + 1, game_round.started + game_round.duration, skill)
    return found


def test_trueskill2_skill_walk() -> None:
    """Each in its mode, skills walk by eqs. (2), (3) and (8).

    That is a variance gamma2 per round and tau2 per minute, about the experience gain.
    """
    simulation = SimulationSettings(players=20, rounds=1500, length_s=9000.0, pause_s=3000.0, modes=("a", "b"))
    model = TrueSkill2Model(1.0, 0.5, 0.002, 1e-4, 1.0, 0.0, experience_offset=(0.5, 0.25, 0.0))
    gains: dict[int, list[float]] = {0: [], 1: [], 2: []}
    scaled = []
    for rounds, idle, step in steps(simulation, model, of_mode=True):
        gains[min(rounds, 2)].append(step)
        scaled.append((step - model.experience_offset[min(rounds, 2)]) / math.sqrt(0.002 + 1e-4 * idle))
    assert np.std(scaled) == pytest.approx(1.0, rel=0.03)
    assert [np.mean(gains[n]) for n in range(3)] == pytest.approx([0.5, 0.25, 0.0], abs=0.1)


def test_base_skill_walks_with_any_round() -> None:
    """Eqs. (15), (16), of a skill that is all base."""
    simulation = SimulationSettings(players=20, rounds=1500, length_s=9000.0, pause_s=3000.0, modes=("a", "b"))
    model = TrueSkill2Model(0.0, 0.0, 0.0, 0.0, 1.0, 0.0, base=BaseSkillModel(1.0, 0.002, 1e-4, 1.0))
    scaled = [step / math.sqrt(0.002 + 1e-4 * idle) for _, idle, step in steps(simulation, model, of_mode=False)]
    assert np.std(scaled) == pytest.approx(1.0, rel=0.03)


def test_counts_follow_performances() -> None:
    """Counts follow eq. (9) for a skill that all players share.

    Their mean and variance are those over the minutes played.
    """
    model = TrueSkill2Model(
        2.0, 0.0, 0.0, 0.0, 1e-12, 0.0, kills=CountModel(1.0, -0.25, 0.5, 0.5), deaths=CountModel(-1.0, 0.5, 0.5, 0.0)
    )
    simulation = SimulationSettings(rounds=400, length_spread=0.5)
    players = [player for game_round, _ in trueskill2_rounds(simulation, model) for player in game_round.players]
    minutes = np.array([sum(stay.leave - stay.enter for stay in player.stays) / 60.0 for player in players])
    kills = np.array([player.kills for player in players], np.float64)
    rate = 1.0 * 2.0 - 0.25 * 2.0 + 0.5
    scaled = (kills - rate * minutes) / np.sqrt(0.5 * minutes)
    assert np.mean(scaled) == pytest.approx(0.0, abs=0.06)
    assert np.std(scaled) == pytest.approx(1.0, rel=0.03)
    deaths = np.array([player.deaths for player in players], np.float64)
    assert (deaths >= 0.0).all()
    assert np.mean(deaths == 0.0) > 0.5


def test_opponents_divide_attention() -> None:
    """One against two faces both whole, each of the two half of the one.

    These are eqs. (10) and (11).
    """
    model = TrueSkill2Model(1.0, 0.0, 0.0, 0.0, 1e-12, 0.0, kills=CountModel(0.0, 1.0, 1e-9))
    simulation = SimulationSettings(rounds=40, sizes=(1, 2), length_s=600.0, length_spread=0.0)
    seen = set()
    for game_round, _ in trueskill2_rounds(simulation, model):
        sizes = [sum(player.stays[0].team == team for player in game_round.players) for team in game_round.teams]
        for player in game_round.players:
            own, other = sizes if player.stays[0].team == game_round.teams[0] else sizes[::-1]
            seen.add((own, other))
            assert player.kills == pytest.approx(10.0 * other / own, rel=1e-3)
    assert seen == {(1, 1), (1, 2), (2, 1), (2, 2)}


def test_quits_match_model() -> None:
    """Quits follow eq. (13), p_u + (1 − p_u) p_r Φ((m_q − d)/√v_q).

    They are more frequent after bad performances.
    """
    quits = QuitModel(m=-0.5, v=0.3, pu=0.05, pr=0.7)
    model = TrueSkill2Model(1.0, 0.5, 0.0, 0.0, 1.0, 0.0, quits=quits)
    simulation = SimulationSettings(rounds=1500, sizes=(1, 1))
    expected: list[float] = []
    happened: list[float] = []
    for game_round, truth in trueskill2_rounds(simulation, model):
        ours, theirs = truth.skill.values()
        for player, d in zip(game_round.players, (ours - theirs, theirs - ours), strict=True):
            under = 0.5 * math.erfc((d - quits.m) / math.sqrt(2.0 * (quits.v + 2.0)))  # two performances of variance 1
            expected.append(quits.pu + (1.0 - quits.pu) * quits.pr * under)
            happened.append(float(player.quit or False))
    assert np.mean(happened) == pytest.approx(np.mean(expected), abs=0.02)
    assert np.corrcoef(expected, happened)[0, 1] > 0.2


def test_squads_win_by_offset() -> None:
    """Eq. (7), and the chance of a win where a gap within the margin is a draw."""
    model = TrueSkill2Model(1.0, 0.0, 0.0, 0.0, 1.0, 1.5, squad_offset=(0.0, 2.0, 5.0))

    def wins_by(gap: float) -> float:
        return 0.5 * math.erfc(-(gap - model.draw_margin) / math.sqrt(6.0) / math.sqrt(2.0))

    for game_round, truth in trueskill2_rounds(SimulationSettings(rounds=100, sizes=(3, 3), squad=0.5), model):
        shift = 0.0
        for player in game_round.players:
            size = 1 if player.squad is None else sum(other.squad == player.squad for other in game_round.players)
            shift += model.squad_offset[size - 1] * (1 if player.stays[0].team == game_round.teams[0] else -1)
        assert truth.chance == pytest.approx(wins_by(shift) / (wins_by(shift) + wins_by(-shift)), abs=1e-12)


def test_modes_share_base_skill() -> None:
    """Eq. (20): w · base + offset; the covariance of two modes is w² v_base."""
    one = TrueSkill2Model(0.0, 0.5, 0.0, 0.0, 1.0, 0.0, base=BaseSkillModel(2.0, 0.0, 0.0, 0.5))
    simulation = SimulationSettings(players=400, rounds=1200, modes=("a", "b"))
    skills: dict[str, dict[str, float]] = {"a": {}, "b": {}}
    for game_round, truth in trueskill2_rounds(simulation, one, one):
        skills[game_round.mode] |= truth.skill
    both = skills["a"].keys() & skills["b"].keys()
    covariance = np.cov([skills["a"][player] for player in both], [skills["b"][player] for player in both])
    assert covariance == pytest.approx(np.array([[1.0, 0.5], [0.5, 1.0]]), abs=0.15)


def test_many_teams_rank_by_performance() -> None:
    simulation = SimulationSettings(rounds=600, teams=("a", "b", "c"), sizes=(2, 2))
    model = TrueSkill2Model(1.0, 0.5, 0.0, 0.0, 1.0, 0.5)
    rounds = trueskill2_rounds(simulation, model)
    assert all(truth.chance is None for _, truth in rounds)
    ranks = [tuple(game_round.ranks or ()) for game_round, _ in rounds]
    assert {(1, 1, 1), (1, 1, 2), (1, 2, 3), (1, 2, 2)} <= {tuple(sorted(each)) for each in ranks}
    for (game_round, truth), each in zip(rounds, ranks, strict=True):
        assert sorted(set(each)) == list(range(1, len(set(each)) + 1))
        assert len(game_round.players) == len(truth.skill) == 6
    upsets = 0
    for (game_round, truth), each in zip(rounds, ranks, strict=True):
        strength = [
            sum(truth.skill[p.id] for p in game_round.players if p.stays[0].team == team) for team in game_round.teams
        ]
        upsets += sum((strength[a] > strength[b]) != (each[a] < each[b]) for a, b in combinations(range(3), 2))
    assert upsets < 0.45 * 3 * len(rounds)
