"""Arguments for rating systems and their parameters."""

import argparse
from collections.abc import Callable, Iterable, Mapping, Sequence

from browser_app.application.parameter_file import ParameterFile
from browser_app.exit_status import UsageError
from browser_app.rating.evaluation.forecast_blend import BLEND
from browser_app.rating.rating_errors import ParameterError
from browser_app.rating.rating_parameters import ParameterSet, resolve_parameters
from browser_app.rating.rating_system import RatingSystem
from browser_app.rating.system_registry import RATING_SYSTEMS

SHIPPED_PARAMETERS = "default"
"""In place of a file with parameters: the system's own values, whatever was chosen in the window."""
ChosenParameters = Callable[[str], ParameterSet]
"""Returns the parameters of a system (by name) that the user chose in the window, else its own."""


def add_system_argument(
    parser: argparse.ArgumentParser, default: str | None = None, *, of_game: bool = False, or_blend: bool = False
) -> None:
    """Add one system and its parameters.

    The system is required unless there is a default or the game decides (`of_game`). With `or_blend` the blend of all
    systems may be chosen, too.
    """
    default_text = "that of the game" if of_game else default
    choices = [*RATING_SYSTEMS, BLEND] if or_blend else list(RATING_SYSTEMS)
    blend = f"; {BLEND}: all, weighed by how well they predicted past rounds" if or_blend else ""
    parser.add_argument(
        "--system",
        choices=choices,
        default=default,
        required=default_text is None,
        metavar="SYSTEM",
        help=", ".join(RATING_SYSTEMS) + blend + (f" (default: {default_text})" if default_text else ""),
    )
    _add_parameter_arguments(parser)


def add_systems_argument(parser: argparse.ArgumentParser) -> None:
    """Add any number of systems and their parameters; all systems by default."""
    parser.add_argument(
        "--system",
        choices=list(RATING_SYSTEMS),
        action="append",
        metavar="SYSTEM",
        help=f"{', '.join(RATING_SYSTEMS)} (default: all)",
    )
    _add_parameter_arguments(parser)


def _add_parameter_arguments(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("parameters (--param overrides --params, which overrides --preset)")
    presets = dict.fromkeys(preset for system in RATING_SYSTEMS.values() for preset in system.presets)
    group.add_argument("--preset", metavar="NAME", help=f"named values: {', '.join(presets)}")
    group.add_argument(
        "--params",
        metavar="FILE",
        help=f"file with values, as printed by 'fit', or '{SHIPPED_PARAMETERS}' (default for your own record, unless "
        "there is a preset: the parameters chosen in the window)",
    )
    group.add_argument("--param", action="append", default=[], metavar="NAME=VALUE", help="a single value (repeatable)")


def add_full_history_argument(parser: argparse.ArgumentParser) -> None:
    """Add the choice between rating round by round and the whole record at once."""
    parser.add_argument(
        "--full-history", action="store_true", help="rate the whole record at once instead of round by round"
    )


def full_history_from_arguments(args: argparse.Namespace, system: RatingSystem) -> bool:
    """Return whether the whole record is to be rated at once.

    Raises:
        UsageError: the system cannot do that.
    """
    if args.full_history and not system.has_full_history:
        raise UsageError(f"--full-history: {system.name} supports rating round by round only")
    return bool(args.full_history)


def system_from_arguments(args: argparse.Namespace, chosen_parameters: ChosenParameters | None = None) -> RatingSystem:
    """Return the system with its parameters.

    `chosen_parameters` are used unless the arguments name a file or a preset.

    Raises:
        UsageError: a parameter is wrong; `--param: NAME: problem` or `FILE:LINE: field: problem`.
    """
    return _configure_systems([args.system], args, chosen_parameters)[0]


def all_systems_from_arguments(
    args: argparse.Namespace, chosen_parameters: ChosenParameters | None = None
) -> list[RatingSystem]:
    """Return all systems, with parameters as in `systems_from_arguments`."""
    return _configure_systems(list(RATING_SYSTEMS), args, chosen_parameters)


def systems_from_arguments(
    args: argparse.Namespace, chosen_parameters: ChosenParameters | None = None
) -> list[RatingSystem]:
    """Return the systems, each once, with their parameters.

    Preset, file and values apply to the systems that declare them.

    Raises:
        UsageError: as `system_from_arguments`, or no system declares a value.
    """
    return _configure_systems(list(dict.fromkeys(args.system or RATING_SYSTEMS)), args, chosen_parameters)


def _configure_systems(
    names: Sequence[str], args: argparse.Namespace, chosen_parameters: ChosenParameters | None
) -> list[RatingSystem]:
    systems = [RATING_SYSTEMS[name] for name in names]
    file = None if args.params in (None, SHIPPED_PARAMETERS) else ParameterFile.read(args.params, names)
    values = _parse_assignments(args.param)
    _refuse_unknown(args.preset, values, systems)
    if args.preset is not None or args.params is not None:
        chosen_parameters = None
    return [
        _configure_system(
            system,
            system.presets.get(args.preset, {}),
            file if file is not None and file.is_of(system.name) else None,
            {name: value for name, value in values.items() if len(systems) == 1 or _has_parameter(system, name)},
            chosen_parameters,
        )
        for system in systems
    ]


def _refuse_unknown(preset: str | None, values: Iterable[str], systems: Sequence[type[RatingSystem]]) -> None:
    """Refuse a preset or values that none of the systems declares.

    For a single system the parameter set itself reports unknown names in more detail.
    """
    names = ", ".join(system.name for system in systems)
    presets = dict.fromkeys(name for system in systems for name in system.presets)
    if preset is not None and preset not in presets:
        raise UsageError(
            f"--preset: {preset}: unknown preset of {names}; known presets: {', '.join(presets) or 'none'}"
        )
    for name in values:
        if len(systems) > 1 and not any(_has_parameter(system, name) for system in systems):
            raise UsageError(f"--param: {name}: unknown parameter of {names}")


def _has_parameter(system: type[RatingSystem], name: str) -> bool:
    return any(parameter.name == name for parameter in system.declared_parameters)


def _parse_assignments(assignments: Sequence[str]) -> dict[str, str]:
    values = {}
    for text in assignments:
        name, separator, value = text.partition("=")
        if not separator or not name:
            raise UsageError(f"--param: {text}: must be NAME=VALUE")
        values[name] = value
    return values


def _configure_system(
    system: type[RatingSystem],
    preset: Mapping[str, object],
    file: ParameterFile | None,
    values: Mapping[str, object],
    chosen_parameters: ChosenParameters | None,
) -> RatingSystem:
    content = None if file is None else file.content
    if chosen_parameters is not None:
        content = chosen_parameters(system.name).to_file_content(system.name)
    try:
        return system(resolve_parameters(system.declared_parameters, preset=preset, file=content, explicit=values))
    except ParameterError as error:
        if file is not None and (error.within or error.name not in values):
            raise file.usage_error(error) from None
        raise UsageError(f"--param: {error}") from None
