"""Plan of how a game is started on a server."""

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from browser_app.games.game_profile import GameProfile, LaunchMethods
from browser_app.language import gettext as _
from browser_app.launch.installed_games import GameInstallation, LaunchMethod, list_uninstalled_methods
from browser_app.launch.launch_arguments import LaunchError, fill_placeholders, placeholder_values, split_arguments
from browser_app.protocols.address import Address
from browser_app.protocols.server_code import address_text, is_code_address


@dataclass(frozen=True, slots=True)
class LaunchPlan:
    """Command or URL that starts the game: exactly one of `argv` and `url` is set."""

    argv: tuple[str, ...] | None
    """Program (a full path if found) and arguments; never for a shell."""
    url: str | None
    """URL for Steam's client or for the program that is registered for its scheme."""
    is_installed: bool
    """The game is installed; if not, the plan shows what would start it."""
    method: LaunchMethod


def plan_launch(
    profile: GameProfile,
    connect: Address,
    installations: Sequence[GameInstallation],
    *,
    password: str | None = None,
    extra_arguments: str = "",
) -> LaunchPlan:
    """Return how to start the game on a server.

    The first installation that can pass address and password is used. Of the server's own data only the address is
    used, and it is validated.

    Args:
        profile: the game.
        connect: the server's game address, not its query address.
        installations: how the game can be started here; see `installed_games`.
        password: the server's password, None or empty for none.
        extra_arguments: the user's own arguments for this server; they come first. A game's own URL takes none.

    Raises:
        LaunchError: the address, the password or an argument is invalid, or the game accepts none when it is started.
    """
    values, user_arguments = placeholder_values(connect, password), split_arguments(extra_arguments)
    methods = profile.launch.for_codes if is_code_address(connect) else profile.launch
    installed = _iterate_plans(methods, installations, values, user_arguments, is_installed=True)
    missing = _iterate_plans(methods, list_uninstalled_methods(methods), values, user_arguments, is_installed=False)
    plan = next(installed, None) or next(missing, None)
    if plan is None:
        if password and methods.takes_address:
            text = _("{name} does not accept a password when it is started; join {connect} from its own menu")
        else:
            text = _("{name} cannot be started with a server address; join {connect} from its own menu")
        raise LaunchError(text.format(name=profile.name, connect=address_text(connect)))
    return plan


def _iterate_plans(
    methods: LaunchMethods,
    installations: Iterable[GameInstallation],
    values: Mapping[str, str],
    extra_arguments: tuple[str, ...],
    *,
    is_installed: bool,
) -> Iterator[LaunchPlan]:
    """Yield a plan for each installation that can pass all values."""
    for installation in installations:
        if installation.method == "steam":
            line = _fill_steam_arguments(methods, values)
            if line is not None:
                # The form that NS2's community tools use; Steam asks the user before it passes arguments on.
                text = " ".join((*_quote_arguments(extra_arguments), line))
                url = f"steam://run/{methods.steam_appid}//{quote(text, safe='')}"
                yield LaunchPlan(None, url, is_installed, "steam")
        elif installation.method == "url":
            if methods.url and "{password}" not in values:
                (url,) = fill_placeholders([methods.url], values)
                yield LaunchPlan(None, url, is_installed, "url")
        else:
            arguments = _fill_program_arguments(methods, values)
            if arguments is not None:
                argv = (*installation.command, *extra_arguments, *arguments)
                yield LaunchPlan(argv, None, is_installed, installation.method)


def _quote_arguments(arguments: tuple[str, ...]) -> Iterator[str]:
    """Quote arguments for one line; none contains a quote."""
    return (f'"{argument}"' if not argument or " " in argument else argument for argument in arguments)


def _fill_steam_arguments(methods: LaunchMethods, values: Mapping[str, str]) -> str | None:
    """Return the filled arguments as one line; None if a password cannot be passed."""
    templates = _select_steam_templates(methods, values)
    return " ".join(fill_placeholders(templates, values)) if all(templates) else None


def _select_steam_templates(methods: LaunchMethods, values: Mapping[str, str]) -> tuple[str, ...]:
    if "{password}" in values:
        return methods.steam_arguments, methods.steam_password_arguments
    return (methods.steam_arguments,)


def _fill_program_arguments(methods: LaunchMethods, values: Mapping[str, str]) -> tuple[str, ...] | None:
    """Return the filled arguments; None if a password cannot be passed.

    A game that only Steam starts gets the arguments that Steam would pass on; one started only by links gets a link.
    """
    if not methods.arguments:
        if methods.url and not methods.steam_arguments:
            return None if "{password}" in values else fill_placeholders([methods.url], values)
        templates = _select_steam_templates(methods, values)
        return fill_placeholders(shlex.split(" ".join(templates)), values) if all(templates) else None
    if "{password}" not in values:
        return fill_placeholders(methods.arguments, values)
    if not methods.password_arguments:
        return None
    return fill_placeholders(methods.password_arguments + methods.arguments, values)
