"""How identities are named, and what a typed text is read as."""

from browser_app.language import gettext as _
from browser_app.player.identities import (
    Identity,
    IdentityError,
    IdentityKind,
    read_fingerprint,
    read_name,
    read_steam_id,
)

_READERS = {
    IdentityKind.STEAM: read_steam_id,
    IdentityKind.XONOTIC: read_fingerprint,
    IdentityKind.NAME: read_name,
}


def kind_title(kind: IdentityKind) -> str:
    """What a kind is called."""
    return {
        IdentityKind.STEAM: _("Steam account"),
        IdentityKind.XONOTIC: _("Xonotic key"),
        IdentityKind.NAME: _("Name or pattern"),
    }[kind]


def read_identity(game: str, kind: IdentityKind, text: str) -> Identity:
    """The identity that a text names.

    Raises:
        IdentityError: it names nobody; `VanityName` where Steam can tell.
    """
    return Identity(game, kind, _READERS[kind](text))


def likely_kind(text: str) -> IdentityKind:
    """What a text most likely is: a name wherever it can be nothing else."""
    lower = text.strip().lower()
    if lower.startswith("id-fingerprint:"):
        return IdentityKind.XONOTIC
    if lower.startswith(("http://", "https://", "steamcommunity.com/", "www.steamcommunity.com/")):
        return IdentityKind.STEAM
    for kind in (IdentityKind.STEAM, IdentityKind.XONOTIC):
        try:
            _READERS[kind](text)
        except IdentityError:
            continue
        return kind
    return IdentityKind.NAME
