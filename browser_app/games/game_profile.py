"""Game profile: the data of one file in `resources/games/`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

PROFILE_TAG_READERS = frozenset({"", "ns2"})
"""Readers of A2S keywords that a profile may name."""
DEFAULT_RATING_SYSTEM = "trueskill2"
"""Rating system of games whose profiles name none; it is not specific to any game."""
MAX_APPID = 2**32 - 1
PROOFS = ("server", "recording", "document")
"""How far support of a game is proved, best first: tests query a real server of it, replies of real servers were
recorded, or the format is only known from descriptions by others.
"""


@dataclass(frozen=True, slots=True)
class RankingConstants:
    """Constants of the product score.

    The defaults are those of "Ranking Servers for Natural Selection 2" and the slot limit of the game's later formula,
    without which a server with 255 slots would win over any other. A multiplier of 1 disables an extra factor.
    """

    viability_midpoint: float = 12.0
    """Number of players at which a game becomes viable."""
    viability_steepness: float = 0.5
    viability_weight: float = 2 / 3
    seeding_weight: float = 1 / 3
    slot_cap: float = 24.0
    """More usable slots than this count as this many; infinite in the article ("blog")."""
    ping_centre_ms: float = 100.0
    ping_width_ms: float = 40.0
    performance_steepness: float = 0.2
    performance_times_quality: bool = False
    """Multiply the reported score by quality / 100 first."""
    skill_weight: float = 0.1
    skill_deviation: float = 100.0 * 12.0**0.5
    """Assumed standard deviation of the players' skill, in points."""
    full: float = 0.05
    full_spares_favourites: bool = False
    """A full favourite keeps factor 1."""
    favourite: float = 2.0
    password: float = 1.0
    password_spares_favourites: bool = True
    password_spares_friends: bool = True
    empty: float = 1.0
    ranked: float = 1.0
    friends: float = 1.0
    recently_left: float = 1.0
    other_mode: float = 1.0
    blocked: float = 1.0

    def with_midpoint(self, midpoint: float) -> "RankingConstants":
        """Return a copy for another midpoint, with NS2's curve stretched to it.

        An empty server is then equally far from viable in every game. Slots beyond twice the midpoint do not count:
        otherwise a half-full server of many slots would score above 1, over every server of another game. At the
        midpoint and a slot cap c, the players' factor is 1/3 + (c − midpoint − 1) / (2 × midpoint): 200 slots and 30
        players of SA-MP would give 3.15, 40 and 10 of Minecraft 1.78, 128 and 32 of FiveM 1.82, 64 and 2 of DDNet 15.6,
        where NS2's best is 0.81.
        """
        return replace(self, viability_midpoint=midpoint, viability_steepness=6.0 / midpoint, slot_cap=2.0 * midpoint)


@dataclass(frozen=True, slots=True)
class FileOptions:
    """Options by which a game of Doom gets its files; empty where it has none."""

    main_wad: str
    """Option before the main WAD, such as `-iwad`."""
    wads: str = ""
    """Option before all further WADs."""
    patches: str = ""
    """Option before all DeHackEd patches."""
    folders: tuple[str, ...] = ()
    """Where to look for files, besides the folders that all games of Doom use; `~` is the user's home folder."""


@dataclass(frozen=True, slots=True)
class LaunchMethods:
    """Ways to start the game; a field is empty if the game lacks that way.

    Arguments may contain `{connect}` (HOST:PORT of the game), `{host}` and `{port}`, and password arguments
    `{password}`; nothing else is replaced.
    """

    commands: tuple[str, ...] = ()
    """Names of native executables, best first."""
    arguments: tuple[str, ...] = ()
    """Arguments for the native executable and the Flatpak, e.g. `("+connect", "{connect}")`."""
    password_arguments: tuple[str, ...] = ()
    """Inserted before `arguments` if there is a password; if empty, the game accepts no password when it is started."""
    flatpak: str = ""
    """Flatpak application id, on Flathub."""
    snap: str = ""
    """Name in the Snap store; its command has the same name."""
    steam_appid: int = 0
    steam_arguments: str = ""
    """Text after `steam://run/APPID//` before percent-encoding, e.g. `+connect {connect}`."""
    steam_password_arguments: str = ""
    """Appended to `steam_arguments` if there is a password."""
    url: str = ""
    """URL that the game's program is registered for, e.g. `samp://{connect}`; it takes no password."""
    code_arguments: tuple[str, ...] = ()
    """Instead of `arguments`, for servers that are joined by a code, which replaces `{code}`."""
    code_url: str = ""
    """Instead of `url`, for such servers."""
    install_url: str = ""
    """Download page of the game."""
    debian_package: str = ""
    """Package of Debian and the systems based on it."""
    free: bool = False
    """The game costs nothing."""
    files: FileOptions | None = None
    """None if the game finds the files of a server by itself, or needs none."""

    @property
    def url_scheme(self) -> str:
        """Scheme of `url`, empty if there is none."""
        return self.url.partition(":")[0]

    @property
    def for_codes(self) -> "LaunchMethods":
        """Ways to start the game on a server joined by a code; none takes a password."""
        return replace(
            self,
            arguments=self.code_arguments,
            password_arguments=(),
            steam_arguments="",
            steam_password_arguments="",
            url=self.code_url,
        )

    @property
    def takes_address(self) -> bool:
        """Whether the game can be started with a server's address at all."""
        return bool(self.arguments or self.steam_arguments or self.url)


@dataclass(frozen=True, slots=True)
class GameProfile:
    """Profile of one game."""

    id: str
    """File name without `.toml`: lower-case letters, digits and `-`."""
    name: str
    short: str
    """Two to four capital letters or digits for the table, unique among the games."""
    protocol: str
    """Name of its query protocol, a key of `browser_app.protocols.query_protocols.QUERY_PROTOCOLS`."""
    default_port: int
    """Game port, 1…65535."""
    proof: str = ""
    """One of `PROOFS`; empty if unknown, as for games made from an app id."""
    checked: str = ""
    """Day on which that was last checked, as in ISO 8601; empty if unknown."""
    is_made_from_appid: bool = False
    """No file describes it: nobody knows whether the game has servers."""
    query_port_offset: int = 0
    """Query port minus game port, used if only one of them is known."""
    masters: tuple[str, ...] = ()
    """URLs of master servers; the engine knows their forms and checks them."""
    no_master: str = ""
    """Why `masters` is empty."""
    not_listed: str = ""
    """Those of its servers that the masters leave out, or whose list is not read."""
    appids: tuple[int, ...] = ()
    """Steam app ids that identify the game, unique among the games."""
    info_matches: tuple[Mapping[str, str], ...] = ()
    """All protocols but A2S: a server runs this game if, for one of these mappings, it reports every key and each value
    matches the regular expression (from its start, ignoring case).
    """
    folders: tuple[str, ...] = ()
    """GoldSource: game folders (`cstrike`) that identify the game if no app id is sent."""
    mode_key: str = ""
    """Source of the game mode: a key of the status reply (`g_gametype`), `qcstatus`, `tags` (NS2) or empty."""
    modes: Mapping[str, str] = field(default_factory=dict)
    """Mode code as reported → its title."""
    mode_codes: Mapping[str, str] = field(default_factory=dict)
    """Reported value → mode code, for games that report a number (`4` → `ctf`)."""
    map_modes: Mapping[str, str] = field(default_factory=dict)
    """Prefix of a map's name → mode code, for servers that report no mode (`koth_` → `koth`)."""
    version_key: str = ""
    """Infostring key of the version, for the Quake III family."""
    colours: str = "none"
    """Colour-code dialect of names, one of `browser_app.protocols.coloured_text.COLOUR_DIALECTS`."""
    tags: str = ""
    """Reader of the A2S keywords, one of `PROFILE_TAG_READERS`."""
    reports_performance: bool = False
    reports_skill: bool = False
    wants_rules: bool = False
    """The server list needs the A2S rules of servers whose info does not contain the skill."""
    rating_system: str = DEFAULT_RATING_SYSTEM
    """Default rating system of the game, a key of `rating.system_registry.RATING_SYSTEMS`."""
    launch: LaunchMethods = LaunchMethods()
    ranking: RankingConstants = RankingConstants()
    mode_ranking: Mapping[str, RankingConstants] = field(default_factory=dict)
    """Complete constants of single modes (the game's own with the mode's changes)."""
    mode_patterns: Mapping[str, re.Pattern[str]] = field(default_factory=dict)
    """Mode in `mode_ranking` → pattern that recognises it, where servers report modes as free text."""
    ranking_reasons: Mapping[str, str] = field(default_factory=dict)
    """Constant's name → source of its value, for each constant that the file sets."""
    mode_ranking_reasons: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Mode code → `ranking_reasons` for the constants that the mode sets."""

    @property
    def is_goldsource(self) -> bool:
        """Whether its servers run on the GoldSource engine."""
        return bool(self.folders)

    def map_mode(self, map_name: str) -> str | None:
        """Return the mode of the longest prefix in `map_modes` that fits a map's name.

        A folder before the name (`workshop/`) and case are ignored. None if no prefix fits.
        """
        name = map_name.rpartition("/")[2].lower()
        prefixes = [prefix for prefix in self.map_modes if name.startswith(prefix.lower())]
        return self.map_modes[max(prefixes, key=len)] if prefixes else None

    def ranked_mode(self, mode: str | None) -> str:
        """Return the key of `mode_ranking` for a reported mode; empty if there is none."""
        if not mode or mode in self.mode_ranking:
            return mode or ""
        return next((ranked for ranked, pattern in self.mode_patterns.items() if pattern.search(mode)), "")

    def ranking_constants(self, mode: str | None) -> RankingConstants:
        """Return the constants of a mode, the game's own if it is unknown or has none."""
        return self.mode_ranking.get(self.ranked_mode(mode), self.ranking)

    def ranking_constant_reasons(self, mode: str | None) -> Mapping[str, str]:
        """Return constant's name → source of its value, for the constants of a mode."""
        return {**self.ranking_reasons, **self.mode_ranking_reasons.get(self.ranked_mode(mode), {})}
