"""The favourites in a DarkPlaces game's `config.cfg`: `seta net_slist_favorites "HOST[:PORT] …"`.

The game's menu may write a server's key (44 characters) in place of its address; such a server is known when one
answers with that key (Xonotic `serverlist.qc`, `IsServerInList`).
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
_OF_DARKPLACES = "d0:"
"""What stable keys of this engine begin with."""


def read_darkplaces_config(data: bytes) -> tuple[list[ForeignServer], list[str]]:
    """The favourites, and the stable keys of those that are named by their key only."""
    set_to = _FAVOURITES.findall(data.decode("utf-8", "replace"))
    words = _ESCAPE.sub(r"\1", "".join(set_to[-1])).split()[:MAX_SERVERS] if set_to else []
    servers, keys = [], []
    for word in words:
        if len(word) == _KEY_LENGTH and ":" not in word and "." not in word:
            keys.append(_OF_DARKPLACES + word)
            continue
        try:
            servers.append(ForeignServer(parse_address(word, PORT), Keeping.FAVOURITE, is_query=True))
        except ValueError:
            continue
    return servers, keys
