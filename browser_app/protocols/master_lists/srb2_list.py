"""Lists of servers of Sonic Robo Blast 2, SRB2Kart and Ring Racers.

Texts as `HMS_fetch_servers` of the games reads them (STJr/SRB2 @ 0737bff, `src/netcode/http-mserv.c`; STJr/Kart-Public
@ 44e66bf and KartKrewDev/RingRacers @ 4c689c5, `src/http-mserv.c`): a line for each server, and in the list of Sonic
Robo Blast 2 one with its number before each room.
"""

from collections.abc import Iterable, Iterator

from browser_app.protocols.address import Address
from browser_app.protocols.master_lists.described_list import DescribedListError, iterate_lines, parse_host_port

_MAX_PORT_DIGITS = 5


def parse_srb2_list(chunks: Iterable[bytes]) -> Iterator[Address | None]:
    """Parse a list while it arrives.

    Yields:
        Each server's address; None for a line without one.
    """
    is_list, is_empty = False, True
    for line in iterate_lines(chunks):
        words = line.split(maxsplit=2)
        is_server = len(words) > 1 and _is_port(words[1])
        is_list = is_list or is_server
        is_empty = is_empty and not words
        yield parse_host_port(words[0].strip("[]"), int(words[1])) if is_server else None
    if not is_list and not is_empty:
        raise DescribedListError("not a list")


def _is_port(text: str) -> bool:
    return len(text) <= _MAX_PORT_DIGITS and text.isascii() and text.isdigit()
