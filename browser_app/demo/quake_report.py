"""What servers of the Quake III family and of DarkPlaces tell of themselves, as infostrings."""

import base64
import hashlib
from collections.abc import Callable, Mapping
from typing import Final

from browser_app.demo.population import Population

_TEAM_IDS: Final = {1: 5, 2: 14}
"""Xonotic's numbers for red and blue."""


def status_info(state: Population) -> dict[str, str]:
    """The infostring of a statusResponse, without the challenge."""
    return _STATUS.get(state.sheet.id, _ioquake_status)(state)


def short_info(state: Population) -> dict[str, str]:
    """The infostring of an infoResponse, without the challenge."""
    return _INFO.get(state.sheet.id, _ioquake_info)(state)


def _darkplaces(state: Population) -> dict[str, str]:
    """Both replies of DarkPlaces, in the engine's order (netconn.c, NetConn_BuildStatusResponse)."""
    sheet = state.sheet
    info = {
        "gamename": sheet.gamename, "modname": "data", "gameversion": sheet.version,
        "sv_maxclients": str(state.max_players), "clients": str(len(state.people)), "bots": str(state.bots),
        "mapname": state.map, "hostname": state.name, "protocol": str(sheet.master_protocol),
        "qcstatus": _qcstatus(state),
    }  # fmt: skip
    if sheet.id == "xonotic":
        info["d0_blind_id"] = f"1 {_key(state, 'server')}@Xon//KssdlzGkFKdnnN4sgg8H+koTbBn5JTi37BAW1Q="
    return info


def _key(state: Population, kind: str) -> str:
    """A fingerprint that is the server's own: 44 characters of base64."""
    return base64.b64encode(hashlib.sha256(f"{kind} {state.number} {state.name}".encode()).digest()).decode()


def _qcstatus(state: Population) -> str:
    playing = sum(not person.spectator for person in state.people if not person.bot)
    joinable = max(0, state.max_players - state.reserved - playing)
    mod = ("Xonotic", "Xonotic", "Overkill", "InstaGib", "XPM")[state.number % 5]
    version = state.sheet.version if state.sheet.id != "xonotic" else "0.8.6"
    header = f"{state.mode}:{version}:P{state.number % 190}:S{joinable}:F{5 if state.played.teams else 4}"
    if not state.played.teams:
        return f"{header}:TINVALID:M{mod}::score!!"
    scores = "".join(f":{_TEAM_IDS[team]}:{3 * team}" for team in (1, 2))
    return f"{header}:TINVALID:M{mod}::score!!:score!!{scores}"


def _ioquake_status(state: Population) -> dict[str, str]:
    """All `CVAR_SERVERINFO` variables (ioquake3, sv_main.c, SVC_Status)."""
    sheet = state.sheet
    return {
        **sheet.extra, "version": sheet.version, "gamename": sheet.gamename, "protocol": str(sheet.master_protocol),
        "sv_hostname": state.name, "mapname": state.map, "g_gametype": state.played.reported,
        "sv_maxclients": str(state.max_players), "sv_privateClients": str(state.reserved),
        "g_needpass": str(int(state.password)),
    }  # fmt: skip


def _ioquake_info(state: Population) -> dict[str, str]:
    """The short answer (ioquake3, sv_main.c, SVC_Info): private slots are not counted."""
    sheet = state.sheet
    return {
        "gamename": "Quake3Arena", "protocol": str(sheet.master_protocol), "hostname": state.name,
        "mapname": state.map, "clients": str(len(state.people)), "g_humanplayers": str(state.humans),
        "sv_maxclients": str(state.max_players - state.reserved), "gametype": state.played.reported, "pure": "1",
        "g_needpass": str(int(state.password)), "game": sheet.gamename,
    }  # fmt: skip


def _unvanquished(state: Population) -> dict[str, str]:
    sheet = state.sheet
    return {
        **sheet.extra, "protocol": str(sheet.master_protocol), "hostname": state.name, "sv_hostname": state.name,
        "serverload": str(min(100, 4 * len(state.people))), "mapname": state.map, "clients": str(state.humans),
        "bots": str(state.bots), "sv_maxclients": str(state.max_players), "sv_privateClients": str(state.reserved),
        "gamename": sheet.gamename, "version": sheet.version, "g_needpass": str(int(state.password)),
        "stats": "http://stats.example.net/unv",
    }  # fmt: skip


def _warfork(state: Population) -> dict[str, str]:
    sheet = state.sheet
    return {
        **sheet.extra, "version": f"{sheet.version} x86_64 Linux", "gamename": sheet.gamename,
        "protocol": str(sheet.master_protocol), "sv_hostname": state.name, "mapname": state.map,
        "gametype": state.played.reported, "sv_maxclients": str(state.max_players),
        "g_needpass": str(int(state.password)), "clients": str(len(state.people)),
    }  # fmt: skip


_STATUS: Final[Mapping[str, Callable[[Population], dict[str, str]]]] = {
    "xonotic": _darkplaces, "nexuiz": _darkplaces, "unvanquished": _unvanquished, "warfork": _warfork,
}  # fmt: skip
_INFO: Final = _STATUS
