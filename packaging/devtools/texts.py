"""The translations: texts are found in the code, put into each language's file, and compiled."""

import tempfile
from collections.abc import Callable
from pathlib import Path

DOMAIN = "ready-room"
LANGUAGES = Path("resources", "languages")
MARKS = ("N_", "TranslatableText")
"""What marks a text besides gettext's own names: looked up where it is shown."""


def update(run: Callable[..., int]) -> int:
    """Bring every `.po` file up to date with the code and compile it; the first exit status that is not 0.

    Args:
        run: runs a program of the environment in the checkout.
    """
    with tempfile.TemporaryDirectory() as folder:
        template = str(Path(folder, f"{DOMAIN}.pot"))
        marks = [word for mark in MARKS for word in ("-k", mark)]
        plain = ("--no-location", "--no-wrap")
        into = ("-D", DOMAIN, "-d", str(LANGUAGES))
        return (
            run("pybabel", "-q", "extract", *plain, "--sort-output", *marks, "-o", template, "browser_app")
            or run("pybabel", "-q", "update", *_UPDATE, "-i", template, *into)
            or run("pybabel", "-q", "compile", *into)
        )


_UPDATE = ("--no-fuzzy-matching", "--ignore-obsolete", "--ignore-pot-creation-date", "--no-wrap")
