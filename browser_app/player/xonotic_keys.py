"""Fingerprints of the user's Xonotic keys.

DarkPlaces (crypto.c, Crypto_SavePubKeyTextFile) writes `key_0-public-fp….txt` beside the secret `key_0.d0si`. The
secret file is never opened.
"""

import logging
import re
import stat
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from browser_app.input_files import open_regular_file
from browser_app.player.player_identities import IdentityError, parse_fingerprint

_log = logging.getLogger(__name__)

XONOTIC_FLATPAK_ID = "org.xonotic.Xonotic"
_PUBLIC_KEY_FILE = re.compile(r"key_\d{1,2}-public-fp[\w.-]*\.txt", re.ASCII)
_MAX_BYTES = 4096
_MAX_FILES = 50


@dataclass(frozen=True, slots=True)
class FoundFingerprint:
    """A public key of this user on this machine."""

    fingerprint: str
    path: Path
    """The public file that contains it."""


def list_xonotic_key_folders(platform: str, home: Path, environment: Mapping[str, str]) -> Iterator[Path]:
    """Yield the folders where the game stores its keys, whether or not they exist."""
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
    """Return the fingerprints in those folders, each once.

    Reads files: never call from the GUI thread.
    """
    fingerprints: dict[str, FoundFingerprint] = {}
    for folder in folders:
        for path in _list_public_key_files(folder):
            fingerprint = _read_fingerprint_file(path)
            if fingerprint is not None:
                fingerprints.setdefault(fingerprint, FoundFingerprint(fingerprint, path))
    return tuple(fingerprints.values())


def _list_public_key_files(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if _PUBLIC_KEY_FILE.fullmatch(path.name))[:_MAX_FILES]
    except OSError as error:
        _log.debug("Cannot read %s: %s", folder, error.strerror)
        return []


def _read_fingerprint_file(path: Path) -> str | None:
    """Return the fingerprint in a public key file, None for another file or link."""
    try:
        real_path = path.resolve(strict=True)
        if not _PUBLIC_KEY_FILE.fullmatch(real_path.name) or not stat.S_ISREG(real_path.stat().st_mode):
            return None
        with open_regular_file(real_path) as file:
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
