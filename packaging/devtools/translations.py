"""The translations: collect the code's texts into `.po` files and compile these."""

import tempfile
from collections.abc import Callable
from pathlib import Path

from devtools.checkout import ROOT

DOMAIN = "ready-room"
LANGUAGES = Path("resources", "languages")
KEYWORDS = ("N_", "TranslatableText")
"""Functions that mark a text besides gettext's own; the text is translated where it is shown."""
COMPILER = "packaging/compile_translations.py"

# Locations name files, not lines: a line number changes with every edit above it.
_EXTRACT_OPTIONS = ("--no-wrap", "--sort-by-file", "--add-location=file")
_UPDATE_OPTIONS = ("--no-fuzzy-matching", "--ignore-obsolete", "--ignore-pot-creation-date", "--no-wrap")


def update_translations(run_tool: Callable[..., int]) -> int:
    """Update and compile every `.po` file; return the first exit status that is not 0.

    Args:
        run_tool: runs a program of the environment in the checkout.
    """
    with tempfile.TemporaryDirectory() as folder:
        template = str(Path(folder, f"{DOMAIN}.pot"))
        keywords = [word for keyword in KEYWORDS for word in ("-k", keyword)]
        return (
            run_tool("pybabel", "-q", "extract", *_EXTRACT_OPTIONS, *keywords, "-o", template, "browser_app")
            or run_tool("pybabel", "-q", "update", *_UPDATE_OPTIONS, "-i", template, "-D", DOMAIN, "-d", str(LANGUAGES))
            or run_tool("python", COMPILER)
        )


def compile_outdated_translations(run_tool: Callable[..., int]) -> int:
    """Compile the translations if a `.po` file is newer; return the exit status."""
    sources = (ROOT / LANGUAGES).glob("*/LC_MESSAGES/*.po")
    return run_tool("python", COMPILER) if any(_is_outdated(source) for source in sources) else 0


def _is_outdated(source: Path) -> bool:
    target = source.with_suffix(".mo")
    return not target.exists() or target.stat().st_mtime_ns <= source.stat().st_mtime_ns
