"""Validation of master server URLs."""

import re
from urllib.parse import urlsplit

from browser_app.language import gettext as _

_URL_FORMS = {
    "dpmaster": "dpmaster://HOST:PORT/GAMENAME/PROTOCOL",
    "steam-web+https": "steam-web+https://HOST/?appid=N",
    "steam-web+http": "steam-web+http://HOST/?appid=N",
    "steam-network": "steam-network:?appid=N",
    "json+https": "json+https://HOST/PATH",
    "json+http": "json+http://HOST/PATH",
    "file": "file:PATH",
}
_GAME_AND_PROTOCOL = re.compile(r"/[!-.0-~]{0,63}/\d{1,9}")
_APPID = re.compile(r"appid=[1-9]\d{0,9}")


def master_url_problem(url: str) -> str | None:
    """Return what is wrong with a master's URL, None if it has a known form; hosts are not resolved."""
    scheme = url.partition(":")[0]
    if scheme not in _URL_FORMS:
        return _("{url!r} is not a master server URL; known forms: {forms}").format(
            url=url, forms=", ".join(_URL_FORMS)
        )
    if _matches_form(scheme, url):
        return None
    return _("{url!r} does not match {form}").format(url=url, form=_URL_FORMS[scheme])


def _matches_form(scheme: str, url: str) -> bool:
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        return False
    if parts.fragment or parts.username is not None:
        return False
    if scheme == "dpmaster":
        return bool(host and port and _GAME_AND_PROTOCOL.fullmatch(parts.path) and not parts.query)
    if scheme == "steam-network":
        return not host and not parts.path and bool(_APPID.fullmatch(parts.query))
    if scheme.startswith("steam-web"):
        return bool(host) and parts.path in ("", "/") and bool(_APPID.fullmatch(parts.query))
    return bool(parts.path) if scheme == "file" else bool(host)
