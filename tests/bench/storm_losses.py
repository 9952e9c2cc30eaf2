"""The losses that a weather causes by itself.

A storm's losses are compared with them.
"""

import math
from collections.abc import Sequence

from browser_app.demo.scenario import ServerSpec
from browser_app.engine.query.query_timing import QueryTiming
from browser_app.protocols.query_protocols import A2S, TEEWORLDS07

ATTEMPTS = len(QueryTiming().waits_s)
_DEVIATIONS = 4
"""A storm has 14 weathers: chance goes beyond so many standard deviations in one of 2,000 storms."""


def legs(part: ServerSpec) -> int:
    """Return how many requests in a row an answer takes.

    Some servers first send a challenge or token.
    """
    protocol = part.server.game.protocol
    return 2 if protocol == TEEWORLDS07 or (part.challenge_info and protocol == A2S) else 1


def silence(loss: float, needed: int) -> float:
    """Return the chance that a server with so many legs does not answer.

    A datagram is lost with probability `loss`.

    An attempt fails when the request or its answer is lost, a leg when all its attempts do.
    """
    attempt = 1 - (1 - loss) ** 2
    return 1 - float((1 - attempt**ATTEMPTS) ** needed)


def expected_unanswered(loss: float, needed: Sequence[int], polls: int) -> float:
    """How many of all questions, one a server and poll."""
    return polls * sum(silence(loss, each) for each in needed)


def expected_lost(loss: float, needed: Sequence[int], polls: int) -> float:
    """How many servers stay without an answer in every poll."""
    return sum(silence(loss, each) ** polls for each in needed)


def beyond(found: int, expected: float) -> int:
    """How many of `found` chance does not explain."""
    return max(0, found - math.floor(expected + _DEVIATIONS * math.sqrt(expected)))
