"""Game profile: plain data from one file in `resources/games/`."""

from collections.abc import Mapping
from dataclasses import dataclass, field

PROFILE_PROTOCOLS = frozenset({"a2s", "quake3", "darkplaces"})
"""Names of query protocols that a profile may give: the rows of `browser_app.protocols`."""
PROFILE_COLOUR_DIALECTS = frozenset({"none", "quake3", "wolfenstein", "xonotic", "daemon", "warsow"})
"""Names of colour-code dialects that a profile may give: those of `browser_app.protocols.coloured_text`."""
PROFILE_TAG_READERS = frozenset({"", "ns2"})
"""Readers of A2S keywords that a profile may give."""
RATING_SYSTEM_NAMES: tuple[str, ...] = ("ns2", "elo-blog", "elo-xonstat", "xonstat-go", "trueskill2", "trueskill")
"""Names of rating systems that a profile may give: those of `browser_app.rating.system_registry`, in its order."""
DEFAULT_RATING_SYSTEM = "trueskill2"
"""The rating system of games that do not name theirs: it is tied to none."""
MAX_APPID = 2**32 - 1


@dataclass(frozen=True, slots=True)
class RankingConstants:
    """The numbers of the product score. Defaults are those of "Ranking Servers for Natural Selection 2" ("blog").

    A multiplier of 1 switches an extra factor off. All are finite and at least 0 once read from a file, steepness of
    viability, widths and deviations above 0; only `slot_cap` may be infinite.
    """

    viability_midpoint: float = 12.0
    """Players at which a game becomes viable."""
    viability_steepness: float = 0.5
    viability_weight: float = 2 / 3
    seeding_weight: float = 1 / 3
    slot_cap: float = float("inf")
    """Usable slots above this count as this many."""
    ping_centre_ms: float = 100.0
    ping_width_ms: float = 40.0
    performance_steepness: float = 0.2
    performance_times_quality: bool = False
    """Multiply the reported score by quality / 100 first."""
    skill_weight: float = 0.1
    skill_deviation: float = 100.0 * 12.0**0.5
    """Standard deviation assumed of the players' skill, in points."""
    full: float = 0.05
    full_spares_favourites: bool = False
    """A full favourite keeps factor 1."""
    favourite: float = 2.0
    password: float = 1.0
    password_spares_favourites: bool = True
    empty: float = 1.0
    ranked: float = 1.0
    friends: float = 1.0
    recently_left: float = 1.0
    other_mode: float = 1.0
    blocked: float = 1.0


@dataclass(frozen=True, slots=True)
class LaunchMethods:
    """How the game is started. Empty where a form does not exist.

    Arguments may hold `{connect}` (HOST:PORT of the game), `{host}`, `{port}`, and those of a password `{password}`;
    nothing else is filled in.
    """

    commands: tuple[str, ...] = ()
    """Names of native executables, best first."""
    arguments: tuple[str, ...] = ()
    """Arguments for the native executable and the Flatpak, e.g. `("+connect", "{connect}")`."""
    password_arguments: tuple[str, ...] = ()
    """Put before `arguments` when a password is known; without them the game takes none from outside."""
    flatpak: str = ""
    """Flatpak application id."""
    steam_appid: int = 0
    steam_arguments: str = ""
    """Text after `steam://run/APPID//` before percent-encoding, e.g. `+connect {connect}`."""
    steam_password_arguments: str = ""
    """Put after `steam_arguments` when a password is known."""
    install_url: str = ""
    """Where the game comes from, for people who do not have it."""


@dataclass(frozen=True, slots=True)
class GameProfile:
    """One game."""

    id: str
    """The file's name without `.toml`: small letters, digits and `-`."""
    name: str
    short: str
    """Two to four capital letters or digits for the table, no two games the same."""
    protocol: str
    """Name of its query protocol, one of `PROFILE_PROTOCOLS`."""
    default_port: int
    """The game port, 1…65535."""
    query_port_offset: int = 0
    """Query port minus game port, where only one of them is known."""
    masters: tuple[str, ...] = ()
    """Master URLs (see the command line's contract)."""
    appids: tuple[int, ...] = ()
    """Steam app ids whose servers are this game's; no two games claim the same."""
    info_matches: tuple[Mapping[str, str], ...] = ()
    """Quake III family: a server is this game's when for one of these mappings every key is told and its value
    matches the regular expression (from its start, without regard to case)."""
    folders: tuple[str, ...] = ()
    """GoldSource: game folders (`cstrike`) that name this game where no app id is told."""
    mode_key: str = ""
    """Where the mode is told: a key of the status reply (`g_gametype`), `qcstatus`, `tags` (NS2) or nothing."""
    modes: Mapping[str, str] = field(default_factory=dict)
    """Mode code as reported → its title."""
    mode_codes: Mapping[str, str] = field(default_factory=dict)
    """Reported value → mode code, for games that report a number (`4` → `ctf`)."""
    version_key: str = ""
    """Infostring key of the version, for the Quake III family."""
    colours: str = "none"
    """Colour-code dialect of names, one of `PROFILE_COLOUR_DIALECTS`."""
    tags: str = ""
    """How the A2S keywords are read: one of `PROFILE_TAG_READERS`."""
    reports_performance: bool = False
    reports_skill: bool = False
    wants_rules: bool = False
    """Its list needs the A2S rules too."""
    rating_system: str = DEFAULT_RATING_SYSTEM
    """The rating system that speaks for the game unless the user wants another, one of `RATING_SYSTEM_NAMES`."""
    launch: LaunchMethods = LaunchMethods()
    ranking: RankingConstants = RankingConstants()
    mode_ranking: Mapping[str, RankingConstants] = field(default_factory=dict)
    """Constants of single modes, complete (the game's own with the mode's changes)."""
    ranking_reasons: Mapping[str, str] = field(default_factory=dict)
    """Constant's name → where its value comes from, for each constant that the file sets."""
    mode_ranking_reasons: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """The same for the constants that a mode sets, by mode code."""

    def ranking_constants(self, mode: str | None) -> RankingConstants:
        """The constants that hold in a mode; the game's own where the mode is unknown or has none."""
        return self.mode_ranking.get(mode, self.ranking) if mode else self.ranking

    def ranking_constant_reasons(self, mode: str | None) -> Mapping[str, str]:
        """Constant's name → where its value comes from, for the constants that hold in a mode."""
        return {**self.ranking_reasons, **self.mode_ranking_reasons.get(mode or "", {})}
