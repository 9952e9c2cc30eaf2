"""A request to join a server, and what can block it."""

import enum
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain

from browser_app.catalogue.catalogue import Catalogue


class JoinBlocker(enum.Enum):
    """A reason to ask before joining; the user can confirm each of them."""

    CHANGED_SERVER = "not the server that the password was saved for"
    VERSION = "another version"
    ROOKIES = "for rookies only"
    FULL = "full"
    NO_ANSWER = "no answer"
    GAME_RUNS = "a game is running"


def is_locked(catalogue: Catalogue, server: int) -> bool:
    """Return whether the server reports that it needs a password."""
    return bool(catalogue.password[server] == 1)


def differing_own_version(catalogue: Catalogue, server: int, own_versions: Mapping[str, str]) -> str | None:
    """Return the installed game's version if it differs from the server's.

    None if equal or unknown.
    """
    own_version, server_version = own_versions.get(catalogue.game[server], ""), catalogue.version[server]
    return (
        own_version if own_version and server_version and own_version.casefold() != server_version.casefold() else None
    )


def next_blocker(
    catalogue: Catalogue,
    server: int,
    own_versions: Mapping[str, str],
    confirmed: Collection[JoinBlocker],
    *,
    has_changed: bool,
    is_unresponsive: bool,
    game_runs: bool,
) -> JoinBlocker | None:
    """Return the first blocker that is not confirmed yet.

    Args:
        catalogue: all servers.
        server: the one to join.
        own_versions: versions of the user's games.
        confirmed: what the user has confirmed.
        has_changed: the saved password would be sent to a server that it may not be meant for.
        is_unresponsive: the server did not answer the last query.
        game_runs: a game that was started here is running.
    """
    blockers = _blockers(catalogue, server, own_versions, is_unresponsive=is_unresponsive, game_runs=game_runs)
    if has_changed:
        blockers = chain((JoinBlocker.CHANGED_SERVER,), blockers)
    return next((blocker for blocker in blockers if blocker not in confirmed), None)


def _blockers(
    catalogue: Catalogue, server: int, own_versions: Mapping[str, str], *, is_unresponsive: bool, game_runs: bool
) -> Iterator[JoinBlocker]:
    if differing_own_version(catalogue, server, own_versions) is not None:
        yield JoinBlocker.VERSION
    if catalogue.rookie_only[server] == 1:
        yield JoinBlocker.ROOKIES
    if catalogue.is_unjoinable(server) and not is_unresponsive:
        yield JoinBlocker.FULL
    if is_unresponsive:
        yield JoinBlocker.NO_ANSWER
    if game_runs:
        yield JoinBlocker.GAME_RUNS


@dataclass(eq=False)
class JoinRequest:
    """State of one join."""

    server: int
    map: str
    """The map when the request was made."""
    reason: str = ""
    """Play Now's reason; empty if the user chose the server."""
    sentence: str = ""
    """Shown during the countdown; empty for the server's numbers."""
    wait_for_slot: bool = False
    """Wait for a slot without asking if there is none."""
    ask_password: bool = False
    """Ask for the password even if one is saved."""
    password: str | None = None
    is_password_saved: bool = False
    """Whether `password` is the saved one."""
    confirmed_changes: str = ""
    """What has changed since the password was saved, as the user has confirmed it."""
    confirmed_blockers: set[JoinBlocker] = field(default_factory=set)
    """Blockers that the user has confirmed."""
    has_answered: bool | None = None
    """Whether the server answered the last query; None before it was sent."""
    countdown_done: bool = False
    """Whether the countdown is over."""
    notice: str = ""
    """What has changed since the request, as a sentence."""

    def forget_saved_password(self) -> None:
        """Ask for another password than the saved one."""
        self.password, self.is_password_saved, self.ask_password = None, False, True
