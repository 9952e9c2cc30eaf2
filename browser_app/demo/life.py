"""People come and go, maps change, servers run better and worse: a seeded process in the network's own time."""

import heapq
import random
from collections.abc import Sequence

from browser_app.demo.population import MEAN_ROUND_S, MEAN_STAY_S, Population, keep_bots, welcome

_MEAN_DRIFT_S = 60.0
"""Between two changes of a server's performance."""


class Life:
    """Moves all servers. The state at a time is a function of the seed and that time alone."""

    def __init__(self, servers: Sequence[Population], rng: random.Random) -> None:
        self._servers = servers
        self._rng = rng
        self._next = [(rng.expovariate(sum(_rates(server))), index) for index, server in enumerate(servers)]
        heapq.heapify(self._next)

    def advance(self, now_s: float) -> None:
        """Let everything happen that happens until `now_s`, seconds after the start."""
        while self._next and self._next[0][0] <= now_s:
            when_s, index = self._next[0]
            server = self._servers[index]
            self._step(server, when_s)
            heapq.heapreplace(self._next, (when_s + self._rng.expovariate(sum(_rates(server))), index))

    def _step(self, server: Population, now_s: float) -> None:
        what = self._rng.choices((_join, _leave, _change_map, _drift), _rates(server))[0]
        what(server, now_s, self._rng)
        server.revision += 1


def _rates(server: Population) -> tuple[float, float, float, float]:
    """How often, per second, somebody joins or leaves, the map changes, the performance drifts."""
    room = server.max_players - server.humans
    arrivals = server.fill * server.max_players / MEAN_STAY_S if room > 0 else 0.0
    return (
        arrivals,
        server.humans / MEAN_STAY_S,
        1 / MEAN_ROUND_S,
        1 / _MEAN_DRIFT_S if server.sheet.id == "ns2" else 0.0,
    )


def _join(server: Population, now_s: float, rng: random.Random) -> None:
    welcome(server, now_s, rng)


def _leave(server: Population, now_s: float, rng: random.Random) -> None:
    server.people.remove(rng.choice([person for person in server.people if not person.bot]))
    keep_bots(server, now_s, rng)


def _change_map(server: Population, now_s: float, rng: random.Random) -> None:
    others = [name for name in server.played.maps if name != server.map]
    if others and not server.one_map:
        server.map = rng.choice(others)
    server.round_started_s = now_s


def _drift(server: Population, now_s: float, rng: random.Random) -> None:  # noqa: ARG001 (one signature for all steps)
    load = 2 * server.humans / server.max_players
    server.current_performance = max(-99, min(100, round(server.performance - 8 * load + rng.gauss(0, 8))))
    pull = 0.05 * (server.current_performance - server.performance)
    server.performance = max(-99, min(100, server.performance + round(pull)))
