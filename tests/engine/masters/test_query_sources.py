import json
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from browser_app.catalogue.server_info import QueryTarget
from browser_app.engine.masters.community_lists import FileMaster, WebListMaster
from browser_app.engine.masters.dpmaster_client import DpMaster
from browser_app.engine.masters.master_kinds import parse_master_source
from browser_app.engine.masters.query_sources import parse_server_source, parse_sources
from browser_app.engine.masters.steam.steam_network_master import SteamNetworkMaster
from browser_app.engine.masters.steam.steam_web_master import SteamWebMaster
from browser_app.games.game_registry import GameRegistry, load_games
from browser_app.paths import resource_folder
from browser_app.protocols.address import Address

GAMES = load_games(resource_folder() / "games")


@pytest.fixture
def games() -> GameRegistry:
    return GAMES


def test_dpmaster_of_one_game(games: GameRegistry) -> None:
    master = parse_master_source("dpmaster://Master.Example.org:27950/Xonotic/3", games)
    assert master == DpMaster(
        "dpmaster://Master.Example.org:27950/Xonotic/3",
        Address("master.example.org", 27950),
        "Xonotic",
        3,
        "darkplaces",
        "xonotic",
    )


@pytest.mark.parametrize(
    ("url", "protocol"),
    [
        ("dpmaster://127.0.0.1:27950//68", "quake3"),  # Quake III, Urban Terror and others
        ("dpmaster://127.0.0.1:27950/Nexuiz/3", "darkplaces"),  # Nexuiz and Rexuiz
        ("dpmaster://127.0.0.1:27950/Quux/3", "darkplaces"),  # no profile, but an engine's protocol number
        ("dpmaster://127.0.0.1:27950/Quux/99", "quake3"),
    ],
)
def test_dpmaster_of_several_games(games: GameRegistry, url: str, protocol: str) -> None:
    master = parse_master_source(url, games)
    assert isinstance(master, DpMaster)
    assert (master.game, master.protocol) == (None, protocol)


def test_ipv6_master_is_parsed(games: GameRegistry) -> None:
    master = parse_master_source("dpmaster://[::1]:27950/Xonotic/3", games)
    assert isinstance(master, DpMaster)
    assert master.address == ("::1", 27950)


def test_steam_game_by_appid(games: GameRegistry) -> None:
    web = parse_master_source("steam-web+https://api.steampowered.com/?appid=4920", games)
    assert web == SteamWebMaster(
        "steam-web+https://api.steampowered.com/?appid=4920", 4920, "ns2", "https://api.steampowered.com"
    )
    assert parse_master_source("steam-network:?appid=440", games) == SteamNetworkMaster(
        "steam-network:?appid=440", 440, "tf2"
    )
    local = parse_master_source("steam-web+http://127.0.0.1:8080/?appid=4920", games)
    assert isinstance(local, SteamWebMaster)
    assert local.base_url == "http://127.0.0.1:8080"


def test_key_needs_https(games: GameRegistry) -> None:
    with pytest.raises(ValueError, match=r"steam-web\+http://8.8.8.8/.*over HTTPS"):
        parse_master_source("steam-web+http://8.8.8.8/?appid=4920", games)


@pytest.mark.parametrize(
    "url",
    [
        "steam-web+https://api.steampowered.com/?appid=4920&key=SECRET",
        "steam-web+https://SECRET@api.steampowered.com/?appid=4920",
        "json+https://user:SECRET@example.org/list",
        "nonsense://host/?API_KEY=SECRET",
    ],
)
def test_no_key_in_errors(games: GameRegistry, url: str) -> None:
    with pytest.raises(ValueError, match=r"is not|does not match") as caught:
        parse_master_source(url, games)
    assert "SECRET" not in str(caught.value)


@pytest.mark.parametrize(
    "url", ["quake3://me:SECRET@127.0.0.1:27960", "a2s://me:SECRET@host", "a2s://127.0.0.1:27015?password=SECRET"]
)
def test_errors_hide_passwords(url: str) -> None:
    with pytest.raises(ValueError, match=r"^(a2s|quake3)://.*…") as caught:
        parse_server_source(url)
    assert "SECRET" not in str(caught.value)


@pytest.mark.parametrize("name", ["key", "api_key", "Access-Token", "x" * 100 + "key"])
def test_redacted_parameter_names(games: GameRegistry, name: str) -> None:
    assert parse_master_source(f"json+https://example.org/list?{name}=SECRET", games).url.endswith(f"{name}=…")


def test_web_list_key_is_hidden(games: GameRegistry) -> None:
    master = parse_master_source("json+https://example.org/list?a=1&key=SECRET&b=2", games)
    assert isinstance(master, WebListMaster)
    assert master.url == "json+https://example.org/list?a=1&key=…&b=2"
    assert master.location == "https://example.org/list?a=1&key=SECRET&b=2"


@pytest.mark.parametrize(
    "url",
    [
        "",
        "xonotic",
        "dpmaster://127.0.0.1/Xonotic/3",
        "dpmaster://127.0.0.1:99999/Xonotic/3",
        "dpmaster://127.0.0.1:27950/Xonotic",
        "dpmaster://127.0.0.1:27950/Xonotic/three",
        "dpmaster://bad host:27950/Xonotic/3",
        "dpmaster://1.2.3.4.5:27950/Xonotic/3",
        "steam-web+https://api.steampowered.com/",
        "steam-web+https://api.steampowered.com/?appid=x",
        "steam-network:?appid=0",
        "json+https:///list",
        "json+https://a_b/list",
        "file:",
    ],
)
def test_invalid_masters(games: GameRegistry, url: str) -> None:
    with pytest.raises(ValueError, match=r".+") as caught:
        parse_master_source(url, games)
    assert url in str(caught.value)
    assert len(str(caught.value)) > len(url) + 5


def test_server_urls_are_parsed() -> None:
    assert parse_server_source("a2s://127.0.0.1:27015") == QueryTarget(Address("127.0.0.1", 27015), "a2s", None)
    assert parse_server_source("darkplaces://[::1]:26000").address == ("::1", 26000)
    assert parse_server_source("quake3://Example.ORG:27960").address == ("example.org", 27960)
    assert parse_server_source("a2s://192.168.1.5:27015").address.host == "192.168.1.5"


@pytest.mark.parametrize(
    "url", ["127.0.0.1:27015", "http://127.0.0.1:1", "a2s://127.0.0.1", "a2s://127.0.0.1:0", "a2s://224.0.0.1:27015",
            "a2s://0.0.0.0:27015", "a2s://255.255.255.255:27015", "quake3://::1:27960"],
)  # fmt: skip
def test_invalid_servers(url: str) -> None:
    with pytest.raises(ValueError, match=r".+") as caught:
        parse_server_source(url)
    assert url in str(caught.value)


def test_game_selects_its_masters(games: GameRegistry) -> None:
    sources = parse_sources(games, game_ids=["xonotic"])
    assert [master.url for master in sources.masters] == list(games["xonotic"].masters)
    assert {master.game for master in sources.masters if isinstance(master, DpMaster)} == {"xonotic"}


def test_game_of_shared_master(games: GameRegistry) -> None:
    (first, *_) = parse_sources(games, game_ids=["quake3"]).masters
    assert isinstance(first, DpMaster)
    assert first.game == "quake3"


def test_each_source_is_used_once(games: GameRegistry) -> None:
    sources = parse_sources(
        games,
        game_ids=["nexuiz", "rexuiz", "nexuiz"],
        masters=[games["nexuiz"].masters[0]],
        servers=["a2s://127.0.0.1:1", "a2s://127.0.0.1:1"],
    )
    assert [master.url for master in sources.masters] == list(games["nexuiz"].masters)
    assert {master.game for master in sources.masters if isinstance(master, DpMaster)} == {None}
    assert len(sources.servers) == 1


def test_unknown_game(games: GameRegistry) -> None:
    with pytest.raises(ValueError, match=r"“quux”.*xonotic"):
        parse_sources(games, game_ids=["quux"])


def test_file_is_read_at_once(games: GameRegistry, tmp_path: Path) -> None:
    path = tmp_path / "list.json"
    entries = [
        "a2s://10.0.0.1:27015",
        {"address": "example.org:26000", "protocol": "darkplaces", "game": "xonotic"},
        {"address": "127.0.0.1:26000", "protocol": "darkplaces", "game": "no such game\x07"},
    ]
    path.write_text(json.dumps({"servers": entries}))
    for url in (f"file:{path}", f"file://{path}"):
        master = parse_master_source(url, games)
        assert isinstance(master, FileMaster)
        assert master.servers == (
            QueryTarget(Address("10.0.0.1", 27015), "a2s", None),
            QueryTarget(Address("example.org", 26000), "darkplaces", "xonotic"),
            QueryTarget(Address("127.0.0.1", 26000), "darkplaces", None),
        )


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, ": No such file or directory"),
        (b"", ":1: not JSON: "),
        (b"{", ":1: not JSON: "),
        (b'{\n"servers": [\n"a2s://127.0.0.1:1",\n]}', ":4: not JSON: Expecting value at column 1"),
        (b"[]", ":1: servers: missing list"),
        (b'{\n\n"servers": {}}', ":3: servers: missing list"),
        (b'{"servers": ["x"]}', ":1: servers[0]: not a server URL"),
        (b'{"servers": [\n"a2s://127.0.0.1:1", \n{"game": 7,\n"address": ""}]}', ":3: servers[1]: game: not text"),
        (b'{\n"\xff"}', ":2: not JSON: the text is not UTF-8"),
    ],
)
def test_invalid_file_names_line(games: GameRegistry, tmp_path: Path, content: bytes | None, message: str) -> None:
    path = tmp_path / "list.json"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ValueError, match=r".+") as caught:
        parse_master_source(f"file:{path}", games)
    assert str(caught.value).startswith(f"{path}{message}")


SCHEMES = [
    "dpmaster://",
    "steam-web+https://",
    "steam-web+http://",
    "steam-network:",
    "json+https://",
    "file:",
    "a2s://",
    "",
]


@given(st.sampled_from(SCHEMES), st.text(max_size=40) | st.text("a1[]:/?#@%.&=-~\0", max_size=40))
@example("dpmaster://", "127.0.0.1:27950/\u0663/\u0663")
@example("file:", "~no such user/list")
@example("file:", "/")
def test_any_text_is_source_or_error(scheme: str, rest: str) -> None:
    for parse in (lambda url: parse_master_source(url, GAMES), parse_server_source):
        with suppress(ValueError):
            parse(scheme + rest)
