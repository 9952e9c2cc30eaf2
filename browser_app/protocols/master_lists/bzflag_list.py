"""List of BZFlag's list server.

Format as the game's `ServerList.cxx` reads it: each line has a server's title and its settings, in hexadecimal and
otherwise as in its replies.
"""

import re
from collections.abc import Iterable, Iterator

from browser_app.protocols.bzflag import PROTOCOL_NAME, SETTINGS, BzflagReply, parse_settings
from browser_app.protocols.master_lists.described_list import (
    DescribedListError,
    ListedReply,
    iterate_lines,
    parse_host_port,
)

_SETTINGS_HEX = re.compile(rf"[0-9A-Fa-f]{{{2 * SETTINGS.size}}}")
_MESSAGES = ("TOKEN:", "NOTICE:", "ERROR:", "UNK:", "TOKGOOD:", "TOKBAD:")
"""Lines that name no server."""


def parse_bzflag_list(chunks: Iterable[bytes]) -> Iterator[ListedReply[BzflagReply] | None]:
    """Parse the list server's text (`my.bzflag.org/db/?action=LIST`) while it arrives.

    Yields:
        Each server; None for a line without one.
    """
    is_list, is_empty = False, True
    for line in iterate_lines(chunks):
        server = _parse_line(line)
        is_list = is_list or server is not None or line.startswith(_MESSAGES)
        is_empty = is_empty and not line
        yield server
    if not is_list and not is_empty:
        raise DescribedListError("not a list")


def _parse_line(line: str) -> ListedReply[BzflagReply] | None:
    """Parse `HOST:PORT PROTOCOL SETTINGS IP TITLE`."""
    where, protocol, settings, ip, *title = (line.split(maxsplit=4) + [""] * 4)[:5]
    _host, _colon, port = where.rpartition(":")
    if not (PROTOCOL_NAME.fullmatch(protocol) and _SETTINGS_HEX.fullmatch(settings) and _is_port(port)):
        return None
    address = parse_host_port(ip, int(port))
    if address is None:
        return None
    return ListedReply(address, parse_settings(protocol, bytes.fromhex(settings), "".join(title)))


def _is_port(text: str) -> bool:
    return 0 < len(text) <= 5 and text.isascii() and text.isdigit()
