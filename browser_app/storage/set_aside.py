"""A damaged file is never thrown away: it is renamed, so that the user or we can still look into it."""

import time
from pathlib import Path


def set_aside(path: Path, *companions: Path) -> Path:
    """Rename `path` to `NAME.broken-DATE-TIME`, and its companions with it; returns the new path.

    Raises:
        OSError: the folder may not be written.
    """
    suffix = time.strftime(".broken-%Y%m%d-%H%M%S")
    number = 0
    while (target := path.with_name(f"{path.name}{suffix}{f'-{number}' if number else ''}")).exists():
        number += 1
    path.rename(target)
    for companion in companions:
        if companion.exists():
            companion.rename(target.with_name(target.name + companion.name.removeprefix(path.name)))
    return target
