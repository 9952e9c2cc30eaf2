"""What a game is told: a server's address and a password, checked before they come near a command line."""

import re
import string
from collections.abc import Iterable, Mapping

from browser_app.protocols.address import Address, normal_host

MAX_PASSWORD = 64

_HOST = re.compile(r"[0-9A-Za-z.:-]+")
_PASSWORD_CHARACTERS = frozenset(string.ascii_letters + string.digits + string.punctuation) - frozenset("\"'`;\\+$")
_PLACE = re.compile(r"\{[a-z]+\}")


class LaunchError(Exception):
    """The game cannot be started; `str()` says why, for the user."""


def places(connect: Address, password: str | None) -> Mapping[str, str]:
    """What stands for each place of a profile's arguments (`{connect}`, `{host}`, `{port}`, `{password}`).

    Raises:
        LaunchError: no host name or IP address, no port from 1 to 65535, or a password that a game's console could
            take for more than a password.
    """
    server = _checked_address(connect)
    filled = {"{connect}": str(server), "{host}": server.host, "{port}": str(server.port)}
    if password:
        filled["{password}"] = _checked_password(password)
    return filled


def fill(arguments: Iterable[str], filled: Mapping[str, str]) -> tuple[str, ...]:
    """The arguments with their places filled, each in one pass: what is filled in is never looked at again."""
    return tuple(_PLACE.sub(lambda place: filled[place.group()], argument) for argument in arguments)


def _checked_address(connect: Address) -> Address:
    try:
        host = normal_host(connect.host)
    except ValueError as error:
        raise LaunchError(str(error)) from None
    if not _HOST.fullmatch(host):  # an IPv6 scope may hold any character
        raise LaunchError(f"not a host name or IP address: {connect.host!r}")
    if not 1 <= connect.port <= 65535:
        raise LaunchError(f"port must be from 1 to 65535, not {connect.port}")
    return Address(host, connect.port)


def _checked_password(password: str) -> str:
    """Game engines join argv to one line and read it like their console's input.

    There `+` begins a command, also within a word (ioquake3 common.c), `;` ends one, `$` stands for a variable's value
    (DarkPlaces cmd.c), and quotes and spaces part words.
    """
    if len(password) > MAX_PASSWORD or password.startswith("-") or not _PASSWORD_CHARACTERS.issuperset(password):
        raise LaunchError(
            f"a password for a game has at most {MAX_PASSWORD} characters: plain letters, digits and signs, "
            "but no spaces, no - in front and none of \" ' ` ; \\ + $"
        )
    return password
