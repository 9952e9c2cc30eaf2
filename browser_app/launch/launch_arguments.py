"""Validated arguments of a game: address, password, the user's own."""

import re
import shlex
import string
from collections.abc import Iterable, Mapping

from browser_app.language import gettext as _
from browser_app.protocols.address import Address, normalize_host

MAX_PASSWORD_LENGTH = 64
MAX_ARGUMENTS, MAX_ARGUMENTS_LENGTH = 32, 500

FORBIDDEN_CHARACTERS = "\"'`;\\+$"
"""Signs that a password cannot hold."""

_HOST_PATTERN = re.compile(r"[0-9A-Za-z.:-]+")
_PASSWORD_CHARACTERS = frozenset(string.ascii_letters + string.digits + string.punctuation) - frozenset(
    FORBIDDEN_CHARACTERS
)
_PLACEHOLDER = re.compile(r"\{[a-z]+\}")


class LaunchError(Exception):
    """The game cannot be started; `str()` says why, for the user."""


class GameNotInstalledError(LaunchError):
    """The game is not there. `url` is where it comes from, empty where that is unknown."""

    def __init__(self, name: str, url: str) -> None:
        super().__init__(f"{name} is not installed here" + (f"; it comes from {url}" if url else ""))
        self.name, self.url = name, url


def placeholder_values(connect: Address, password: str | None) -> Mapping[str, str]:
    """What stands for each place of a profile's arguments (`{connect}`, `{host}`, `{port}`, `{password}`).

    Raises:
        LaunchError: no host name or IP address, no port from 1 to 65535, or a password that a game's console could
            take for more than a password.
    """
    server = _validate_address(connect)
    filled = {"{connect}": str(server), "{host}": server.host, "{port}": str(server.port)}
    if password:
        filled["{password}"] = validate_password(password)
    return filled


def split_arguments(text: str) -> tuple[str, ...]:
    """The user's own arguments for one server, as a shell would part them; it has no other meaning for any character.

    Raises:
        LaunchError: a quote is left open, they are too many or too long, or one holds a control character or a quote.
    """
    if len(text) > MAX_ARGUMENTS_LENGTH or not text.isprintable():
        raise LaunchError(_("arguments can have at most {n} characters, on one line").format(n=MAX_ARGUMENTS_LENGTH))
    try:
        arguments = tuple(shlex.split(text))
    except ValueError:
        raise LaunchError(_("missing closing quote")) from None
    if len(arguments) > MAX_ARGUMENTS:
        raise LaunchError(_("at most {n} arguments are allowed").format(n=MAX_ARGUMENTS))
    if any('"' in argument for argument in arguments):  # games join their arguments to one line and quote them so
        raise LaunchError(_('arguments cannot contain the character "'))
    return arguments


def fill_placeholders(arguments: Iterable[str], values: Mapping[str, str]) -> tuple[str, ...]:
    """The arguments with their places filled, each in one pass: what is filled in is never looked at again."""
    return tuple(_PLACEHOLDER.sub(lambda place: values[place.group()], argument) for argument in arguments)


def _validate_address(connect: Address) -> Address:
    try:
        host = normalize_host(connect.host)
    except ValueError as error:
        raise LaunchError(str(error)) from None
    if not _HOST_PATTERN.fullmatch(host):  # an IPv6 scope may hold any character
        raise LaunchError(_("not a host name or IP address: {host!r}").format(host=connect.host))
    if not 1 <= connect.port <= 65535:
        raise LaunchError(_("port must be from 1 to 65535, not {port}").format(port=connect.port))
    return Address(host, connect.port)


def validate_password(password: str) -> str:
    """A password that a game can be told.

    Game engines join argv to one line and read it like their console's input. There `+` begins a command, also within
    a word (ioquake3 common.c), `;` ends one, `$` stands for a variable's value (DarkPlaces cmd.c), and quotes and
    spaces part words.

    Raises:
        LaunchError: the password holds any of these.
    """
    if len(password) > MAX_PASSWORD_LENGTH or password.startswith("-") or not _PASSWORD_CHARACTERS.issuperset(password):
        raise LaunchError(
            _(
                "game passwords can have at most {n} characters: plain letters, digits and symbols, but no "
                "spaces, no leading - and none of {refused}"
            ).format(n=MAX_PASSWORD_LENGTH, refused=" ".join(FORBIDDEN_CHARACTERS))
        )
    return password
