"""The translations: collect the code's texts into `.po` files and compile these."""

import tempfile
from collections.abc import Callable
from pathlib import Path

from devtools.checkout import ROOT

DOMAIN = "ready-room"
LANGUAGES = Path("resources", "languages")
KEYWORDS = ("N_", "TranslatableText")
"""Functions that mark a text besides gettext's own; the text is translated where it is shown."""
COMPILE = "packaging/compile_translations.py"


def update(run: Callable[..., int]) -> int:
    """Update and compile every `.po` file; return the first exit status that is not 0.

    Args:
        run: runs a program of the environment in the checkout.
    """
    with tempfile.TemporaryDirectory() as folder:
        template = str(Path(folder, f"{DOMAIN}.pot"))
        keywords = [word for keyword in KEYWORDS for word in ("-k", keyword)]
        # Locations name files, not lines: a line number changes with every edit above it.
        layout = ("--no-wrap", "--sort-by-file", "--add-location=file")
        return (
            run("pybabel", "-q", "extract", *layout, *keywords, "-o", template, "browser_app")
            or run("pybabel", "-q", "update", *_UPDATE, "-i", template, "-D", DOMAIN, "-d", str(LANGUAGES))
            or run("python", COMPILE)
        )


_UPDATE = ("--no-fuzzy-matching", "--ignore-obsolete", "--ignore-pot-creation-date", "--no-wrap")


def compile_outdated(run: Callable[..., int]) -> int:
    """Compile the translations if a `.po` file is newer; return the exit status."""
    sources = (ROOT / LANGUAGES).glob("*/LC_MESSAGES/*.po")
    return run("python", COMPILE) if any(_is_outdated(source) for source in sources) else 0


def _is_outdated(source: Path) -> bool:
    target = source.with_suffix(".mo")
    return not target.exists() or target.stat().st_mtime_ns <= source.stat().st_mtime_ns
