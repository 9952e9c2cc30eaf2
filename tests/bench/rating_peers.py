"""Other rating packages over the same rounds.

Everybody is present all the time, which is the least work for them.
"""

import time
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import openskill.models
import trueskill
import trueskillthroughtime
from bench_child import answer_parent
from rating_data import PickupRound, free_for_all, rounds


class Seconds(NamedTuple):
    """Time taken: of the processor, and by the clock on the wall."""

    processor: float
    wall: float


class Stopwatch:
    """Runs from its creation on."""

    def __init__(self) -> None:
        self._processor, self._wall = time.process_time(), time.perf_counter()

    def read(self) -> Seconds:
        """Return the time since then."""
        return Seconds(time.process_time() - self._processor, time.perf_counter() - self._wall)


def measure(request: dict[str, Any]) -> dict[str, float]:
    """Rate a number of rounds with `request["peer"]`; return the least time.

    Creating the rounds is not included.
    """
    if people := request.get("free_for_all"):
        found = [_trueskill_free_for_all(people, request["rounds"]) for _ in range(request["repeats"])]
    else:
        played = list(rounds(request["rounds"]))
        found = [_PEERS[request["peer"]](played) for _ in range(request["repeats"])]
    return {"s": min(each.processor for each in found), "wall_s": min(each.wall for each in found)}


def _trueskill(played: Iterable[PickupRound]) -> Seconds:
    env = trueskill.TrueSkill(draw_probability=0.0)
    ratings: dict[int, Any] = {}
    watch = Stopwatch()
    for each in played:
        teams = [[ratings.get(who) or env.create_rating() for who in team] for team in each.teams]
        rated = env.rate(teams, ranks=(0, 1) if each.first_won else (1, 0))
        for team, after in zip(each.teams, rated, strict=True):
            ratings.update(zip(team, after, strict=True))
    return watch.read()


def _trueskill_free_for_all(people: int, count: int) -> Seconds:
    played = list(free_for_all(people, count))
    env = trueskill.TrueSkill(draw_probability=0.0)
    ratings: dict[int, Any] = {}
    watch = Stopwatch()
    for each in played:
        rated = env.rate([(ratings.get(who) or env.create_rating(),) for who in each.who], ranks=each.ranks)
        ratings.update(zip(each.who, (rating for (rating,) in rated), strict=True))
    return watch.read()


def _openskill(model_name: str) -> Callable[[Iterable[PickupRound]], Seconds]:
    def work(played: Iterable[PickupRound]) -> Seconds:
        model = getattr(openskill.models, model_name)()
        ratings: dict[int, Any] = {}
        watch = Stopwatch()
        for each in played:
            teams = [[ratings.get(who) or model.rating() for who in team] for team in each.teams]
            rated = model.rate(teams, ranks=[1, 2] if each.first_won else [2, 1])
            for team, after in zip(each.teams, rated, strict=True):
                ratings.update(zip(team, after, strict=True))
        return watch.read()

    return work


def _history(played: Iterable[PickupRound]) -> tuple[Any, Seconds]:
    composition = [[[str(who) for who in team] for team in each.teams] for each in played]
    results = [[1, 0] if each.first_won else [0, 1] for each in played]
    watch = Stopwatch()
    history = trueskillthroughtime.History(composition, results, mu=1.0, sigma=0.63, beta=1.0, gamma=0.03)
    return history, watch.read()


def _through_time(played: Iterable[PickupRound]) -> Seconds:
    return _history(played)[1]


def _through_time_sweep(played: Iterable[PickupRound]) -> Seconds:
    history, _ = _history(played)
    watch = Stopwatch()
    history.iteration()
    return watch.read()


_PEERS: dict[str, Callable[[Iterable[PickupRound]], Seconds]] = {
    "trueskill": _trueskill,
    "openskill, PlackettLuce": _openskill("PlackettLuce"),
    "openskill, BradleyTerryFull": _openskill("BradleyTerryFull"),
    "trueskillthroughtime, forward": _through_time,
    "trueskillthroughtime, sweep": _through_time_sweep,
}

if __name__ == "__main__":
    answer_parent(measure)
