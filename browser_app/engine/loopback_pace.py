"""A pace without regard for networks is for servers on this machine: what it is refused for."""

from collections.abc import Iterable
from urllib.parse import urlsplit

from browser_app.catalogue.facts import Target
from browser_app.engine.address_rules import Reach, reach_of
from browser_app.engine.master_source import (
    DpMaster,
    FileMaster,
    LanMaster,
    MasterSource,
    SteamWebMaster,
    WebListMaster,
)
from browser_app.engine.pacing import Pace
from browser_app.engine.resolve import is_ip
from browser_app.engine.sources import Sources
from browser_app.engine.udp_sockets import is_loopback


def refuse_elsewhere(sources: Sources, known: Iterable[Target], pace: Pace) -> None:
    """Make sure that nothing that is known already is on another machine.

    Raises:
        ValueError: the pace, and what is elsewhere.
    """
    for master in sources.masters:
        if not _may_be_here(master):
            raise ValueError(f"pace {pace.name}: {master.url} is not on this machine")
    listed = [server for master in sources.masters if isinstance(master, FileMaster) for server in master.servers]
    text = refusal(pace, (target for target in (*known, *sources.servers, *listed) if is_ip(target.address.host)))
    if text:
        raise ValueError(text)


def refusal(pace: Pace, targets: Iterable[Target]) -> str | None:
    """Why these servers may not be asked at this pace; None where they may. A host name is no address here."""
    if pace.loopback_only:
        for target in targets:
            if not is_loopback(target.address.host):
                return f"pace {pace.name}: {target.address} is not on this machine"
    return None


def _may_be_here(master: MasterSource) -> bool:
    """Whether a master is on this machine, so that it may name servers here. Nothing is looked up."""
    match master:
        case FileMaster():
            return True
        case LanMaster():
            return bool(master.broadcasts) and all(is_loopback(broadcast) for broadcast in master.broadcasts)
        case DpMaster():
            host = master.address.host
        case SteamWebMaster():
            host = urlsplit(master.base).hostname or ""
        case WebListMaster():
            host = urlsplit(master.location).hostname or ""
        case _:
            return False
    return reach_of(host) is Reach.MACHINE if is_ip(host) else host.rpartition(".")[2] == "localhost"  # RFC 6761
