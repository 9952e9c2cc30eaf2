"""A simulated record, a player's history of it, and a skill model without delay."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import QObject
from round_simulator import SimulationSettings, simulate_rounds

from browser_app.application.own_skill.skill_state import GameRecord, SkillState
from browser_app.bridge.skill.skill_model import SkillModel
from browser_app.demo.outcome_model import NS2OutcomeModel, NS2SimulationSettings
from browser_app.player.co_players import CoPlayers, find_co_players
from browser_app.player.own_history import OwnHistory, compute_own_history
from browser_app.player.skill_summary import RecentTrend, SkillSummary
from browser_app.rating import RatingRun, RoundRecord, build_record, create_rating_system
from browser_app.rating.forward_pass import ForwardPass
from browser_app.rating.game_round import Round, Stint
from browser_app.rating.rating_explanation import ChangePart, ExplainedPlayer, ExplanationTerm, RatingExplanation

MAPS = ("ns2_veil", "ns2_origin", "ns2_derelict", "ns2_tram", "ns2_summit")
NAMES = ("you", "moth", "harrow", "ninepin", "sable", "LowTide", "pim", "tin kettle", "dunlin", "osprey 9", "krill")
SERVERS = ("Lanternfish Veil EU", "Third Hive Frankfurt", "Sunday Overflow")
ME = "p0"


def simulated_record(rounds: int = 60, seed: int = 1) -> RoundRecord:
    """Return simulated NS2 rounds of players with names."""
    simulation = SimulationSettings(
        players=22, rounds=rounds, sizes=(6, 8), modes=("ns2",), maps=MAPS, late=0.3, early=0.3, commanders=True
    )
    rng = np.random.default_rng(seed)
    matches = [
        match
        for match, _truth in simulate_rounds(
            simulation, NS2OutcomeModel(22, len(MAPS), NS2SimulationSettings(), rng), rng
        )
    ]
    return build_record([_named(match) for match in matches])


def _named(match: Round) -> Round:
    teams = tuple(name.capitalize() for name in match.teams)
    rename = dict(zip(match.teams, teams, strict=True))

    def name_of(player: str) -> str:
        number = int(player[1:])
        return NAMES[number] if number < len(NAMES) else f"player {number}"

    def moved(stays: Sequence[Stint]) -> list[Stint]:
        return [replace(stay, team=rename[stay.team]) for stay in stays]

    players = [
        replace(each, name=name_of(each.id), stays=moved(each.stays), commanding=moved(each.commanding))
        for each in match.players
    ]
    return replace(match, teams=teams, players=players)


def history_of(record: RoundRecord, system: str = "ns2") -> OwnHistory:
    servers = [SERVERS[k % len(SERVERS)] for k in range(len(record))]
    approximate = np.arange(len(record)) % 9 == 4
    return compute_own_history(
        record, create_rating_system(system), ME, game="ns2", servers=servers, approximate=approximate
    )


def state_of(history: OwnHistory) -> SkillState:
    trend = RecentTrend(rounds=0, change=0.0, won=0, lost=0, drawn=0, expected=0.0)
    now = SkillSummary(
        value=1640.0,
        mode="",
        sd=None,
        sd_from="",
        low=None,
        high=None,
        certainty="unknown",
        tier=None,
        next_tier=None,
        points_to_next_tier=None,
        confident_points=None,
        adagrad_sum=None,
        rank=None,
        ranked_players=0,
        rounds=0,
        won=0,
        lost=0,
        drawn=0,
        recent_trend=trend,
        parts=(),
    )
    game = GameRecord("ns2", "Natural Selection 2", 642, len(history))
    return SkillState(game, history.system, history, now, rated_at=0.0)


def example_explanation() -> RatingExplanation:
    """Return the explanation of an NS2 round with well-known numbers."""
    own = [
        ("p1", "moth", 1985, 1.0),
        (ME, "you", 1701, 0.71),
        ("p4", "sable", 1822, 0.92),
        ("p5", "LowTide", 1604, 1.0),
    ]
    other = [("p2", "harrow", 1985, 1.0), ("p3", "ninepin", 1890, 0.98), ("p8", "dunlin", 1764, 0.83)]
    aliens = [ExplainedPlayer(*each[:2], "Aliens", *each[2:]) for each in own]
    marines = [ExplainedPlayer(*each[:2], "Marines", *each[2:]) for each in other]
    aliens.append(ExplainedPlayer("c1", "marrow", "Aliens", 1581.0, 1.0, is_commander=True))
    marines.append(ExplainedPlayer("c2", "Quillon", "Marines", 1604.0, 1.0, is_commander=True))
    return RatingExplanation(
        system="ns2",
        player=ME,
        team=1,
        probability=0.38,
        outcome=1.0,
        share=0.71,
        change=8.6,
        terms=(
            ExplanationTerm("field", -0.42, 0.40),
            ExplanationTerm("commanders", -0.23, 0.44),
            ExplanationTerm("circumstance", 0.16, 0.54),
        ),
        total=-0.49,
        link="logit",
        parts=(
            ChangePart(
                "result", 8.6, ChangePart.product("x", points=50.0, rate=4.17, surprise=0.62, share=0.0668).factors
            ),
        ),
        if_won=8.6,
        if_lost=-5.3,
        if_full_round=11.8,
        teams=(tuple(marines), tuple(aliens)),
        side_effects=(
            ChangePart("offset", 1.2, ChangePart.product("x", points=50.0, c=2.4, surprise=0.62, whole=0.016).factors),
        ),
        notes={
            "c": 2.4,
            "a": 0.9,
            "sum": 0.256,
            "epsilon": 0.001,
            "mean_own": 1682.0,
            "mean_other": 1696.0,
            "rounds_own": 5.27,
            "rounds_other": 5.36,
        },
    )


class FakeRoundsModel(SkillModel):
    """A skill model that answers at once and records the explained rounds."""

    def __init__(self, record: RoundRecord, system: str = "ns2") -> None:
        QObject.__init__(self)  # skip SkillModel's: no database and no workers
        self.record, self.system = record, system
        self.game = "ns2"
        self.state = state_of(history_of(record, system))
        self.imported: list[Path] = []
        self.explained_ids: list[str] = []

    @property
    def queries(self) -> Any:  # type: ignore[override]
        """The model answers its queries itself."""
        return self

    def explain_round(self, round_id: str, callback: Callable[[RatingExplanation], object]) -> None:
        self.explained_ids.append(round_id)
        callback(example_explanation())

    def request_co_players(self, callback: Callable[[CoPlayers], object]) -> None:
        assert self.state is not None
        callback(find_co_players(self.state.history, self.record))

    def request_final_run(self, callback: Callable[[RatingRun], object]) -> None:
        run = create_rating_system(self.system).new_run(self.record)
        ForwardPass(run).advance_to(len(self.record))
        callback(run)

    def import_paths(self, paths: Sequence[Path]) -> None:
        self.imported += paths
