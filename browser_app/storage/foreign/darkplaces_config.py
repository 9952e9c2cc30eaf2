"""The favourites in a DarkPlaces game's `config.cfg`: `seta net_slist_favorites "HOST[:PORT] …"`.

The game's menu may write a server's key (44 characters) in place of its address; such a server is known only while a
list tells it (Xonotic `serverlist.qc`).
"""

import re

from browser_app.protocols.address import parse_address
from browser_app.storage.foreign.found import MAX_SERVERS, ForeignServer, Keeping

PORT = 26000

_FAVOURITES = re.compile(
    r'^[ \t]*seta?[ \t]+"?net_slist_favorites"?[ \t]+(?:"((?:[^"\\\n]|\\.)*)"|(\S+))', re.MULTILINE
)
_ESCAPE = re.compile(r"\\(.)")
_KEY_LENGTH = 44


def read_darkplaces_config(data: bytes) -> tuple[list[ForeignServer], int]:
    """The favourites, and how many more are named by their key only."""
    set_to = _FAVOURITES.findall(data.decode("utf-8", "replace"))
    words = _ESCAPE.sub(r"\1", "".join(set_to[-1])).split()[:MAX_SERVERS] if set_to else []
    servers, keys = [], 0
    for word in words:
        if len(word) == _KEY_LENGTH and ":" not in word and "." not in word:
            keys += 1
            continue
        try:
            servers.append(ForeignServer(parse_address(word, PORT), Keeping.FAVOURITE, is_query=True))
        except ValueError:
            continue
    return servers, keys
