"""Identities of the user by game: Steam accounts, key fingerprints, names."""

import enum
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from browser_app.catalogue.filters.filter_predicates import text_predicate
from browser_app.language import gettext as _

STEAM_BASE = 0x0110_0001_0000_0000
"""A user's 64-bit Steam id is this plus the account number (public universe, desktop instance)."""
MAX_ACCOUNT = 2**32 - 1
MAX_VALUE_LENGTH = 200

_STEAM2 = re.compile(r"STEAM_[01]:([01]):(\d{1,10})", re.IGNORECASE | re.ASCII)
_STEAM3 = re.compile(r"\[?U:1:(\d{1,10})(?::1)?\]?", re.IGNORECASE | re.ASCII)
_PROFILE_URL = re.compile(
    r"(?:https?://)?(?:www\.)?steamcommunity\.com/(profiles|id)/([^/?#\s]+)(?:[/?#]\S*)?", re.IGNORECASE
)
_VANITY_NAME = re.compile(r"[\w-]{2,32}", re.ASCII)
_FINGERPRINT = re.compile(r"[A-Za-z0-9+/]{43}=")


class IdentityKind(enum.StrEnum):
    """Kind of an identity."""

    STEAM = "steam"
    """A Steam account; the value is its 64-bit id in decimal."""
    XONOTIC = "xonotic"
    """The fingerprint of a DarkPlaces key: 44 characters of base64."""
    NAME = "name"
    """A player name with the wildcards `*` and `?`, ignoring case."""


@dataclass(frozen=True, slots=True)
class Identity:
    """One identity of the user in a game; `value` is in the kind's canonical form."""

    game: str
    """The game's id."""
    kind: IdentityKind
    value: str


_KINDS = {str(kind): kind for kind in IdentityKind}


def parse_identities(rows: Iterable[tuple[str, str, str]]) -> tuple[Identity, ...]:
    """Parse stored rows (game, kind, value); unknown kinds are left out."""
    return tuple(Identity(game, _KINDS[kind], value) for game, kind, value in rows if kind in _KINDS)


class IdentityError(ValueError):
    """A text is not a valid identity; `str()` says why, for the user."""


class VanityNameError(IdentityError):
    """A profile URL with a custom name, which only Steam can resolve.

    Attributes:
        name: the custom part of the URL.
    """

    def __init__(self, name: str) -> None:
        super().__init__(_("The custom URL “{name}” must be looked up on Steam.").format(name=name))
        self.name = name


def parse_steam_id(text: str) -> str:
    """Parse a 64-bit Steam id, returned in decimal.

    Accepts the 64-bit id, `STEAM_0:1:…`, `[U:1:…]`, the account number (as NS2 shows it), and a profile URL.

    Raises:
        VanityNameError: a URL that only Steam can resolve.
        IdentityError: none of these forms.
    """
    text = text.strip()
    profile = _PROFILE_URL.fullmatch(text)
    if profile:
        url_kind, text = profile[1].lower(), profile[2]
        if url_kind == "id":
            if not _VANITY_NAME.fullmatch(text):
                raise IdentityError(_("No Steam profile has that address."))
            raise VanityNameError(text)
    account = _parse_account(text)
    if account is None or not 0 < account <= MAX_ACCOUNT:
        raise IdentityError(_("Not a Steam ID. Use 17 digits, STEAM_0:…, [U:1:…] or a profile URL."))
    return str(STEAM_BASE + account)


def parse_fingerprint(text: str) -> str:
    """Parse a fingerprint, with or without its label in a public key file.

    Raises:
        IdentityError: it is not a fingerprint.
    """
    value = text.strip().removeprefix("ID-Fingerprint:").strip()
    if not _FINGERPRINT.fullmatch(value):
        raise IdentityError(_("Not a fingerprint: fingerprints have 44 characters and end with “=”."))
    return value


def parse_name_pattern(text: str) -> str:
    """Parse a player name or pattern.

    Raises:
        IdentityError: it is empty, too long, or matches everybody.
    """
    value = text.strip()
    if not value.strip("*?"):
        raise IdentityError(_("A name needs a character other than * and ?."))
    if len(value) > MAX_VALUE_LENGTH:
        raise IdentityError(_("Longer than {n} characters.").format(n=MAX_VALUE_LENGTH))
    return value


def match_player_ids(
    identities: Iterable[Identity], ids: Sequence[str], names: Sequence[str | None]
) -> tuple[str, ...]:
    """Return the ids of a record's players that are the user.

    Each occurs once, in the order of the identities.

    Args:
        identities: those of the record's game.
        ids: the record's players; a Steam account is found in each of its forms.
        names: their names; a player without one is matched by the id.
    """
    matched_ids: dict[str, None] = {}
    for identity in identities:
        matched_ids |= dict.fromkeys(_find_matching_ids(identity, ids, names))
    return tuple(matched_ids)


def choose_identity(game: str, player: str, name: str | None) -> Identity:
    """Return the most reliable identity of a record's player: the id if it is one.

    Otherwise it is the name. A `*` in the name becomes `?`, because as a pattern it would match names of any length.
    """
    if _FINGERPRINT.fullmatch(player):
        return Identity(game, IdentityKind.XONOTIC, player)
    try:
        return Identity(game, IdentityKind.STEAM, parse_steam_id(player))
    except IdentityError:
        return Identity(game, IdentityKind.NAME, (name or player).replace("*", "?"))


def _find_matching_ids(identity: Identity, ids: Sequence[str], names: Sequence[str | None]) -> Iterator[str]:
    if identity.kind is IdentityKind.NAME:
        matches = text_predicate([identity.value])
        return (each for each, name in zip(ids, names, strict=True) if matches((name or each).casefold()))
    forms = _list_steam_forms(identity.value) if identity.kind is IdentityKind.STEAM else {identity.value}
    return (each for each in ids if each in forms)


def _list_steam_forms(value: str) -> set[str]:
    """Return all forms in which records contain an account."""
    account = int(value) - STEAM_BASE
    half, bit = divmod(account, 2)
    steam2 = {f"STEAM_{universe}:{bit}:{half}" for universe in (0, 1)}
    return {value, str(account), f"[U:1:{account}]", f"U:1:{account}"} | steam2


def _parse_account(text: str) -> int | None:
    """Return the account number that a text contains, not yet validated."""
    if match := _STEAM2.fullmatch(text):
        return int(match[2]) * 2 + int(match[1])
    if match := _STEAM3.fullmatch(text):
        return int(match[1])
    if not (text.isascii() and text.isdigit() and len(text) <= 17):
        return None
    number = int(text)
    return number if number <= MAX_ACCOUNT else number - STEAM_BASE
