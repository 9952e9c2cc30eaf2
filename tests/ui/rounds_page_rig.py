"""A played record, one player's way through it, and a panel that answers at once."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from PySide6.QtCore import QObject

from browser_app.bridge.skill.panel import SkillPanel
from browser_app.bridge.skill.shown import GameRecord, Shown
from browser_app.player.company import Company, company_of
from browser_app.player.now import Now, Trend
from browser_app.player.own_history import OwnHistory, own_history
from browser_app.rating import RatingRun, Record, rating_system, record_of
from browser_app.rating.explanation import Explanation, Member, Part, Term
from browser_app.rating.match import Match, Stay
from browser_app.rating.rate import Forward
from browser_app.rating.simulator import World, simulate
from browser_app.rating.simulator_ns2 import NS2Truth, NS2World

MAPS = ("ns2_veil", "ns2_origin", "ns2_derelict", "ns2_tram", "ns2_summit")
NAMES = ("you", "moth", "harrow", "ninepin", "sable", "LowTide", "pim", "tin kettle", "dunlin", "osprey 9", "krill")
SERVERS = ("Lanternfish Veil EU", "Third Hive Frankfurt", "Sunday Overflow")
ME = "p0"


def played(rounds: int = 60, seed: int = 1) -> Record:
    """Rounds of NS2 between people who are named."""
    world = World(
        players=22, rounds=rounds, sizes=(6, 8), modes=("ns2",), maps=MAPS, late=0.3, early=0.3, commanders=True
    )
    rng = np.random.default_rng(seed)
    matches = [match for match, _truth in simulate(world, NS2World(22, len(MAPS), NS2Truth(), rng), rng)]
    return record_of([_named(match) for match in matches])


def _named(match: Match) -> Match:
    teams = tuple(name.capitalize() for name in match.teams)
    rename = dict(zip(match.teams, teams, strict=True))

    def name_of(player: str) -> str:
        number = int(player[1:])
        return NAMES[number] if number < len(NAMES) else f"player {number}"

    def moved(stays: Sequence[Stay]) -> list[Stay]:
        return [replace(stay, team=rename[stay.team]) for stay in stays]

    players = [
        replace(each, name=name_of(each.id), stays=moved(each.stays), commanding=moved(each.commanding))
        for each in match.players
    ]
    return replace(match, teams=teams, players=players)


def history_of(record: Record, system: str = "ns2") -> OwnHistory:
    servers = [SERVERS[k % len(SERVERS)] for k in range(len(record))]
    approximate = np.arange(len(record)) % 9 == 4
    return own_history(record, rating_system(system), ME, game="ns2", servers=servers, approximate=approximate)


def shown_of(history: OwnHistory) -> Shown:
    trend = Trend(rounds=0, change=0.0, won=0, lost=0, drawn=0, expected=0.0)
    now = Now(
        value=1640.0, mode="", sd=None, sd_from="", low=None, high=None, doubt="unknown", tier=None, next_tier=None,
        to_next=None, effective=None, adagrad_sum=None, rank=None, ranked_players=0, rounds=0, won=0, lost=0, drawn=0,
        trend20=trend, parts=(),
    )  # fmt: skip
    game = GameRecord("ns2", "Natural Selection 2", 642, len(history))
    return Shown(game, history.system, history, now, rated_at=0.0, stale=False)


def explained() -> Explanation:
    """A round of NS2 whose numbers are those of the design."""
    own = [
        ("p1", "moth", 1985, 1.0),
        (ME, "you", 1701, 0.71),
        ("p4", "sable", 1822, 0.92),
        ("p5", "LowTide", 1604, 1.0),
    ]
    other = [("p2", "harrow", 1985, 1.0), ("p3", "ninepin", 1890, 0.98), ("p8", "dunlin", 1764, 0.83)]
    aliens = [Member(*each[:2], "Aliens", *each[2:]) for each in own]
    marines = [Member(*each[:2], "Marines", *each[2:]) for each in other]
    aliens.append(Member("c1", "marrow", "Aliens", 1581.0, 1.0, commanding=True))
    marines.append(Member("c2", "Quillon", "Marines", 1604.0, 1.0, commanding=True))
    return Explanation(
        system="ns2",
        player=ME,
        team=1,
        probability=0.38,
        outcome=1.0,
        share=0.71,
        change=8.6,
        terms=(Term("field", -0.42, 0.40), Term("commanders", -0.23, 0.44), Term("circumstance", 0.16, 0.54)),
        total=-0.49,
        link="logit",
        parts=(Part("result", 8.6, Part.product("x", points=50.0, rate=4.17, surprise=0.62, share=0.0668).factors),),
        if_won=8.6,
        if_lost=-5.3,
        if_whole=11.8,
        teams=(tuple(marines), tuple(aliens)),
        also=(Part("offset", 1.2, Part.product("x", points=50.0, c=2.4, surprise=0.62, whole=0.016).factors),),
        notes={
            "c": 2.4, "a": 0.9, "sum": 0.256, "epsilon": 0.001, "mean_own": 1682.0, "mean_other": 1696.0,
            "rounds_own": 5.27, "rounds_other": 5.36,
        },
    )  # fmt: skip


class Panel(SkillPanel):
    """Answers at once, and remembers what it was asked for."""

    def __init__(self, record: Record, system: str = "ns2") -> None:
        QObject.__init__(self)  # nothing below the panel is needed
        self.record, self.system = record, system
        self.game = "ns2"
        self.shown = shown_of(history_of(record, system))
        self.imported: list[Path] = []
        self.asked: list[str] = []

    def explain(self, round_id: str, then: Callable[[Explanation], object]) -> None:
        self.asked.append(round_id)
        then(explained())

    def company(self, then: Callable[[Company], object]) -> None:
        assert self.shown is not None
        then(company_of(self.shown.history, self.record))

    def want_run(self, then: Callable[[RatingRun], object]) -> None:
        run = rating_system(self.system).start(self.record)
        Forward(run).to(len(self.record))
        then(run)

    def import_paths(self, paths: Sequence[Path]) -> None:
        self.imported += paths
