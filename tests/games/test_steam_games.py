"""Steam games that no file describes get profiles from their app ids."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from browser_app.app import run_program
from browser_app.engine.masters.master_kinds import master_url_problem
from browser_app.engine.masters.query_sources import parse_sources
from browser_app.engine.masters.steam.steam_web_master import SteamWebMaster
from browser_app.exit_status import ExitStatus
from browser_app.games.game_profile import GameProfile, RankingConstants
from browser_app.games.game_registry import GameRegistry
from browser_app.games.steam_games import MAX_STEAM_GAMES, build_steam_game, find_named_steam_apps
from browser_app.launch import steam_libraries
from browser_app.launch.installed_games import GameInstallation
from browser_app.launch.launch_plan import plan_launch
from browser_app.protocols.address import Address

KNOWN = GameProfile("known", "Known", "KNO", "a2s", 27015, appids=(10,), masters=("steam-network:?appid=10",))


@pytest.mark.parametrize(
    ("texts", "appids"),
    [
        (["list", "--game", "123"], {123}),
        (["--game=123", "--game", "steam-45"], {123, 45}),
        (["--master=steam-network:?appid=7", "--master", "steam-web+https://h/?appid=8"], {7, 8}),
        (['[games]\nmasters = ["steam-web+https://h/?appid=9"]\nplayed = ["ns2", "steam-11"]\n'], {9, 11}),
        (["--limit", "20", "--game", "ns2", "--game", "0123", "--game=1x", "myappid=5", "appid=0"], set()),
        (["--game=4294967295", "--game=4294967296", "--game=99999999999"], {4294967295}),
    ],
)
def test_named_apps_are_found(texts: list[str], appids: set[int]) -> None:
    assert find_named_steam_apps(texts) == appids


def test_named_apps_are_limited() -> None:
    appids = find_named_steam_apps(f"--game={appid}" for appid in range(1, 1000))
    assert appids == set(range(1, 101))
    games = GameRegistry([KNOWN])
    games.add_steam_games(dict.fromkeys(appids, "Some Game"))
    assert len({game.short for game in games.values()}) == len(games) == 100  # app id 10 is known


def test_app_becomes_game() -> None:
    games = GameRegistry([KNOWN])
    before = iter(games)
    games.add_steam_games({123: "Known New Odyssey", 10: "is known", 7: ""})
    assert list(before) == ["known"]
    assert list(games) == ["known", "steam-123", "steam-7"]
    game = games["steam-123"]
    assert (game.name, game.short) == ("Known New Odyssey", "S1")  # its initials are taken
    assert (games["steam-7"].name, games["steam-7"].short) == ("Steam game 7", "SG7")
    assert games.identify(appid=123) is games.find("123") is games.find("steam-123") is game
    assert games.find("10") is KNOWN
    assert games.find("9" * 5000) is games.find("²") is None
    assert game.ranking == RankingConstants()
    assert game.reports_skill is game.reports_performance is False


def test_unnamed_app_gets_its_name() -> None:
    games = GameRegistry([KNOWN])
    games.add_steam_games({7: ""})
    assert 7 not in games.named_appids
    games.add_steam_games({7: "Seven Days"})
    games.add_steam_games({7: "", 10: ""})
    assert [(game.name, game.short) for game in games.values()] == [("Known", "KNO"), ("Seven Days", "SD")]
    assert games.identify(appid=7) is games["steam-7"]


def test_games_made_from_app_ids_are_limited() -> None:
    games = GameRegistry([KNOWN])
    games.add_steam_games({7: ""})
    for first in (1_000, 2_000):
        games.add_steam_games(dict.fromkeys(range(first, first + MAX_STEAM_GAMES - 100), "Some Game"))
    assert len(games) == MAX_STEAM_GAMES + 1
    games.add_steam_games({7: "Seven Days", 8: "Eight"})
    assert (games["steam-7"].name, games.find("8")) == ("Seven Days", None)


def test_app_can_be_polled_and_joined() -> None:
    games = GameRegistry([KNOWN])
    games.add_steam_games({123: "New"})
    (master,) = parse_sources(games, game_ids=["123"]).masters
    assert isinstance(master, SteamWebMaster)
    assert (master.appid, master.game) == (123, "steam-123")
    steam = [GameInstallation("steam")]
    plan = plan_launch(games["steam-123"], Address("192.0.2.7", 27015), steam, password="pw")  # noqa: S106
    assert plan.url == "steam://run/123//%2Bconnect%20192.0.2.7%3A27015%20%2Bpassword%20pw"
    with pytest.raises(ValueError, match="unknown game"):
        parse_sources(games, game_ids=["124"])


def test_start_adds_named_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(steam_libraries, "_find_libraries", None)  # they may be on a disk that does not answer
    monkeypatch.setenv("READY_ROOM_HOME", str(tmp_path))
    settings = tmp_path / "settings"
    settings.mkdir()
    (settings / "settings.toml").write_text('[games]\nmasters = ["steam-network:?appid=4242"]\n')
    assert run_program(["list", "--game=no-such", "--game=4243"]) == ExitStatus.USAGE_ERROR
    games = capsys.readouterr().err
    assert "steam-4242, steam-4243, stormworks" in games


@pytest.mark.linux
def test_start_adds_installed_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    apps = {4242: "Some Arena", 440: "Team Fortress 2", 1493710: "Proton Experimental", 4243: "Half", 4244: ""}
    steamapps = tmp_path / ".steam/steam/steamapps"
    steamapps.mkdir(parents=True)
    for appid, name in apps.items():
        flags = 4 if name != "Half" else 1026
        text = f'"AppState"\n{{\n\t"name"\t\t"{name}"\n\t"StateFlags"\t\t"{flags}"\n}}\n'
        (steamapps / f"appmanifest_{appid}.acf").write_text(text)
    (steamapps / "appmanifest_99999999999.acf").write_text(text)
    assert run_program(["games", "list"]) == ExitStatus.SUCCESS
    games = {line.split()[0]: line for line in capsys.readouterr().out.splitlines()}
    assert [game for game in games if game.startswith("steam-")] == ["steam-4242"]
    assert games["steam-4242"].split(maxsplit=6)[1:] == ["SA", "a2s", "api.steampowered.com", "–", "–", "Some Arena"]
    assert run_program(["games", "list", "--installed"]) == ExitStatus.SUCCESS
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == ["steam-4242", "tf2"]


@given(st.integers(1, 2**32 - 1), st.text(max_size=100), st.sets(st.sampled_from(["AB", "S1", "S2", "SG1"])))
def test_any_name_gives_valid_profile(appid: int, name: str, taken: set[str]) -> None:
    game = build_steam_game(appid, name, taken)
    assert game.name == game.name.strip()
    assert game.name.isprintable()
    assert 0 < len(game.name) <= 64
    assert re.fullmatch("[A-Z0-9]{2,4}", game.short)
    assert game.short not in taken
    assert re.fullmatch(r"[a-z0-9][a-z0-9-]{0,31}", game.id)
    assert [master_url_problem(url) for url in game.masters] == [None]
