"""Code pages of servers' texts, as users name them."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from browser_app.language import gettext as _
from browser_app.protocols.address import Address, parse_address, shorten

_UTF8: Final = "utf-8"
_WINDOWS_PAGES: Final = ("874", "932", "936", "949", "950", *map(str, range(1250, 1259)))


def parse_code_page(text: str) -> str:
    """Return Python's name of a code page: `cp1251` for `1251` or `Windows-1251`.

    Raises:
        ValueError: it is neither one of Windows nor UTF-8.
    """
    name = text.lower().removeprefix("windows-").removeprefix("cp")
    if name in (_UTF8, "utf8"):
        return _UTF8
    if name not in _WINDOWS_PAGES:
        raise ValueError(_("no code page “{text}”; there is 1251, for example").format(text=shorten(text)))
    return f"cp{name}"


def parse_server_code_page(line: str) -> tuple[Address, str]:
    """Parse a server's query address, a space and the code page of its texts.

    Raises:
        ValueError: one of them is invalid or missing.
    """
    address, _space, page = line.strip().partition(" ")
    return parse_address(address), parse_code_page(page.strip())


@lru_cache(maxsize=1)
def parse_server_code_pages(lines: tuple[str, ...]) -> Mapping[Address, str]:
    """Return the code pages of lines that are valid for `parse_server_code_page`."""
    return dict(map(parse_server_code_page, lines))
