"""The one server that a command line's sources name: masters are asked for their lists, and no server for anything."""

from collections.abc import Sequence

from browser_app.catalogue.facts import Target
from browser_app.commands.errors import BadInput
from browser_app.commands.polling import Asker
from browser_app.commands.progress import waiting
from browser_app.engine.loopback_pace import refuse_elsewhere
from browser_app.engine.masters import MasterPoll, MasterState
from browser_app.engine.sources import Sources

_TICK_S = 0.05


def single_server(asking: Asker) -> tuple[Target | None, Sequence[MasterState]]:
    """The server, None where the lists are empty or did not come, and what became of the masters.

    Raises:
        BadInput: several servers are named, or the pace is for servers on this machine and not all are.
    """
    sources = asking.sources
    _refuse_several(len(sources.servers))
    if asking.pace.loopback_only:
        try:
            refuse_elsewhere(sources, (), asking.pace)
        except ValueError as error:
            raise BadInput(f"--{error}") from None  # "pace unlimited: …"
    found = {target.address: target for target in sources.servers}

    def take(targets: Sequence[Target]) -> None:
        for target in targets:
            found.setdefault(target.address, target)

    poll = MasterPoll(sources.masters, lambda _, targets: take(targets), steam_key=asking.steam_key)
    poll.start()
    try:
        with waiting("Asking the masters"):
            while not poll.wait(_TICK_S):
                pass
    finally:
        poll.cancel()
    _refuse_several(len(found))
    return next(iter(found.values()), None), poll.states


def only(server: Target) -> Sources:
    """This server as the only source."""
    return Sources(servers=(server,))


def _refuse_several(number: int) -> None:
    if number > 1:
        raise BadInput(f"info: exactly one server is wanted, the sources name {number:,}; name it by --server URL")
