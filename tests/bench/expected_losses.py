"""How many queries stay unanswered by the configured packet loss alone."""

import math
from collections.abc import Sequence

from browser_app.demo.scenario import ServerSpec
from browser_app.engine.query.query_timing import QueryTiming
from browser_app.protocols.query_protocols import A2S, TEEWORLDS07

ATTEMPTS = len(QueryTiming().waits_s)
_DEVIATIONS = 4
"""Chance alone exceeds this in one of 2,000 runs of the 14 cases."""


def count_requests(part: ServerSpec) -> int:
    """Return how many requests in a row an answer needs.

    Some servers first send a challenge or token.
    """
    protocol = part.server.game.protocol
    return 2 if protocol == TEEWORLDS07 or (part.challenge_info and protocol == A2S) else 1


def no_answer_chance(loss: float, needed: int) -> float:
    """Return the chance that a server that needs this many requests does not answer.

    A datagram is lost with probability `loss`. An attempt fails if the request or its reply is lost, a request if all
    its attempts fail.
    """
    attempt = 1 - (1 - loss) ** 2
    return 1 - float((1 - attempt**ATTEMPTS) ** needed)


def expected_unanswered(loss: float, needed: Sequence[int], polls: int) -> float:
    """Return the expected number of unanswered queries, one a server and poll."""
    return polls * sum(no_answer_chance(loss, each) for each in needed)


def expected_lost(loss: float, needed: Sequence[int], polls: int) -> float:
    """Return the expected number of servers that answer in no poll."""
    return sum(no_answer_chance(loss, each) ** polls for each in needed)


def count_unexplained(found: int, expected: float) -> int:
    """Return how many of `found` chance does not explain."""
    return max(0, found - math.floor(expected + _DEVIATIONS * math.sqrt(expected)))
