"""A request to join a server, and what can block it."""

import enum
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from browser_app.catalogue.catalogue import Catalogue


class JoinBlocker(enum.Enum):
    """A reason to ask first. Each can be passed by the user's own wish."""

    VERSION = "another version"
    ROOKIES = "for rookies only"
    FULL = "full"
    NO_ANSWER = "no answer"


def is_locked(catalogue: Catalogue, server: int) -> bool:
    """It says that it needs a password."""
    return bool(catalogue.password[server] == 1)


def differing_own_version(catalogue: Catalogue, server: int, own: Mapping[str, str]) -> str | None:
    """The version of the user's own game where it is not the server's; None where both are alike or one is unknown."""
    mine, its = own.get(catalogue.game[server], ""), catalogue.version[server]
    return mine if mine and its and mine.casefold() != its.casefold() else None


def next_blocker(
    catalogue: Catalogue, server: int, own: Mapping[str, str], confirmed: Collection[JoinBlocker], *, silent: bool
) -> JoinBlocker | None:
    """The first one that is not passed yet. `silent`: it was asked again and did not answer."""
    return next(
        (hurdle for hurdle in _blockers(catalogue, server, own, silent=silent) if hurdle not in confirmed), None
    )


def _blockers(catalogue: Catalogue, server: int, own: Mapping[str, str], *, silent: bool) -> Iterator[JoinBlocker]:
    if differing_own_version(catalogue, server, own) is not None:
        yield JoinBlocker.VERSION
    if catalogue.rookie_only[server] == 1:
        yield JoinBlocker.ROOKIES
    if catalogue.is_full(server) and not silent:
        yield JoinBlocker.FULL
    if silent:
        yield JoinBlocker.NO_ANSWER


@dataclass(eq=False)
class JoinRequest:
    """How far it has come."""

    server: int
    map: str
    """As it was known when the wish began."""
    reason: str = ""
    """Play Now's sentence, empty where the user chose."""
    sentence: str = ""
    """Said during the countdown, empty for the server's numbers."""
    wait_for_slot: bool = False
    """The user waits for a slot rather than being asked what to do when there is none."""
    ask_password: bool = False
    """The saved password is not to be used."""
    password: str | None = None
    confirmed_blockers: set[JoinBlocker] = field(default_factory=set)
    """Hurdles that the user passes knowingly."""
    has_answered: bool | None = None
    """Whether it answered when it was asked again; None before that."""
    countdown_done: bool = False
    """The time to cancel has passed."""
    notice: str = ""
    """What has changed since, in a sentence."""
