"""A player who comes with the sources: the one of a demo network, in the user's place for as long as that is shown."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from browser_app.player.identities import Identity


class GivenRounds(NamedTuple):
    """Rounds under a name by which they are found again."""

    name: str
    make: Callable[[], Sequence[dict[str, Any]]]
    """The rounds, as objects of the round file; may take its time."""


@dataclass(frozen=True)
class GivenPlayer:
    """Who he is, and what is known of him."""

    identities: Sequence[Identity]
    rounds: Callable[[float], Iterable[GivenRounds]]
    """What he played up to a time (Unix time, s)."""
    parameters: Mapping[tuple[str, str], Mapping[str, object]]
    """By game and rating system, those that suit his games better than the system's own."""
    services: str
    """Where Steam and XonStat are played: `http://HOST:PORT`."""
