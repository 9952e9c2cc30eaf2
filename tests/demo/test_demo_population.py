"""Population of demo servers: at the start, over time, for one seed."""

import random
from collections import Counter
from dataclasses import asdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from browser_app.demo.faults.network_faults import NetworkFaults, ServerFault, can_have_fault
from browser_app.demo.population import PopulationSimulation
from browser_app.demo.responders.a2s_responder import ns2_keywords, ns2_rules
from browser_app.demo.scenario import GAME_SPECS, ServerSpec, make_server_specs


def parts(
    servers: int = 400, seed: int = 1, faults: NetworkFaults | None = None, dead: float = 0.0
) -> list[ServerSpec]:
    return make_server_specs(
        servers,
        (20.0, 180.0),
        dead=dead,
        challenge_info=0.5,
        faults=faults or NetworkFaults(),
        games=tuple(GAME_SPECS),
        rng=random.Random(seed),
    )


def test_network_depends_on_seed() -> None:
    def described(seed: int) -> list[object]:
        return [(asdict(part.server), part.latency_ms, part.challenge_info) for part in parts(seed=seed)]

    assert described(7) == described(7)
    assert described(7) != described(8)


def test_most_servers_are_empty() -> None:
    states = [part.server for part in parts(2000)]
    empty = sum(state.human_count == 0 for state in states) / len(states)
    full = sum(state.human_count >= state.max_players - state.reserved for state in states) / len(states)
    assert 0.4 < empty < 0.65
    assert 0.02 < full < 0.15


def test_names_are_kept_to() -> None:
    assert GAME_SPECS["tf2"].mode_and_map_in_name("24/7 Harvest") == ("koth", "koth_harvest_final")
    assert GAME_SPECS["ns2"].mode_and_map_in_name("Siege after work") == ("siege", None)
    assert GAME_SPECS["warfork"].mode_and_map_in_name("Casual Dash Diner") == (None, None)
    harvest = next(part.server for part in parts() if part.server.name == "24/7 Harvest")
    PopulationSimulation([harvest], random.Random(1)).advance(7200)
    assert harvest.map == "koth_harvest_final"
    assert harvest.round_started_s > 0


def test_games_have_their_shares() -> None:
    counts = Counter(part.server.game.id for part in parts(1600))
    whole = sum(sheet.share for sheet in GAME_SPECS.values())
    assert counts.keys() == GAME_SPECS.keys()
    for game, sheet in GAME_SPECS.items():
        assert abs(counts[game] - 1600 * sheet.share / whole) <= 1


def test_shares_are_met_exactly() -> None:
    shares = {ServerFault.GARBAGE: 0.1, ServerFault.WRONG_TOKEN: 0.5, ServerFault.BZIP2_BOMB: 0.25}
    cast_parts = parts(400, faults=NetworkFaults(shares), dead=0.3)
    living = [part for part in cast_parts if part.is_alive]
    assert len(living) == 280
    assert sum(part.challenge_info for part in cast_parts) == 200
    for lie, share in shares.items():
        able = [part for part in living if can_have_fault(part.server.game.protocol, lie)]
        assert sum(part.fault is lie for part in able) == round(share * len(able))
    assert all(part.fault is None for part in cast_parts if not part.is_alive)


def test_players_and_maps_change() -> None:
    states = [part.server for part in parts(100)]
    before = [({person.name for person in state.players}, state.map) for state in states]
    life = PopulationSimulation(states, random.Random(1))
    life.advance(1800)
    changed = [({person.name for person in state.players}, state.map) for state in states]
    assert sum(old[0] != new[0] for old, new in zip(before, changed, strict=True)) > 30
    assert sum(old[1] != new[1] for old, new in zip(before, changed, strict=True)) > 30
    assert any(state.current_performance != state.performance for state in states if state.game.id == "ns2")


def test_player_count_stays_stable() -> None:
    states = [part.server for part in parts(1000)]
    before = sum(state.human_count for state in states)
    PopulationSimulation(states, random.Random(2)).advance(3600)
    assert 0.8 * before < sum(state.human_count for state in states) < 1.25 * before


def test_steps_do_not_matter() -> None:
    once, often = [part.server for part in parts(50)], [part.server for part in parts(50)]
    PopulationSimulation(once, random.Random(3)).advance(600)
    life = PopulationSimulation(often, random.Random(3))
    for second in range(601):
        life.advance(second)
    assert [asdict(state) for state in once] == [asdict(state) for state in often]


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32), hours=st.floats(0, 3))
def test_servers_obey_their_rules(seed: int, hours: float) -> None:
    states = [part.server for part in parts(40, seed)]
    PopulationSimulation(states, random.Random(seed)).advance(3600 * hours)
    for state in states:
        assert len(state.players) <= state.max_players
        assert len({person.unique_name for person in state.players}) == len(state.players)
        assert state.map in state.current_mode.maps
        assert -99 <= state.current_performance <= 100
        assert -99 <= state.performance <= 100
        assert 0 <= state.quality <= 100
        assert all(person.team in (0, 1, 2) for person in state.players)
        assert all(not person.team for person in state.players if person.is_spectator)


@pytest.mark.parametrize("seed", range(3))
def test_ns2_servers_are_truthful(seed: int) -> None:
    for part in parts(60, seed):
        state = part.server
        if state.game.id != "ns2":
            continue
        tags = ns2_keywords(state).split("|")
        assert len(ns2_keywords(state)) <= 127
        assert tags[:2] == ["344", state.mode]
        assert [int(tag) for tag in tags[4:7]] == [state.current_performance, state.performance, state.quality]
        assert (f"R_S{state.reserved}" in tags) == bool(state.reserved)
        skill = ns2_rules(state)["AverageSkill"]
        assert (skill == "nan") == (state.human_count == 0)
