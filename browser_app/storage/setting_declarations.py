"""Declarations of all settings."""

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from browser_app.catalogue.server_filter import parse_filter
from browser_app.language import N_, gettext
from browser_app.storage.setting_types import (
    Setting,
    bool_setting,
    choice_setting,
    number_setting,
    number_table_setting,
    text_list_setting,
    text_setting,
    text_table_setting,
)


def _check_country(code: str) -> None:
    """Two letters or nothing."""
    if not re.fullmatch(r"([A-Za-z]{2})?", code):
        raise ValueError(gettext("Two letters, as in DE"))


def _check_https_url(address: str) -> None:
    """An address whose page nobody on the way can change, or nothing."""
    parts = urlsplit(address)
    if address and not (parts.hostname and (parts.scheme == "https" or parts.hostname in ("localhost", "127.0.0.1"))):
        raise ValueError(gettext("An address that begins with https://"))


SCAN_PACE = choice_setting(
    "scan.pace",
    "normal",
    {
        "gentle": N_("Gentle: 75 a second"),
        "normal": N_("Normal: 300 a second"),
        "fast": N_("Fast: 1,000 a second"),
    },
    N_("Scanning speed"),
    N_("How many packets are sent. Choose gentle if your router stalls while the list loads."),
)
SCAN_AT_START = bool_setting(
    "scan.at_start",
    True,
    N_("Ask at the start"),
    N_("The list is refreshed when the window opens; otherwise it shows what was known until you refresh."),
)
PAUSE_IN_GAME = bool_setting(
    "scan.pause_in_game",
    True,
    N_("No scanning during a game"),
    N_("While a game that was started from here runs, nobody is asked; the list is refreshed when it has ended."),
)
SHOWN_GAMES = text_list_setting(
    "games.shown",
    N_("Games"),
    N_("The games whose servers are listed. With none chosen, all are."),
    uses_game_ids=True,
)
EXTRA_MASTERS = text_list_setting(
    "games.masters",
    N_("Other master servers"),
    N_("Addresses of more lists, one a line; the master servers have a page of their own too."),
)
DISABLED_MASTERS = text_list_setting(
    "games.masters_off",
    N_("Master servers not asked"),
    N_("Addresses of the games' own master servers that are left out, one a line."),
)
OWN_VERSIONS = text_table_setting(
    "games.own_versions",
    N_("My versions"),
    N_("The version of your own game, where you want to be told before you join a server of another one."),
    uses_game_ids=True,
)
RANKING_PRESET = choice_setting(
    "ranking.preset",
    "own",
    {
        "own": N_("Each game's own numbers"),
        "blog": N_("The NS2 formula as published"),
        "in-game": N_("The NS2 formula as in the game"),
    },
    N_("Score"),
    N_("The numbers that the score of a server is worked out with."),
)
OWN_SKILL = number_table_setting(
    "ranking.my_skill",
    N_("My skill"),
    N_("Your skill in points by game, where it is not read from somewhere else."),
    uses_game_ids=True,
)
PLAY_NOW_FILTER = text_setting(
    "play_now.filter",
    "",
    N_("Play Now looks at"),
    N_("A filter that servers must pass before Play Now chooses them, as in “ping<80 -full”; empty is all."),
    parse_filter,
)
PLAY_NOW_COUNTDOWN_S = number_setting(
    "play_now.countdown",
    1.2,
    0.0,
    10.0,
    N_("Countdown"),
    N_("Seconds between the choice and the start of the game, in which you can cancel."),
)
WHEN_SLOT_FREE = choice_setting(
    "joining.when_slot_free",
    "join",
    {"join": N_("Join at once"), "tell": N_("Tell me")},
    N_("When a slot is free"),
    N_("How waiting for a slot ends."),
)
THEME = choice_setting(
    "window.theme",
    "system",
    {
        "system": N_("As the system"),
        "light": N_("Light"),
        "dark": N_("Dark"),
        "contrast": N_("High contrast"),
    },
    N_("Colours"),
    N_("Which palette is used. “As the system” follows it while the window is open."),
)
ROW_HEIGHT = choice_setting(
    "window.rows",
    "automatic",
    {
        "automatic": N_("By the window's height"),
        "comfortable": N_("Comfortable"),
        "compact": N_("Compact"),
    },
    N_("Row height"),
    N_("Compact rows show a quarter more servers; small windows have them by themselves."),
)
INSPECTOR_PLACE = choice_setting(
    "window.inspector",
    "right",
    {"right": N_("Right of the list"), "below": N_("Below the list")},
    N_("Inspector"),
    N_("Where the selected server is explained."),
)
LANGUAGE = choice_setting(
    "window.language",
    "system",
    {"system": N_("As the system"), "en": "English", "de": "Deutsch"},
    N_("Language"),
    N_("Of all texts. The window is set up anew in it, and goes on where it was."),
)
UI_SCALE = number_setting(
    "window.scale",
    100.0,
    50.0,
    300.0,
    N_("Size, %"),
    N_("Of all letters and pictures, besides the system's own scaling. The window is set up anew for it."),
)
FORMER_FRIENDS = text_list_setting(
    "player.friends",
    N_("Friends"),
    N_("Names of players to look out for, one a line; * stands for any text."),
)
OWN_COUNTRY = text_setting(
    "player.country",
    "",
    N_("My country"),
    N_("Two letters, as in DE: tells when a ping is too short for the way to a server. Empty is the system's region."),
    _check_country,
)
NOTIFY_OF_FRIENDS = bool_setting(
    "player.tell_friends",
    False,
    N_("Tell me of friends"),
    N_(
        "When one comes on, on whichever server. For that your favourites, and servers where a friend is, are asked"
        " once a minute."
    ),
)
QUERY_STEAM_SKILL = bool_setting(
    "player.ask_steam",
    False,
    N_("My NS2 skill from Steam"),
    N_(
        "Once an hour Steam is asked for the skill that NS2 itself keeps of you. Needs a Web API key, and a profile"
        " whose game details are public."
    ),
)
QUERY_XONSTAT_SKILL = bool_setting(
    "player.ask_xonstat",
    False,
    N_("My Xonotic skill from XonStat"),
    N_("Once an hour stats.xonotic.org is asked for your skill; it is sent the fingerprint of your public key."),
)
SCORE_USES_FORECAST = bool_setting(
    "ranking.forecast",
    False,
    N_("The forecast counts"),
    N_("What is likely in 30 minutes is a factor of the score, from half to twice, where the history supports it."),
)
MAX_HISTORY_MB = number_setting(
    "history.megabytes",
    200.0,
    10.0,
    2000.0,
    N_("Size of the history, MB"),
    N_("What players and pings of all servers over time may take on the disk; beyond that old ones get coarser."),
)
UPDATE_CHECK_URL = text_setting(
    "updates.address",
    "",
    N_("Look for new versions at"),
    N_(
        "A web page that names the newest version, asked once a day. You are told, and nothing is downloaded."
        " Empty asks nobody."
    ),
    _check_https_url,
)

SETTINGS: tuple[Setting[Any], ...] = (
    THEME,
    ROW_HEIGHT,
    INSPECTOR_PLACE,
    LANGUAGE,
    UI_SCALE,
    OWN_COUNTRY,
    NOTIFY_OF_FRIENDS,
    QUERY_STEAM_SKILL,
    QUERY_XONSTAT_SKILL,
    PLAY_NOW_FILTER,
    PLAY_NOW_COUNTDOWN_S,
    WHEN_SLOT_FREE,
    OWN_SKILL,
    RANKING_PRESET,
    SCORE_USES_FORECAST,
    SHOWN_GAMES,
    EXTRA_MASTERS,
    DISABLED_MASTERS,
    OWN_VERSIONS,
    SCAN_PACE,
    SCAN_AT_START,
    PAUSE_IN_GAME,
    MAX_HISTORY_MB,
    UPDATE_CHECK_URL,
)
"""In the order in which they are shown; those of a group stand together."""

FORMER_SETTINGS: tuple[Setting[Any], ...] = (FORMER_FRIENDS,)
"""Settings of older programs, which are read and moved to where their values belong now."""

SETTING_GROUPS: Mapping[str, str] = {
    "window": N_("Window"),
    "player": N_("About me"),
    "play_now": N_("Play Now"),
    "joining": N_("Joining"),
    "ranking": N_("Score"),
    "games": N_("Games and master servers"),
    "scan": N_("Scanning"),
    "history": N_("History"),
    "updates": N_("New versions"),
}
"""Titles by table, in the order in which they are shown."""
