"""Fingerprints of the user's Xonotic keys.

DarkPlaces (crypto.c, Crypto_SavePubKeyTextFile) puts `key_0-public-fp….txt` beside the secret `key_0.d0si`; the secret
one is never opened.
"""

import re
import stat
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from browser_app.player.player_identities import IdentityError, parse_fingerprint

XONOTIC_FLATPAK_ID = "org.xonotic.Xonotic"
_PUBLIC = re.compile(r"key_\d{1,2}-public-fp[\w.-]*\.txt", re.ASCII)
_MAX_BYTES = 4096
_MOST_FILES = 50


@dataclass(frozen=True, slots=True)
class FoundFingerprint:
    """A key of this user on this machine."""

    fingerprint: str
    path: Path
    """The public file that says so."""


def xonotic_key_folders(platform: str, home: Path, environment: Mapping[str, str]) -> Iterator[Path]:
    """Where the game keeps its keys; whether the folders are there is not asked.

    Args:
        platform: as `sys.platform` has it.
        home: the user's folder.
        environment: of the program.
    """
    if platform == "win32":
        profile = Path(environment.get("USERPROFILE") or home)
        yield profile / "Saved Games/xonotic"
        yield profile / "Documents/My Games/xonotic"
        return
    yield home / ".xonotic"
    if platform == "darwin":
        yield home / "Library/Application Support/xonotic"
    else:
        yield home / ".var/app" / XONOTIC_FLATPAK_ID / ".xonotic"


def find_fingerprints(folders: Iterable[Path]) -> tuple[FoundFingerprint, ...]:
    """The fingerprints in those folders, each once. Reads files: never on the window's thread."""
    found: dict[str, FoundFingerprint] = {}
    for folder in folders:
        for path in _public_key_files(folder):
            fingerprint = _read_fingerprint_file(path)
            if fingerprint is not None:
                found.setdefault(fingerprint, FoundFingerprint(fingerprint, path))
    return tuple(found.values())


def _public_key_files(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if _PUBLIC.fullmatch(path.name))[:_MOST_FILES]
    except OSError:
        return []


def _read_fingerprint_file(path: Path) -> str | None:
    """The fingerprint in a public file; None where it is no such file, or only a link to another kind of file."""
    try:
        real = path.resolve(strict=True)
        if not _PUBLIC.fullmatch(real.name) or not stat.S_ISREG(real.stat().st_mode):
            return None
        with real.open("rb") as file:
            text = file.read(_MAX_BYTES).decode("ascii", "replace")
    except (OSError, RuntimeError):
        return None
    for line in text.splitlines():
        if line.startswith("ID-Fingerprint:"):
            try:
                return parse_fingerprint(line)
            except IdentityError:
                return None
    return None
