"""Launch plans: the first installed method, with validated input only.

Address and password are validated.
"""

import string
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from browser_app import paths
from browser_app.games import GameProfile, LaunchMethods, load_games
from browser_app.launch.installed_games import GameInstallation
from browser_app.launch.launch_arguments import LaunchError
from browser_app.launch.launch_plan import LaunchPlan, plan_launch
from browser_app.protocols.address import Address
from browser_app.protocols.server_code import code_address

GAMES = load_games(paths.resource_folder() / "games")
WORD = "pw"
SERVER = Address("192.0.2.7", 27016)

EVERY_METHOD = GameProfile(
    "all",
    "All Forms",
    "ALL",
    "quake3",
    27960,
    launch=LaunchMethods(
        commands=("best", "second"),
        arguments=("+connect", "{connect}"),
        password_arguments=("+password", "{password}"),
        flatpak="org.example.All",
        steam_appid=42,
        steam_arguments="+connect {connect}",
        steam_password_arguments="+password {password}",  # noqa: S106 - a template, not a password
    ),
)

STATION = code_address("ss14s", "station.example.org/server/a")


def plan(
    profile: GameProfile,
    connect: Address = SERVER,
    password: str | None = None,
    *,
    extra_arguments: str = "",
    path: str = "",
    flatpak: bool = False,
    steam: bool = False,
) -> LaunchPlan:
    """Return the plan on a system with one way to start the game.

    That is the command `path`, the Flatpak or Steam's game.
    """
    ways = [
        GameInstallation("native", (f"/usr/games/{path}",)) if path else None,
        GameInstallation("flatpak", ("flatpak", "run", profile.launch.flatpak)) if flatpak else None,
        GameInstallation("steam") if steam else None,
    ]
    installations = [way for way in ways if way is not None]
    return plan_launch(profile, connect, installations, password=password, extra_arguments=extra_arguments)


def test_native_goes_first() -> None:
    assert plan(EVERY_METHOD, path="best", flatpak=True, steam=True) == LaunchPlan(
        ("/usr/games/best", "+connect", "192.0.2.7:27016"), None, True, "native"
    )


def test_flatpak_goes_before_steam() -> None:
    assert plan(EVERY_METHOD, flatpak=True, steam=True) == LaunchPlan(
        ("flatpak", "run", "org.example.All", "+connect", "192.0.2.7:27016"), None, True, "flatpak"
    )


def test_steam_is_last() -> None:
    url = "steam://run/42//%2Bconnect%20192.0.2.7%3A27016"
    assert plan(EVERY_METHOD, steam=True) == LaunchPlan(None, url, True, "steam")


def test_game_not_installed() -> None:
    assert plan(EVERY_METHOD) == LaunchPlan(("best", "+connect", "192.0.2.7:27016"), None, False, "native")
    assert plan(GAMES["ns2"]) == LaunchPlan(None, "steam://run/4920//%2Bconnect%20192.0.2.7%3A27016", False, "steam")


def test_password_position() -> None:
    assert plan(EVERY_METHOD, password=WORD, path="best").argv == (
        "/usr/games/best",
        "+password",
        WORD,
        "+connect",
        "192.0.2.7:27016",
    )
    url = "steam://run/4920//%2Bconnect%20192.0.2.7%3A27016%20%2Bpassword%20pw"
    assert plan(GAMES["ns2"], password=WORD).url == url


def test_own_url_takes_only_address() -> None:
    samp = GAMES["samp"]
    ways = [GameInstallation("url")]
    found = plan_launch(samp, SERVER, ways, extra_arguments="-x")
    assert found == LaunchPlan(None, "samp://192.0.2.7:27016", True, "url")
    assert plan_launch(GAMES["bedrock"], Address("2001:db8::1", 1), ways).url == (
        "minecraft://?addExternalServer=Server|[2001:db8::1]:1"
    )
    for host in ("a|b", "host/path", "host?x", "user@host", "a%41"):
        with pytest.raises(LaunchError):
            plan_launch(samp, Address(host, 1), ways)
    with pytest.raises(LaunchError, match="password"):
        plan_launch(samp, SERVER, ways, password=WORD)


def test_empty_password_is_none() -> None:
    assert plan(EVERY_METHOD, password="") == plan(EVERY_METHOD)


def test_ipv6_has_brackets() -> None:
    server = Address("2001:db8::1", 26000)
    assert plan(GAMES["xonotic"], server).argv == ("xonotic-sdl", "+connect", "[2001:db8::1]:26000")
    arma = plan(GAMES["arma3"], server)
    assert arma.url is not None
    assert unquote(arma.url) == "steam://run/107410//-connect=2001:db8::1 -port=26000"


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_games_have_plan_or_error(game: GameProfile) -> None:
    if not game.launch.takes_address:
        with pytest.raises(LaunchError, match=r"server address.* 192\.0\.2\.7:27016"):
            plan(game)
    else:
        launch_plan = plan(game)
        text = " ".join(launch_plan.argv or ()) + unquote(launch_plan.url or "")
        assert "192.0.2.7" in text
        assert "27016" in text
        assert "{" not in text


def test_game_without_passwords() -> None:
    with pytest.raises(LaunchError, match=r"Xonotic .*password"):
        plan(GAMES["xonotic"], password=WORD)


def test_method_without_passwords() -> None:
    forms = LaunchMethods(
        commands=("best",),
        arguments=("{connect}",),
        steam_appid=42,
        steam_arguments="{connect}",
        steam_password_arguments="{password}",  # noqa: S106 - a template, not a password
    )
    game = GameProfile("some", "Some", "SOME", "quake3", 1, launch=forms)
    assert plan(game, path="best", steam=True).method == "native"
    assert plan(game, password=WORD, path="best", steam=True).method == "steam"


@pytest.mark.parametrize(
    "host",
    [
        "",
        "-connect",
        "+quit",
        "a b",
        "host;quit",
        "host\nquit",
        'host"',
        "host/path",
        "$(reboot)",
        "1.2.3",
        "1.2.3.4.5",
        "[2001:db8::1]",
        "fe80::1%eth0",
        "fe80::1%;quit",
        "fe80::1% +quit",
        "hôst.example.net",
        "a" * 254,
    ],
)
def test_hostile_hosts(host: str) -> None:
    with pytest.raises(LaunchError):
        plan(EVERY_METHOD, Address(host, 27016))


@pytest.mark.parametrize("port", [0, -1, 65536])
def test_ports_out_of_range(port: int) -> None:
    with pytest.raises(LaunchError, match="port must be from 1 to 65535"):
        plan(EVERY_METHOD, Address("192.0.2.7", port))


@pytest.mark.parametrize(
    "password",
    [
        "two words",
        "tab\there",
        "line\nbreak",
        "nul\0",
        'double"quote',
        "single'quote",
        "back`tick",
        "semi;colon",
        "back\\slash",
        "+quit",
        "a+quit",
        "$rcon_password",
        "-novid",
        "ümlaut",
        "\u202e",
        "a" * 65,
    ],
)
def test_hostile_passwords(password: str) -> None:
    with pytest.raises(LaunchError, match="64 characters"):
        plan(EVERY_METHOD, password=password)


@pytest.mark.parametrize("password", ["a", "a" * 64, "x-y_z", "{host}", "%41", "Aa0!#%&()*,-./:<=>?@[]^_{|}~"])
def test_valid_passwords_unchanged(password: str) -> None:
    native = plan(EVERY_METHOD, password=password, path="best")
    assert native.argv is not None
    assert native.argv[2] == password
    steam = plan(EVERY_METHOD, password=password, steam=True)
    assert steam.url is not None
    assert unquote(steam.url).endswith(f" +password {password}")


NOWHERE = frozenset(string.printable) - frozenset(string.ascii_letters + string.digits + "!#%&()*,-./:<=>?@[]^_{|}~")


@given(host=st.text() | st.from_regex(r"[a-z0-9.:%+;\- ]{1,20}"), password=st.none() | st.text(max_size=80))
def test_hostile_text_is_refused(host: str, password: str | None) -> None:
    try:
        launch_plan = plan(EVERY_METHOD, Address(host, 27016), password, path="best")
    except LaunchError:
        return
    assert launch_plan.argv is not None
    *words, connect = launch_plan.argv[1:]
    assert words[-1] == "+connect"
    assert connect.endswith(":27016")
    untrusted = connect + "".join(words[1:-1])
    assert untrusted.isascii()
    assert not NOWHERE & set(untrusted)
    assert not connect.startswith(("+", "-"))
    assert words[:-1] == (["+password", password] if password else [])
    assert not (password or "").startswith(("+", "-"))


def test_user_arguments_come_first() -> None:
    own = '-nosound +set name "A B"'
    parts = ("-nosound", "+set", "name", "A B")
    native = plan(EVERY_METHOD, extra_arguments=own, path="best")
    assert native.argv == ("/usr/games/best", *parts, "+connect", "192.0.2.7:27016")
    flatpak = plan(EVERY_METHOD, extra_arguments=own, flatpak=True)
    assert flatpak.argv == ("flatpak", "run", "org.example.All", *parts, "+connect", "192.0.2.7:27016")
    steam = plan(EVERY_METHOD, extra_arguments=own, steam=True)
    assert steam.url is not None
    assert unquote(steam.url) == 'steam://run/42//-nosound +set name "A B" +connect 192.0.2.7:27016'


def test_own_program_gets_arguments() -> None:
    program = GameInstallation("own", ("/opt/ns2", "-windowed"))
    argv = plan_launch(GAMES["ns2"], SERVER, [program], password=WORD).argv
    assert argv == ("/opt/ns2", "-windowed", "+connect", "192.0.2.7:27016", "+password", WORD)


def test_own_program_gets_game_url() -> None:
    program = GameInstallation("own", ("/opt/launcher", "--quiet"))
    argv = ("/opt/launcher", "--quiet", "samp://192.0.2.7:27016")
    assert plan_launch(GAMES["samp"], SERVER, [program]) == LaunchPlan(argv, None, True, "own")
    with pytest.raises(LaunchError, match="does not accept a password"):
        plan_launch(GAMES["samp"], SERVER, [program], password=WORD)


def test_user_placeholders_stay() -> None:
    launch_plan = plan(EVERY_METHOD, password=WORD, extra_arguments="{password} {connect}", path="best")
    assert launch_plan.argv is not None
    assert launch_plan.argv[1:3] == ("{password}", "{connect}")


@pytest.mark.parametrize("text", ["'open", "a\nb", "a\0b", "x" * 501, "a " * 33, "'a\"b'"])
def test_invalid_user_arguments(text: str) -> None:
    with pytest.raises(LaunchError):
        plan(EVERY_METHOD, extra_arguments=text, path="best")


def test_code_replaces_address() -> None:
    ss14, ways = GAMES["ss14"], [GameInstallation("url")]
    assert plan_launch(ss14, SERVER, ways).url == "ss14://192.0.2.7:27016"
    assert plan_launch(ss14, STATION, ways).url == "ss14s://station.example.org/server/a"
    program = LaunchMethods(commands=("game",), arguments=("{connect}",), code_arguments=("-n", "{code}"))
    game = GameProfile("game", "Game", "GAM", "listed", 1, launch=program)
    assert plan_launch(game, STATION, [GameInstallation("native", ("/usr/games/game",))]).argv == (
        "/usr/games/game",
        "-n",
        "station.example.org/server/a",
    )


@pytest.mark.parametrize("connect", [STATION, Address("x1.ss14s.code.invalid", 1)])
def test_code_that_no_argument_takes(connect: Address) -> None:
    with pytest.raises(LaunchError):
        plan_launch(GAMES["samp"], connect, [GameInstallation("url")])
    with pytest.raises(LaunchError):
        plan_launch(EVERY_METHOD, connect, [GameInstallation("steam"), GameInstallation("native", ("/bin/true",))])
