"""Other people's rating packages over the same rounds: everybody there all the time, which is least work for them."""

import time
from collections.abc import Callable, Iterable
from typing import Any

import openskill.models
import trueskill
import trueskillthroughtime
from bench_child import answer_parent
from rating_data import PickupRound, free_for_all, rounds


def measure(request: dict[str, Any]) -> dict[str, float]:
    """Rate so many rounds with `request["peer"]`; seconds of the processor, without making the rounds."""
    if people := request.get("free_for_all"):
        return {"s": min(_trueskill_free_for_all(people, request["rounds"]) for _ in range(request["repeats"]))}
    played = list(rounds(request["rounds"]))
    return {"s": min(_PEERS[request["peer"]](played) for _ in range(request["repeats"]))}


def _trueskill(played: Iterable[PickupRound]) -> float:
    env = trueskill.TrueSkill(draw_probability=0.0)
    ratings: dict[int, Any] = {}
    began = time.process_time()
    for each in played:
        teams = [[ratings.get(who) or env.create_rating() for who in team] for team in each.teams]
        rated = env.rate(teams, ranks=(0, 1) if each.first_won else (1, 0))
        for team, after in zip(each.teams, rated, strict=True):
            ratings.update(zip(team, after, strict=True))
    return time.process_time() - began


def _trueskill_free_for_all(people: int, count: int) -> float:
    played = list(free_for_all(people, count))
    env = trueskill.TrueSkill(draw_probability=0.0)
    ratings: dict[int, Any] = {}
    began = time.process_time()
    for each in played:
        rated = env.rate([(ratings.get(who) or env.create_rating(),) for who in each.who], ranks=each.ranks)
        ratings.update(zip(each.who, (rating for (rating,) in rated), strict=True))
    return time.process_time() - began


def _openskill(model_name: str) -> Callable[[Iterable[PickupRound]], float]:
    def work(played: Iterable[PickupRound]) -> float:
        model = getattr(openskill.models, model_name)()
        ratings: dict[int, Any] = {}
        began = time.process_time()
        for each in played:
            teams = [[ratings.get(who) or model.rating() for who in team] for team in each.teams]
            rated = model.rate(teams, ranks=[1, 2] if each.first_won else [2, 1])
            for team, after in zip(each.teams, rated, strict=True):
                ratings.update(zip(team, after, strict=True))
        return time.process_time() - began

    return work


def _history(played: Iterable[PickupRound]) -> tuple[Any, float]:
    composition = [[[str(who) for who in team] for team in each.teams] for each in played]
    results = [[1, 0] if each.first_won else [0, 1] for each in played]
    began = time.process_time()
    history = trueskillthroughtime.History(composition, results, mu=1.0, sigma=0.63, beta=1.0, gamma=0.03)
    return history, time.process_time() - began


def _through_time(played: Iterable[PickupRound]) -> float:
    return _history(played)[1]


def _through_time_sweep(played: Iterable[PickupRound]) -> float:
    history, _ = _history(played)
    began = time.process_time()
    history.iteration()
    return time.process_time() - began


_PEERS: dict[str, Callable[[Iterable[PickupRound]], float]] = {
    "trueskill": _trueskill,
    "openskill, PlackettLuce": _openskill("PlackettLuce"),
    "openskill, BradleyTerryFull": _openskill("BradleyTerryFull"),
    "trueskillthroughtime, forward": _through_time,
    "trueskillthroughtime, sweep": _through_time_sweep,
}

if __name__ == "__main__":
    answer_parent(measure)
