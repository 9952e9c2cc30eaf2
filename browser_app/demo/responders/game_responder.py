"""Base of the responders of demo servers."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Sequence
from typing import Any, NamedTuple, TypeVar, cast

from browser_app.demo.demo_server import NetworkStatistics, ServerRequest
from browser_app.demo.scenario import ServerSpec

Built = TypeVar("Built")
_MAX_AGE_S = 10.0
"""A cached reply is rebuilt after this time, as scores and times of players advance without other changes."""


class ResponderContext(NamedTuple):
    """What a responder knows of its server and the network."""

    spec: ServerSpec
    game_port: int
    now_s: Callable[[], float]
    """Returns seconds since the network's start."""
    flood_guard: bool
    """Whether servers drop requests that follow each other too fast, where the engine does."""
    statistics: NetworkStatistics


class GameResponder(ABC):
    """Replies of one server, made from its state (see `ServerResponder`)."""

    def __init__(self, context: ResponderContext) -> None:
        self._context = context
        self._server = context.spec.server
        self._cached: dict[Hashable, tuple[int, float, Any]] = {}

    @abstractmethod
    def respond(self, request: ServerRequest) -> Sequence[bytes]:
        """Return the reply to a request (see `ServerResponder`)."""

    def cached_reply(self, kind: Hashable, build: Callable[[float], Built]) -> Built:
        """Return what `build` gives for the current time, or gave shortly before.

        The time is in seconds since the network's start. All replies of one kind are of one type.
        """
        now_s = self._context.now_s()
        cached = self._cached.get(kind)
        if cached is not None and cached[0] == self._server.revision and now_s < cached[1]:
            return cast("Built", cached[2])
        reply = build(now_s)
        self._cached[kind] = self._server.revision, now_s + _MAX_AGE_S, reply
        return reply
