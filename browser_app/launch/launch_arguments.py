"""Validated arguments of a game: address, password and the user's own."""

import re
import shlex
import string
from collections.abc import Iterable, Mapping

from browser_app.games.game_profile import GameProfile
from browser_app.language import gettext as _
from browser_app.protocols.address import Address, normalize_host, shorten
from browser_app.protocols.server_code import find_code, is_code_address

MAX_PASSWORD_LENGTH = 64
MAX_ARGUMENTS, MAX_ARGUMENTS_LENGTH = 32, 500

FORBIDDEN_CHARACTERS = "\"'`;\\+$"
"""Characters that a password cannot contain."""

_HOST_PATTERN = re.compile(r"[0-9A-Za-z.:-]+")
_PASSWORD_CHARACTERS = frozenset(string.ascii_letters + string.digits + string.punctuation) - frozenset(
    FORBIDDEN_CHARACTERS
)
_PLACEHOLDER = re.compile(r"\{[a-z]+\}")


class LaunchError(Exception):
    """The game cannot be started; `str()` is a message for the user."""


class GameStartError(LaunchError):
    """The program of the game cannot be run, whatever the server."""


class GameNotInstalledError(LaunchError):
    """The game is not installed, as far as is known."""

    def __init__(self, game: GameProfile, source: str, program_problem: str = "") -> None:
        """Create the error.

        Args:
            game: the game.
            source: where to get it, empty if unknown.
            program_problem: why the user's own program for it cannot be started, empty if there is none.
        """
        if program_problem:
            text = _("{name} cannot be started: {problem}")
        else:
            text = _("{name} is not installed; get it from {source}") if source else _("{name} is not installed")
        super().__init__(text.format(name=game.name, source=source, problem=program_problem))
        self.game, self.source, self.program_problem = game, source, program_problem

    @property
    def headline(self) -> str:
        """Return what is wrong in a few words, without the cause."""
        text = _("{game} cannot be started") if self.program_problem else _("{game} is not installed")
        return text.format(game=self.game.name)


def placeholder_values(connect: Address, password: str | None) -> Mapping[str, str]:
    """Return the value of each placeholder, such as `{connect}`.

    Others are `{host}`, `{port}` and, with a password, `{password}`; `{code}` alone if the server is joined by a code.

    Raises:
        LaunchError: the host, port or code is invalid, or a game console could interpret the password.
    """
    if is_code_address(connect):
        return {"{code}": _validate_code(connect)}
    server = _validate_address(connect)
    values = {"{connect}": str(server), "{host}": server.host, "{port}": str(server.port)}
    if password:
        values["{password}"] = validate_password(password)
    return values


def split_arguments(text: str) -> tuple[str, ...]:
    """Split the user's own arguments for one server like a shell, without expansion.

    Raises:
        LaunchError: a quote is not closed, there are too many arguments or characters, or one contains a control
            character or a quote.
    """
    if len(text) > MAX_ARGUMENTS_LENGTH or not text.isprintable():
        raise LaunchError(_("arguments can have at most {n} characters, on one line").format(n=MAX_ARGUMENTS_LENGTH))
    try:
        arguments = tuple(shlex.split(text))
    except ValueError:
        raise LaunchError(_("missing closing quote")) from None
    if len(arguments) > MAX_ARGUMENTS:
        raise LaunchError(_("at most {n} arguments are allowed").format(n=MAX_ARGUMENTS))
    if any('"' in argument for argument in arguments):  # games join their arguments into one line, quoted with "
        raise LaunchError(_('arguments cannot contain the character "'))
    return arguments


def fill_placeholders(arguments: Iterable[str], values: Mapping[str, str]) -> tuple[str, ...]:
    """Return the arguments with placeholders replaced; values are not searched again."""
    return tuple(_PLACEHOLDER.sub(lambda place: values[place.group()], argument) for argument in arguments)


def _validate_address(connect: Address) -> Address:
    try:
        host = normalize_host(connect.host)
    except ValueError as error:
        raise LaunchError(str(error)) from None
    if not _HOST_PATTERN.fullmatch(host):  # an IPv6 zone may contain any character
        raise LaunchError(_("not a host name or IP address: “{host}”").format(host=shorten(connect.host)))
    if not 1 <= connect.port <= 65535:
        raise LaunchError(_("port must be from 1 to 65535, not {port}").format(port=connect.port))
    return Address(host, connect.port)


def _validate_code(connect: Address) -> str:
    code = find_code(connect)
    if code is None:
        raise LaunchError(_("not a host name or IP address: “{host}”").format(host=shorten(connect.host)))
    return code


def validate_password(password: str) -> str:
    """Return a password that is safe on a game's command line.

    Game engines join argv into one line and parse it like console input. There `+` starts a command, even within a word
    (ioquake3 common.c), `;` ends one, `$` expands a variable (DarkPlaces cmd.c), and quotes and spaces separate words.

    Raises:
        LaunchError: the password contains any of these, starts with `-` or is too long.
    """
    if len(password) > MAX_PASSWORD_LENGTH or password.startswith("-") or not _PASSWORD_CHARACTERS.issuperset(password):
        raise LaunchError(
            _(
                "game passwords can have at most {n} characters: plain letters, digits and symbols, but no "
                "spaces, no leading - and none of {refused}"
            ).format(n=MAX_PASSWORD_LENGTH, refused=" ".join(FORBIDDEN_CHARACTERS))
        )
    return password
