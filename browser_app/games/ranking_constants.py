"""The constants of the score, read from a game's profile or a preset."""

import math
from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path

from browser_app.games.profile import RankingConstants
from browser_app.games.toml_table import Table, read_table

_FLAGS = frozenset(spec.name for spec in fields(RankingConstants) if spec.type in (bool, "bool"))
_NAMES = frozenset(spec.name for spec in fields(RankingConstants))
_ABOVE_ZERO = frozenset({"viability_steepness", "ping_width_ms", "skill_deviation"})
_MAY_BE_INFINITE = frozenset({"slot_cap"})


def read_constants(table: Table, base: RankingConstants) -> RankingConstants:
    """`base` with the constants that the table sets. Keys that name no constant are left to the caller.

    Raises:
        ProfileError: a value of another type, NaN, or out of the range that `RankingConstants` promises.
    """
    changes = {
        name: table.flag(name) if name in _FLAGS else _number(table, name) for name in table.left() if name in _NAMES
    }
    return replace(base, **changes)  # type: ignore[arg-type]  # flags and numbers are told apart by name


def set_constants(table: Table) -> frozenset[str]:
    """Names of the constants that the table sets; to be asked before `read_constants`."""
    return _NAMES.intersection(table.left())


def load_presets(folder: Path) -> Mapping[str, RankingConstants]:
    """The presets in a folder, by file name without `.toml`. What a file does not set is as in `RankingConstants()`.

    Raises:
        ProfileError: a file is malformed.
    """
    presets = {}
    for file in sorted(folder.glob("*.toml")):
        table = read_table(file)
        presets[file.stem] = read_constants(table, RankingConstants())
        table.close()
    return presets


def _number(table: Table, name: str) -> float:
    value = table.number(name)
    if value < 0 or (value == 0 and name in _ABOVE_ZERO):
        raise table.refused(name, f"must be {'above 0' if name in _ABOVE_ZERO else 'at least 0'}, not {value:g}")
    if math.isinf(value) and name not in _MAY_BE_INFINITE:
        raise table.refused(name, "must be finite")
    return value
