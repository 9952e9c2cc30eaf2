"""Patterns as people type them: `*` is any text, `?` any one character, nothing else is special."""

import fnmatch
import re
from collections.abc import Iterable


def is_pattern(text: str) -> bool:
    """True if `text` holds a wildcard."""
    return "*" in text or "?" in text


def compile_patterns(patterns: Iterable[str]) -> re.Pattern[str]:
    """An expression whose `match` is true for casefolded texts that are, as a whole, one of the patterns."""
    # fnmatch.translate writes expressions that do not backtrack beyond one `*`; only its brackets are not ours.
    parts = [fnmatch.translate(pattern.casefold().replace("[", "[[]")) for pattern in patterns]
    return re.compile("|".join(parts) or r"(?!)", re.DOTALL)
