"""Arguments of all commands that rate: which system, with which parameters."""

import argparse
from collections.abc import Iterable, Mapping, Sequence

from browser_app.commands.errors import BadInput
from browser_app.commands.parameter_file import ParameterFile
from browser_app.rating.errors import ParameterError
from browser_app.rating.parameters import parameter_set
from browser_app.rating.system import RatingSystem
from browser_app.rating.systems import SYSTEMS


def add_system(parser: argparse.ArgumentParser, default: str | None = None, *, of_game: bool = False) -> None:
    """One system and its parameters; without a default it must be named, unless a game is to say which it is."""
    otherwise = "the game's own" if of_game else default
    parser.add_argument(
        "--system",
        choices=list(SYSTEMS),
        default=default,
        required=otherwise is None,
        metavar="SYSTEM",
        help=", ".join(SYSTEMS) + (f" ({otherwise})" if otherwise else ""),
    )
    _add_parameters(parser)


def add_systems(parser: argparse.ArgumentParser) -> None:
    """Some systems, all unless told."""
    parser.add_argument(
        "--system", choices=list(SYSTEMS), action="append", metavar="SYSTEM", help=f"{', '.join(SYSTEMS)} (all)"
    )
    _add_parameters(parser)


def _add_parameters(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("parameters (the later here win over the former)")
    presets = dict.fromkeys(preset for system in SYSTEMS.values() for preset in system.presets)
    group.add_argument("--preset", metavar="NAME", help=f"values by name: {', '.join(presets)}")
    group.add_argument("--params", metavar="FILE", help="values in a file, as `fit` prints it")
    group.add_argument("--param", action="append", default=[], metavar="NAME=VALUE", help="one value (repeatable)")


def chosen_system(args: argparse.Namespace) -> RatingSystem:
    """The system that was asked for, with its parameters.

    Raises:
        BadInput: a parameter is wrong; `--param: NAME: what`, or `FILE:LINE: field: what`.
    """
    return _systems([args.system], args)[0]


def chosen_systems(args: argparse.Namespace) -> list[RatingSystem]:
    """The systems that were asked for, each once; a preset, a file and a value go to those that have a use for it.

    Raises:
        BadInput: as `chosen_system`; also where no system has a use for something.
    """
    return _systems(list(dict.fromkeys(args.system or SYSTEMS)), args)


def _systems(names: Sequence[str], args: argparse.Namespace) -> list[RatingSystem]:
    wanted = [SYSTEMS[name] for name in names]
    file = None if args.params is None else ParameterFile.read(args.params, names)
    given = _given(args.param)
    _refuse_idle(args.preset, given, wanted)
    return [
        _system(
            system,
            system.presets.get(args.preset, {}),
            file if file is not None and file.is_of(system.name) else None,
            {name: value for name, value in given.items() if len(wanted) == 1 or _declares(system, name)},
        )
        for system in wanted
    ]


def _refuse_idle(preset: str | None, given: Iterable[str], systems: Sequence[type[RatingSystem]]) -> None:
    """Of one system the parameter set itself tells more about an unknown name."""
    names = ", ".join(system.name for system in systems)
    presets = dict.fromkeys(name for system in systems for name in system.presets)
    if preset is not None and preset not in presets:
        raise BadInput(f"--preset: {preset}: no such preset of {names}; there are: {', '.join(presets) or 'none'}")
    for name in given:
        if len(systems) > 1 and not any(_declares(system, name) for system in systems):
            raise BadInput(f"--param: {name}: no such parameter of {names}")


def _declares(system: type[RatingSystem], name: str) -> bool:
    return any(parameter.name == name for parameter in system.declared)


def _given(assignments: Sequence[str]) -> dict[str, str]:
    given = {}
    for text in assignments:
        name, sign, value = text.partition("=")
        if not sign or not name:
            raise BadInput(f"--param: {text}: must be NAME=VALUE")
        given[name] = value
    return given


def _system(
    system: type[RatingSystem],
    preset: Mapping[str, object],
    file: ParameterFile | None,
    given: Mapping[str, object],
) -> RatingSystem:
    content = None if file is None else file.content
    try:
        return system(parameter_set(system.declared, preset=preset, file=content, given=given))
    except ParameterError as error:
        if file is not None and (error.within or error.name not in given):
            raise file.wrong(error) from None
        raise BadInput(f"--param: {error}") from None
