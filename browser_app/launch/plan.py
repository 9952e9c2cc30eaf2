"""How a game would be started into a server: native, as a Flatpak, or through Steam."""

import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal
from urllib.parse import quote

from browser_app.games.profile import GameProfile, LaunchForms
from browser_app.language import gettext as _
from browser_app.launch.arguments import LaunchError, fill, places, split_arguments
from browser_app.launch.installed import flatpak_installed, steam_installed
from browser_app.protocols.address import Address

How = Literal["native", "flatpak", "steam"]


@dataclass(frozen=True, slots=True)
class LaunchPlan:
    """What starts the game. Exactly one of `argv` and `url` is set."""

    argv: tuple[str, ...] | None
    """Program and arguments; never for a shell. The program is a full path where it was found."""
    url: str | None
    """For Steam's client."""
    installed: bool
    """The game is there; if not, this is what would start it."""
    how: How


def plan_launch(
    profile: GameProfile,
    connect: Address,
    *,
    password: str | None = None,
    extra: str = "",
    which: Callable[[str], str | None] = shutil.which,
    flatpak_installed: Callable[[str], bool] = flatpak_installed,
    steam_installed: Callable[[int], bool] = steam_installed,
) -> LaunchPlan:
    """The best way to start the game into a server: the first of native, Flatpak and Steam that is installed.

    Nothing that a server sent is used but its address, and that is validated.

    Args:
        profile: The game.
        connect: What the game is told: its game port, not the query port.
        password: The server's password, None or empty for none.
        extra: The user's own arguments for this server; they come first.
        which: Finds a program's path.
        flatpak_installed: Whether a Flatpak application is there.
        steam_installed: Whether Steam has a game.

    Raises:
        LaunchError: the address, the password or an argument is refused, or the game takes none from outside.
    """
    filled, own = places(connect, password), split_arguments(extra)
    forms = profile.launch
    plans = [
        *_native_plans(forms, filled, own, which),
        *_flatpak_plans(forms, filled, own, flatpak_installed),
        *_steam_plans(forms, filled, own, steam_installed),
    ]
    if not plans:
        what = "a password" if password and (forms.commands or forms.flatpak or forms.steam_appid) else "a server"
        raise LaunchError(
            _("{name} cannot be told {what} from outside; join {connect} from its own menu").format(
                name=profile.name, what=what, connect=connect
            )
        )
    return next((plan for plan in plans if plan.installed), plans[0])


def _native_plans(
    forms: LaunchForms, filled: Mapping[str, str], own: tuple[str, ...], which: Callable[[str], str | None]
) -> Iterator[LaunchPlan]:
    arguments = _program_arguments(forms, filled)
    if arguments is not None:
        for command in forms.commands:
            path = which(command)
            yield LaunchPlan((path or command, *own, *arguments), None, path is not None, "native")


def _flatpak_plans(
    forms: LaunchForms, filled: Mapping[str, str], own: tuple[str, ...], installed: Callable[[str], bool]
) -> Iterator[LaunchPlan]:
    arguments = _program_arguments(forms, filled)
    if arguments is not None and forms.flatpak:
        argv = ("flatpak", "run", forms.flatpak, *own, *arguments)
        yield LaunchPlan(argv, None, installed(forms.flatpak), "flatpak")


def _steam_plans(
    forms: LaunchForms, filled: Mapping[str, str], own: tuple[str, ...], installed: Callable[[int], bool]
) -> Iterator[LaunchPlan]:
    texts = [forms.steam_arguments]
    if "{password}" in filled:
        texts.append(forms.steam_password_arguments)
    if forms.steam_appid and all(texts):
        # The form that NS2's own community tools use; Steam asks the user before it hands arguments on.
        url = f"steam://run/{forms.steam_appid}//{quote(' '.join((*_quoted(own), *fill(texts, filled))), safe='')}"
        yield LaunchPlan(None, url, installed(forms.steam_appid), "steam")


def _quoted(arguments: tuple[str, ...]) -> Iterator[str]:
    """As they stand in one line; none holds a quote."""
    return (f'"{argument}"' if not argument or " " in argument else argument for argument in arguments)


def _program_arguments(forms: LaunchForms, filled: Mapping[str, str]) -> tuple[str, ...] | None:
    """None where a password is to be told and the program takes none."""
    if "{password}" not in filled:
        return fill(forms.arguments, filled)
    return fill(forms.password_arguments + forms.arguments, filled) if forms.password_arguments else None
