"""Declarations of all settings."""

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from browser_app.catalogue.filters.server_filter import parse_filter
from browser_app.language import N_, gettext
from browser_app.launch.installed_games import find_own_program_problem, split_program
from browser_app.protocols.code_pages import parse_server_code_page
from browser_app.storage import setting_types
from browser_app.storage.user_lists.saved_filter_store import SAVED_LIST_PREFIX


def _check_country(code: str) -> None:
    if not re.fullmatch(r"([A-Za-z]{2})?", code):
        raise ValueError(gettext("Two letters, such as DE"))


def _check_scope(scope: str) -> None:
    """Accept a filter expression, or the name of a filter that may be saved later."""
    if not scope.startswith(SAVED_LIST_PREFIX):
        parse_filter(scope)


def _check_https_url(address: str) -> None:
    """Accept an address with https, one on this machine, or nothing."""
    parts = urlsplit(address)
    if address and not (parts.hostname and (parts.scheme == "https" or parts.hostname in ("localhost", "127.0.0.1"))):
        raise ValueError(gettext("An address starting with https://"))


THEME = setting_types.choice_setting(
    "window.theme",
    "system",
    {"system": N_("Same as system"), "light": N_("Light"), "dark": N_("Dark"), "contrast": N_("High contrast")},
    N_("Colours"),
    N_("Colour theme. “Same as system” follows changes while the window is open."),
)
ROW_HEIGHT = setting_types.choice_setting(
    "window.rows",
    "automatic",
    {"automatic": N_("Automatic, by window height"), "comfortable": N_("Comfortable"), "compact": N_("Compact")},
    N_("Row height"),
    N_("Compact rows show a quarter more servers; small windows always use them."),
)
INSPECTOR_PLACE = setting_types.choice_setting(
    "window.inspector",
    "right",
    {"right": N_("Right of the list"), "below": N_("Below the list")},
    N_("Inspector"),
    N_("Where the details of the selected server are shown."),
)
FAVOURITES_ON_TOP = setting_types.bool_setting(
    "window.favourites_on_top",
    False,
    N_("Favourites on top"),
    N_("Your favourites are above the other servers, whatever the list is sorted by; also in the command “list”."),
)
TRAY_ICON = setting_types.choice_setting(
    "window.tray",
    "off",
    {
        "off": N_("No icon"),
        "icon": N_("Show an icon"),
        "background": N_("Keep running in the tray"),
    },
    N_("Tray icon"),
    N_(
        "The icon’s menu opens the window, starts Play Now and quits Ready Room. If Ready Room keeps running in the "
        "tray, alerts still reach you after you close the window. On a desktop without a tray, closing the window "
        "quits."
    ),
)
LANGUAGE = setting_types.choice_setting(
    "window.language",
    "system",
    {"system": N_("Same as system"), "en": "English", "de": "Deutsch"},
    N_("Language"),
    N_("Language of all text. The window reloads and keeps its state."),
)
UI_SCALE = setting_types.number_setting(
    "window.scale",
    100.0,
    50.0,
    300.0,
    N_("Scale, %"),
    N_("Scales text and icons on top of the system setting. The window reloads."),
)
OWN_COUNTRY = setting_types.text_setting(
    "player.country",
    "",
    N_("Your country"),
    N_(
        "Two letters, such as DE. Used to spot pings that are too short for the distance. Leave it "
        "empty to use the system’s region."
    ),
    _check_country,
)
NOTIFY_OF_FRIENDS = setting_types.bool_setting(
    "player.tell_friends",
    False,
    N_("Notify about friends"),
    N_(
        "When a friend appears on any server whose players are known. Your favourites and servers with "
        "friends are checked once a minute, others when the list is refreshed."
    ),
)
QUERY_STEAM_SKILL = setting_types.bool_setting(
    "player.ask_steam",
    False,
    N_("NS2 skill from Steam"),
    N_(
        "Checks Steam once an hour for the skill that NS2 stores for you. Needs a Web API key and "
        "a profile with public game details."
    ),
)
QUERY_XONSTAT_SKILL = setting_types.bool_setting(
    "player.ask_xonstat",
    False,
    N_("Xonotic skill from XonStat"),
    N_("Checks stats.xonotic.org once an hour for your skill, sending the fingerprint of your public key."),
)
PLAY_NOW_SCOPE = setting_types.text_setting(
    "play_now.filter",
    "",
    N_("Scope"),
    N_("Play Now chooses from the servers that the list shows, or from those of a saved filter whatever it shows."),
    _check_scope,
    kind=setting_types.SettingKind.SERVER_SCOPE,
)
"""Empty for the list on screen, `SAVED_LIST_PREFIX` and a saved filter's name, or a filter expression."""
PLAY_NOW_COUNTDOWN_S = setting_types.number_setting(
    "play_now.countdown",
    1.2,
    0.0,
    10.0,
    N_("Countdown"),
    N_("Seconds between the choice and the start of the game, in which you can cancel."),
)
FREE_SLOT_ACTION = setting_types.choice_setting(
    "joining.when_slot_free",
    "join",
    {"join": N_("Join immediately"), "tell": N_("Notify me")},
    N_("When a slot is free"),
    N_("What happens when the server you wait for has a free slot."),
)
OWN_SKILL = setting_types.number_table_setting(
    "ranking.my_skill",
    N_("My Skill"),
    N_("Your skill in points per game, where no other source provides it."),
    uses_game_ids=True,
)
RANKING_PRESET = setting_types.choice_setting(
    "ranking.preset",
    "own",
    {
        "own": N_("Each game’s own values"),
        "blog": N_("NS2 formula as published"),
        "in-game": N_("NS2 formula as in the game"),
    },
    N_("Score"),
    N_("The constants used to compute the score of a server."),
)
SCORE_USES_FORECAST = setting_types.bool_setting(
    "ranking.forecast",
    False,
    N_("Include the forecast"),
    N_("Multiplies the score by 0.5 to 2 for the activity expected in 30 minutes, where there is enough history."),
)
PLAYED_GAMES = setting_types.text_list_setting(
    "games.played",
    N_("Games I play"),
    N_("Only servers of these games are listed and chosen by Play Now. None selected means all games."),
    uses_game_ids=True,
    former_keys=("games.shown", "play_now.games"),
)
EXTRA_MASTERS = setting_types.text_list_setting(
    "games.masters",
    N_("More master servers"),
    N_("Addresses of more master servers, one per line. See also the Master servers dialog."),
)
DISABLED_MASTERS = setting_types.text_list_setting(
    "games.masters_off",
    N_("Master servers turned off"),
    N_("Addresses of the games’ own master servers to leave out, one per line."),
)
OWN_VERSIONS = setting_types.text_table_setting(
    "games.own_versions",
    N_("Game versions"),
    N_("The version of your game. You are asked before joining a server with a different one."),
    uses_game_ids=True,
)
GAME_PROGRAMS = setting_types.text_table_setting(
    "games.programs",
    N_("Game programs"),
    N_("The program of a game that is not found by itself: its path, or a command with arguments."),
    uses_game_ids=True,
    validate=split_program,
    find_problem=find_own_program_problem,
)
CODE_PAGES = setting_types.text_list_setting(
    "games.code_pages",
    N_("Code pages"),
    N_(
        "For servers of SA-MP, open.mp and VC:MP whose texts are unreadable. One server per line: its address and the "
        "number of the code page, such as “203.0.113.5:7777 1251” for Cyrillic. Without it the code page is guessed."
    ),
    validate=parse_server_code_page,
)
SCAN_PACE = setting_types.choice_setting(
    "scan.pace",
    "normal",
    {
        "gentle": N_("Gentle: 75 per second"),
        "normal": N_("Normal: 300 per second"),
        "fast": N_("Fast: 1,000 per second"),
    },
    N_("Query speed"),
    N_("How many packets are sent. Choose gentle if your router stalls while the list loads."),
)
SCAN_AT_START = setting_types.bool_setting(
    "scan.at_start",
    True,
    N_("Refresh on startup"),
    N_("Refreshes the list when the window opens. Otherwise saved servers are shown until you refresh."),
)
AUTOMATIC_REFRESH = setting_types.bool_setting(
    "scan.automatic",
    True,
    N_("Refresh automatically"),
    N_("Keeps the list up to date while the window is open, four times more slowly while it is hidden."),
)
QUERY_ON_REQUEST = setting_types.bool_setting(
    "scan.on_request",
    False,
    N_("Query servers only on request"),
    N_(
        "No game server learns your address before you select, refresh or join it in the window. The list shows what "
        "master servers report; refreshing it queries the servers on screen. Alerts, player lists and the LAN search "
        "wait, too. Commands in a terminal always query servers."
    ),
)
VISIBLE_REFRESH_S = setting_types.number_setting(
    "scan.in_sight_seconds",
    30.0,
    10.0,
    600.0,
    N_("Visible servers, s"),
    N_("Seconds between two automatic refreshes of a server that you can see in the list."),
)
LIST_REFRESH_MIN = setting_types.number_setting(
    "scan.list_minutes",
    5.0,
    1.0,
    120.0,
    N_("All servers, min"),
    N_("Minutes between two automatic refreshes of any other server; longer if the query speed does not permit it."),
)
MASTER_REFRESH_MIN = setting_types.number_setting(
    "scan.master_minutes",
    10.0,
    5.0,
    1440.0,
    N_("Master servers, min"),
    N_("Minutes between two automatic searches for new servers. Master servers that fail are queried less often."),
)
PAUSE_IN_GAME = setting_types.bool_setting(
    "scan.pause_in_game",
    True,
    N_("Pause refreshing during games"),
    N_("While a game started from Ready Room is running, no servers are queried. The list is refreshed when it ends."),
)
MAX_HISTORY_MB = setting_types.number_setting(
    "history.megabytes",
    200.0,
    10.0,
    2000.0,
    N_("History size, MB"),
    N_("Disk space for players and pings of all servers over time. When it is full, older data is thinned out."),
)
UPDATE_CHECK_URL = setting_types.text_setting(
    "updates.address",
    "",
    N_("Check for new versions at"),
    N_(
        "A web page that names the newest version, checked once a day. You are notified; nothing "
        "is downloaded. Leave it empty to turn this off."
    ),
    _check_https_url,
)

SETTINGS: tuple[setting_types.Setting[Any], ...] = tuple(
    each for each in globals().values() if isinstance(each, setting_types.Setting)
)
"""All settings declared above, in the order shown; those of a group are adjacent."""

SETTING_GROUPS: Mapping[str, str] = {
    "window": N_("Window"),
    "player": N_("About you"),
    "play_now": N_("Play Now"),
    "joining": N_("Joining"),
    "ranking": N_("Score"),
    "games": N_("Games and master servers"),
    "scan": N_("Refreshing"),
    "history": N_("History"),
    "updates": N_("New versions"),
}
"""Titles by table, in the order shown."""
