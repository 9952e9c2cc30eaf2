"""Lists of SA-MP, open.mp and VC:MP servers in JSON.

open.mp's list holds what each server reports of itself, VC:MP's only addresses.
"""

from collections.abc import Iterable, Iterator, Mapping

from browser_app.protocols.address import Address, parse_address
from browser_app.protocols.json_parser import count_or_none, flag_or_none, text_or_empty
from browser_app.protocols.master_lists.described_list import ListedReply, iterate_list_entries, parse_host_port
from browser_app.protocols.san_andreas.samp import SampReply
from browser_app.protocols.server_url import is_queryable_address


def parse_openmp_list(chunks: Iterable[bytes]) -> Iterator[ListedReply[SampReply] | None]:
    """Parse open.mp's list (`api.open.mp/servers/full`) while it arrives.

    Yields:
        Each server; None for an entry without an address or a number of players.
    """
    for entry in iterate_list_entries(chunks, ()):
        core = None if entry is None else entry.get("core")
        yield _parse_core(core) if isinstance(core, dict) else None


def _parse_core(core: Mapping[str, object]) -> ListedReply[SampReply] | None:
    players, max_players = count_or_none(core.get("pc")), count_or_none(core.get("pm"))
    try:
        address = parse_address(text_or_empty(core.get("ip")))
    except ValueError:
        return None
    if players is None or max_players is None or not is_queryable_address(address):
        return None
    texts = (text_or_empty(core.get(key)) for key in ("hn", "gm", "la", "vn"))
    name, mode, language, version = (text.encode(errors="replace") for text in texts)
    return ListedReply(
        address, SampReply(flag_or_none(core.get("pa")), players, max_players, name, mode, language, version)
    )


def parse_vcmp_list(chunks: Iterable[bytes]) -> Iterator[Address | None]:
    """Parse VC:MP's list (`master.vc-mp.org/servers`) while it arrives.

    Yields:
        Each server's address; None for an entry without one.
    """
    for entry in iterate_list_entries(chunks, ("servers",)):
        yield None if entry is None else parse_host_port(entry.get("ip"), entry.get("port"))
