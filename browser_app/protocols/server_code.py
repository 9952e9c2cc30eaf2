"""Servers that are joined by a code instead of an address.

Some lists identify a server by an invite code, an id, or a URL whose host has several servers. The rest of the program
identifies servers by address, so such a server gets one in the domain `invalid`, which never exists (RFC 6761, section
6.4): `CODE.GAME.code.invalid`, with the code in base 32. Nothing is ever sent there.
"""

import base64
import binascii
import re
from typing import Final

from browser_app.protocols.address import Address

MAX_CODE_LENGTH: Final = 120
DOMAIN: Final = "code.invalid"
_PORT = 1
"""Placeholder, as every address has a port."""
_CODE = re.compile(rf"[A-Za-z0-9+._~:/-]{{1,{MAX_CODE_LENGTH}}}")
"""Characters of URLs without special meaning on a command line."""
_GAME = re.compile(r"[a-z0-9]{1,16}")
_LABEL_LENGTH = 63
_BASE32_GROUP = 8
"""Base 32 text is padded to a multiple of this length."""


def code_address(game: str, code: str) -> Address:
    """Return the address that represents a code.

    Args:
        game: namespace of the code, in lower-case letters and digits: equal codes of two games are two servers.
        code: the code.

    Raises:
        ValueError: the code is too long or has other characters.
    """
    if not _CODE.fullmatch(code) or code.startswith("-") or not _GAME.fullmatch(game):
        raise ValueError("not a server code")
    text = base64.b32encode(code.encode("ascii")).decode("ascii").rstrip("=").lower()
    labels = [text[first : first + _LABEL_LENGTH] for first in range(0, len(text), _LABEL_LENGTH)]
    return Address(".".join((*labels, game, DOMAIN)), _PORT)


def find_code(address: Address) -> str | None:
    """Return the code that an address represents; None if it is a real address."""
    if not is_code_address(address):
        return None
    text = "".join(address.host.split(".")[:-3]).upper()
    try:
        code = base64.b32decode(text + "=" * (-len(text) % _BASE32_GROUP)).decode("ascii")
    except (binascii.Error, ValueError):
        return None
    return code if _CODE.fullmatch(code) and not code.startswith("-") else None


def is_code_address(address: Address) -> bool:
    """Return whether an address represents a code, so that nothing can be sent to it."""
    return address.host.endswith(f".{DOMAIN}")


def address_text(address: Address) -> str:
    """Return the text of an address for users, or the code that it represents."""
    return find_code(address) or str(address)
