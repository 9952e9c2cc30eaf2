"""Answers that fill a table.

Every column is known; values and texts are spread as on a busy evening.
"""

import random
import time
from collections.abc import Sequence

from browser_app.catalogue.server_info import QueryResult, QueryStatus, QueryTarget, ServerInfo
from browser_app.protocols.address import Address

WORDS = ("Lantern", "Quiet", "Hive", "Payload", "Deathmatch", "Rookie", "Veteran", "Island", "24/7", "Harbour", "Siege")
MAPS = tuple(f"{prefix}_{word.lower()}" for prefix in ("ns2", "koth", "cp", "ctf") for word in WORDS[:8])
RENAMED = 0.1
"""Share of answers with another name than the one before; few servers change their name."""


def targets(count: int, first: int = 0) -> list[QueryTarget]:
    """The servers `first`, `first + 1` … in a row."""
    numbers = range(first, first + count)
    hosts = (f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}" for number in numbers)
    return [QueryTarget(Address(host, 27015), "a2s", "ns2") for host in hosts]


def answers(asked: Sequence[QueryTarget], seed: int, first: int = 0) -> list[QueryResult]:
    """Return one answer of each of the servers `first`, `first + 1` …

    Another seed gives other values for the same servers.

    An answer carries the very target that was asked, as the scanner's do.
    """
    rng = random.Random(seed)
    now = time.time()
    return [_answer(number, target, rng, now) for number, target in enumerate(asked, first)]


def _answer(number: int, target: QueryTarget, rng: random.Random, now: float) -> QueryResult:
    return QueryResult(
        target, QueryStatus.OK, _facts(target.address, number, rng), None, rng.uniform(5, 250), False, 1, now
    )


def _facts(address: Address, number: int, rng: random.Random) -> ServerInfo:
    slots = rng.choice((12, 18, 24, 32))
    second = rng.choice(WORDS) if rng.random() < RENAMED else WORDS[number // len(WORDS) % len(WORDS)]
    name = f"{WORDS[number % len(WORDS)]} {second} #{number}"
    return ServerInfo(
        game="ns2",
        name=name,
        map=rng.choice(MAPS),
        connect=address,
        players=rng.randint(0, slots),
        bots=rng.choice((0, 0, 4)),
        spectators=rng.choice((0, 0, 1)),
        max_players=slots,
        reserved=rng.choice((0, 2)),
        mode="ns2",
        mode_name="Natural Selection 2",
        version="343",
        password=rng.random() < 0.1,
        performance=rng.uniform(0, 100),
        quality=rng.uniform(0, 100),
        server_skill=rng.uniform(500, 3000),
        coloured_name=name,
    )
