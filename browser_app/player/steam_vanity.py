"""Whose profile has a chosen address: only Steam knows, and is asked when the user wants it."""

from browser_app.language import gettext as _
from browser_app.player.asking import Asking, Question, SourceError
from browser_app.player.identities import IdentityError, read_steam_id
from browser_app.player.steam_user_stats import STEAM, in_plain_words
from browser_app.protocols.json_text import NoJSON, read_json

_FOUND, _NOT_FOUND = 1, 42


def ask_whose(asking: Asking, name: str, key: str, base: str = STEAM) -> str:
    """Ask for the 64-bit id behind `steamcommunity.com/id/NAME`.

    Raises:
        SourceError: it is nobody's, or Steam did not tell.
    """
    question = Question(
        f"{base}/ISteamUser/ResolveVanityURL/v1/",
        {"vanityurl": name},
        _("whose the address “{name}” is").format(name=name),
        secret={"key": key},
    )
    return asking.ask(question, read_whose, str, in_plain_words)


def read_whose(body: bytes) -> str:
    """Read what ResolveVanityURL says.

    Raises:
        SourceError: it is nobody's, or this is no such answer.
    """
    try:
        answer = read_json(body, strict=False)
    except NoJSON:
        raise SourceError(_("Steam's answer is not JSON.")) from None
    response = answer.get("response") if isinstance(answer, dict) else None
    told = response if isinstance(response, dict) else {}
    if told.get("success") == _NOT_FOUND:
        raise SourceError(_("No profile on Steam has that address."))
    account = told.get("steamid")
    if told.get("success") != _FOUND or not isinstance(account, str):
        raise SourceError(_("Steam's answer makes no sense."))
    try:
        return read_steam_id(account)
    except IdentityError:
        raise SourceError(_("Steam's answer makes no sense.")) from None
