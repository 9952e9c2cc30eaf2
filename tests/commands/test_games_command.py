"""The `games` command."""

import re
from dataclasses import fields, replace
from pathlib import Path

import pytest
from program_runner import Program

from browser_app.exit_status import ExitStatus
from browser_app.games.game_profile import GameProfile
from browser_app.games.profile_reader import read_profile
from browser_app.games.steam_games import build_steam_game
from browser_app.paths import resource_folder, user_paths

SHIPPED = resource_folder() / "games"
PROFILE_KEYS_LEFT_OUT = {
    *("id", "is_made_from_appid", "mode_ranking", "mode_patterns", "ranking_reasons", "mode_ranking_reasons"),
    *("tags", "reports_performance", "reports_skill", "wants_rules"),
}
"""Fields that are no keys of a file, and keys of Natural Selection 2 alone."""


def test_list_names_every_game(program: Program) -> None:
    result = program("games", "list")
    assert result.status == ExitStatus.SUCCESS
    assert [line.split()[0] for line in result.out.splitlines()] == sorted(file.stem for file in SHIPPED.glob("*.toml"))
    lines = {line.split()[0]: line for line in result.out.splitlines()}
    assert re.fullmatch(
        r"ns2 +NS2 +a2s +api\.steampowered\.com +recording +20\d\d-\d\d-\d\d Natural Selection 2", lines["ns2"]
    )
    assert re.fullmatch(r"xonotic +XON +darkplaces +dpmaster\.deathmask\.net \+\d +recording .*", lines["xonotic"])
    assert re.fullmatch(r"minecraft +MCJ +minecraft +– +server .*", lines["minecraft"])
    assert lines["armagetron"].endswith(" Armagetron Advanced (no list: its masters answer only clients that log in)")
    assert {game for game, line in lines.items() if " (not listed: " in line} == {"ringracers", "srb2", "warzone2100"}
    assert not [
        line
        for line in lines.values()
        if re.search(r" – +(server|recording|document)", line) and not line.endswith(")")
    ]


def test_steam_game_can_be_saved(program: Program, tmp_path: Path) -> None:
    profile = program("games", "show", "4242")
    assert profile.status == ExitStatus.SUCCESS
    file = tmp_path / "steam-4242.toml"
    file.write_text(profile.out)
    assert read_profile(file) == replace(build_steam_game(4242, "", ()), is_made_from_appid=False)
    assert program("games", "check", str(file)).out == f"{file}: adds steam-4242 (Steam game 4242)\n"
    own = user_paths().settings / "games"
    own.mkdir(parents=True)
    (own / "mine.toml").write_text(profile.out.replace("Steam game 4242", "Mine"))
    assert program("games", "show", "4242").out == (own / "mine.toml").read_text()
    conflict = program("games", "check", str(file))
    assert conflict.status == ExitStatus.USAGE_ERROR
    assert f"{file}:2: short: SG4 belongs to mine already" in conflict.err


def test_file_of_game_is_shown(program: Program) -> None:
    assert program("games", "show", "cs2").out == program("games", "show", "730").out
    assert program("games", "show", "cs2").out == (SHIPPED / "cs2.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (("appids", "appid"), "unknown key"),
        (("steam-web+https", "gopher"), "is not a master server URL"),
        (("[4242]", "[730]"), "730 belongs to cs2 already"),
        (("appids", 'info_matches = [{ a = "b", c = "go(od" }]\nappids'), ":6: info_matches[0].c: not a regular"),
    ],
)
def test_wrong_file_is_named(program: Program, tmp_path: Path, change: tuple[str, str], problem: str) -> None:
    good, wrong = tmp_path / "steam-4242.toml", tmp_path / "wrong.toml"
    good.write_text(program("games", "show", "4242").out)
    wrong.write_text(good.read_text().replace(*change))
    result = program("games", "check", str(wrong), str(good))
    assert result.status == ExitStatus.USAGE_ERROR
    assert str(wrong) in result.err
    assert problem in result.err
    assert result.out.startswith(f"{good}: adds")


@pytest.mark.parametrize(
    ("change", "key"),
    [
        (('protocol = "a2s"\nappids = [1]', 'protocol = "a2s"'), "appids"),
        (('protocol = "a2s"\nappids = [1]', 'protocol = "quake3"'), "info_matches"),
        (("appids = [1]", 'folders = ["x"]'), None),
        (('protocol = "a2s"\nappids = [1]', 'protocol = "quake3"\nmasters = ["dpmaster://192.0.2.1:27950//68"]'), None),
        (('protocol = "a2s"\nappids = [1]', 'protocol = "quake3"\ninfo_matches = [{ a = "b" }]'), None),
    ],
)
def test_game_that_fits_no_server_is_refused(
    program: Program, tmp_path: Path, change: tuple[str, str], key: str | None
) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('name = "X"\nshort = "XX"\ndefault_port = 1\nprotocol = "a2s"\nappids = [1]\n'.replace(*change))
    result = program("games", "check", str(file))
    assert bool(result.status) == (key is not None)
    assert key is None or f"{key}: missing: no server would be recognised" in result.err


def test_profiles_in_manual_are_valid(program: Program, tmp_path: Path) -> None:
    manual = (resource_folder() / "manual" / "manual.md").read_text(encoding="utf-8")
    profiles = re.findall(r"^```toml\n(.*?)^```", manual, re.MULTILINE | re.DOTALL)
    assert len(profiles) == 2
    for number, text in enumerate(profiles):
        file = tmp_path / f"game-{number}.toml"
        file.write_text(text, encoding="utf-8")
        assert program("games", "check", str(file)).status == ExitStatus.SUCCESS
    rows = re.findall(r"^\| (`.*?) \|", manual, re.MULTILINE)
    named = {key.rpartition(".")[2] for row in rows for key in re.findall(r"`\[?([a-z_.]+)\]?`", row)}
    assert {field.name for field in fields(GameProfile)} - named <= PROFILE_KEYS_LEFT_OUT


@pytest.mark.parametrize(
    "words",
    [("list", "ns2"), ("check",), ("show",), ("show", "no-such"), ("show", "0"), ("show", "ns2", "--installed")],
)
def test_wrong_usage(program: Program, words: tuple[str, ...]) -> None:
    assert program("games", *words).status == ExitStatus.USAGE_ERROR
