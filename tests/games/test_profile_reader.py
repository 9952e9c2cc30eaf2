"""Errors of invalid files name the file, the key and the reason."""

import contextlib
import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from browser_app.games import ProfileError, load_games, load_presets

GOOD = """
name = "Good Game"
short = "GG"
protocol = "quake3"
default_port = 27960
masters = ["dpmaster://master.example.net:27950/Good/1"]
info_matches = [{ gamename = "good" }]
mode_key = "g_gametype"

[modes]
duel = "Duel"

[mode_codes]
1 = "duel"

[launch]
commands = ["good"]
arguments = ["+connect", "{connect}"]

[ranking]
viability_midpoint = 4

[ranking.reasons]
viability_midpoint = "two against two"
"""


def write(folder: Path, files: Mapping[str, str]) -> None:
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text)


def error_text(folder: Path, text: str) -> str:
    write(folder, {"bad.toml": text})
    with pytest.raises(ProfileError) as error:
        load_games(folder)
    message = re.fullmatch(rf"{re.escape(str(folder / 'bad.toml'))}(:\d+)?: (.*)", str(error.value))
    assert message
    return message[2]


def test_valid_file(tmp_path: Path) -> None:
    write(tmp_path, {"good.toml": GOOD})
    good = load_games(tmp_path)["good"]
    assert (good.short, good.modes, good.mode_codes) == ("GG", {"duel": "Duel"}, {"1": "duel"})
    assert (good.ranking.viability_midpoint, good.ranking.ping_centre_ms) == (4, 100)


def test_midpoint_implies_steepness_and_slot_cap(tmp_path: Path) -> None:
    tables = """
[ranking.modes.duel]
viability_midpoint = 2
slot_cap = 3

[ranking.modes.duel.reasons]
viability_midpoint = "one against one"
slot_cap = "one watches"
"""
    write(tmp_path, {"good.toml": GOOD + tables})
    good = load_games(tmp_path)["good"]
    game, duel = good.ranking, good.mode_ranking["duel"]
    assert (game.viability_steepness, game.slot_cap) == (1.5, 8)
    assert (duel.viability_steepness, duel.slot_cap) == (3, 3)
    assert {*good.ranking_reasons} == {"viability_midpoint", "viability_steepness", "slot_cap"}
    assert good.mode_ranking_reasons["duel"]["slot_cap"] == "one watches"


CHANGES = [
    # text in the valid file, its replacement, the key, the reason
    ('name = "Good Game"', "", "name", "missing"),
    ('name = "Good Game"', "name = 5", "name", "must be text, not 5"),
    ('name = "Good Game"', 'nmae = "Good Game"', "nmae", "unknown key; is it meant to be 'name'?"),
    ('name = "Good Game"', 'name = ""', "name", "must be a name, not ''"),
    ('name = "Good Game"', 'name = "a\\u0007"', "name", "must be printable"),
    ('name = "Good Game"', f'name = "{"a" * 501}"', "name", "at most 500"),
    ('short = "GG"', 'short = "gg"', "short", "must be two to four capital letters or digits, not 'gg'"),
    ('short = "GG"', 'short = "TOOLONG"', "short", "must be two to four capital letters or digits"),
    ('"quake3"', '"quake4"', "protocol", "'quake4' is not one of a2s, "),
    ("27960", "0", "default_port", "from 1 to 65535, not 0"),
    ("27960", "65536", "default_port", "from 1 to 65535"),
    ("27960", "27960.0", "default_port", "must be a whole number"),
    ("27960", "true", "default_port", "must be a whole number"),
    ("27960", "nan", "default_port", "must be a whole number"),
    ("27960", "27960\nquery_port_offset = 70000", "query_port_offset", "must be a whole number"),
    ("27960", '27960\ncolours = "rainbow"', "colours", "'rainbow' is not one of"),
    ("27960", '27960\ntags = "ns3"', "tags", "'ns3' is not one of ns2"),
    ("27960", "27960\nwants_rules = 1", "wants_rules", "must be true or false, not 1"),
    ("27960", '27960\nrating_system = "Chess!"', "rating_system", "'Chess!'"),
    ("27960", "27960\nfolders = 7", "folders", "must be a list in square brackets, not 7"),
    ("27960", "27960\nfolders = [7]", "folders[0]", "must be text, not 7"),
    ("27960", "27960\nappids = [0]", "appids[0]", "must be a whole number from 1"),
    ("27960", '27960\nappids = ["4920"]', "appids[0]", "must be a whole number from 1"),
    ("27960", "27960\nflavour = 1", "flavour", "unknown key"),
    ('gamename = "good"', "gamename = 1", "info_matches[0].gamename", "must be text"),
    ('{ gamename = "good" }', "{ }", "info_matches[0]", "must name at least one key"),
    ('{ gamename = "good" }', '"good"', "info_matches[0]", "must be a table, not 'good'"),
    ('duel = "Duel"', "duel = 1", "modes.duel", "must be text"),
    ('1 = "duel"', '1 = "duet"', "mode_codes.1", "'duet' has no title in modes"),
    ("[mode_codes]", '[map_modes]\nzz_ = "duet"\n[mode_codes]', "map_modes.zz_", "'duet' has no title in modes"),
    ("[mode_codes]", '[map_modes]\n"" = "duel"\n[mode_codes]', "map_modes", "a prefix must not be empty"),
    ('"good"]', '"../good"]', "launch.commands[0]", "is not a command name"),
    ('"good"]', '"-good"]', "launch.commands[0]", "is not a command name"),
    ('"{connect}"]', '"{hostname}"]', "launch.arguments", "'{hostname}' is not one of {connect}, {host}, {port}"),
    ('"{connect}"]', '"{connect"]', "launch.arguments", "'{connect' is not one of"),
    ('"{connect}"]', '"{password}"]', "launch.arguments", "'{password}' is not one of"),
    ('"{connect}"]', '"{host}"]', "launch.arguments", "must contain {connect}, or {host} and {port}"),
    ("[ranking]", 'password_arguments = ["+pw"]\n[ranking]', "launch.password_arguments", "must contain {password}"),
    ("[ranking]", 'flatpak = "good game"\n[ranking]', "launch.flatpak", "must be an application ID"),
    ("[ranking]", 'snap = "Good Game"\n[ranking]', "launch.snap", "must be the name of a package"),
    ("[ranking]", 'debian_package = "-y"\n[ranking]', "launch.debian_package", "must be the name of a package"),
    ("[ranking]", 'free = "yes"\n[ranking]', "launch.free", "must be true or false"),
    ("[ranking]", 'install_url = "javascript:1"\n[ranking]', "launch.install_url", "must be an address that"),
    ("[ranking]", "steam_appid = 1\n[ranking]", "launch.steam_arguments", "must contain {connect}"),
    ("[ranking]", 'steam_arguments = "{name}"\n[ranking]', "launch.steam_arguments", "'{name}' is not one of"),
    (
        "[ranking]",
        'steam_password_arguments = "x"\n[ranking]',
        "launch.steam_password_arguments",
        "must contain {password}",
    ),
    ("[ranking]", 'shell = "x"\n[ranking]', "launch.shell", "unknown key"),
    ("[ranking]", '[launch.files]\nwads = "-file"\n[ranking]', "launch.files.main_wad", "missing"),
    (
        "[ranking]",
        '[launch.files]\nmain_wad = "iwad"\n[ranking]',
        "launch.files.main_wad",
        "must be an option such as -iwad",
    ),
    (
        "[ranking]",
        '[launch.files]\nmain_wad = "-iwad"\nfolders = ["wads"]\n[ranking]',
        "launch.files.folders[0]",
        "must be a full path, or begin with ~/",
    ),
    ("[ranking]", '[launch.files]\nmain_wad = "-iwad"\nx = 1\n[ranking]', "launch.files.x", "unknown key"),
    ("midpoint = 4", "midpoint = nan", "ranking.viability_midpoint", "must be a number from 1 to 1000, not nan"),
    ("midpoint = 4", f"midpoint = {10**400}", "ranking.viability_midpoint", "from 1 to 1000, not 1000000"),
    ("midpoint = 4", "midpoint = inf", "ranking.viability_midpoint", "from 1 to 1000, not inf"),
    ("midpoint = 4", "midpoint = -1", "ranking.viability_midpoint", "from 1 to 1000, not -1"),
    ("midpoint = 4", 'midpoint = "4"', "ranking.viability_midpoint", "must be a number"),
    ("midpoint = 4", "midpoint = true", "ranking.viability_midpoint", "must be a number"),
    ("midpoint = 4", "midpoint = 4\nping_width_ms = 0", "ranking.ping_width_ms", "from 1 to 10000, not 0"),
    ("midpoint = 4", "midpoint = 4\nslot_cap = 0.5", "ranking.slot_cap", "from 1 to inf, not 0.5"),
    ("midpoint = 4", "midpoint = 4\nfavourite = 1e9", "ranking.favourite", "from 0 to 100, not 1000000000.0"),
    (
        "midpoint = 4",
        "midpoint = 4\nfull_spares_favourites = 1",
        "ranking.full_spares_favourites",
        "must be true or false",
    ),
    ("midpoint = 4", "midpoint = 4\nviability_centre = 4", "ranking.viability_centre", "unknown key"),
    ("midpoint = 4", "midpoint = 4\nfull = 0.1", "ranking.full", "has no entry in reasons"),
    ("viability_midpoint = 4", "", "ranking.reasons.viability_midpoint", "a reason for a constant that is not set"),
    ("[ranking]", "[ranking.modes.ctf]\n[ranking]", "ranking.modes.ctf", "has no title in modes"),
    ("[ranking]", '[ranking.modes.ctf]\npattern = "("\n[ranking]', "ranking.modes.ctf.pattern", "regular expression"),
    ("[ranking]", "[ranking.modes.duel]\nfull = nan\n[ranking]", "ranking.modes.duel.full", "not nan"),
    ("[ranking]", "[ranking.modes.duel]\nfull = 1\n[ranking]", "ranking.modes.duel.full", "has no entry in reasons"),
]


@pytest.mark.parametrize(("original", "replacement", "key", "reason"), CHANGES)
def test_invalid_keys_are_named(tmp_path: Path, original: str, replacement: str, key: str, reason: str) -> None:
    assert GOOD.count(original) == 1 or original in ('"quake3"', "27960")
    message = error_text(tmp_path, GOOD.replace(original, replacement, 1))
    assert message.startswith(f"{key}: ")
    assert reason in message


@pytest.mark.parametrize(
    ("first", "second", "claim"),
    [
        ("", 'short = "GG"', "short: GG belongs to first already"),
        ("appids = [1, 2]", "appids = [3, 2]", "appids: 2 belongs to first already"),
        ('folders = ["good"]', 'folders = ["Good"]', "folders: good belongs to first already"),
    ],
)
def test_claims_are_unique(tmp_path: Path, first: str, second: str, claim: str) -> None:
    other = GOOD if "short" in second else GOOD.replace('"GG"', '"OG"')
    keys = "" if "short" in second else second
    write(tmp_path, {"first.toml": first + "\n" + GOOD, "second.toml": keys + "\n" + other})
    with pytest.raises(ProfileError) as error:
        load_games(tmp_path)
    line = 4 if "short" in second else 1
    assert str(error.value) == f"{tmp_path / 'second.toml'}:{line}: {claim}"


def test_later_folder_wins(tmp_path: Path) -> None:
    write(tmp_path / "ours", {"a.toml": GOOD, "b.toml": GOOD.replace('"GG"', '"BB"')})
    write(tmp_path / "users", {"a.toml": GOOD.replace("Good Game", "Mine"), "c.toml": GOOD.replace('"GG"', '"CC"')})
    games = load_games(tmp_path / "ours", tmp_path / "users", tmp_path / "missing")
    assert {name: game.name for name, game in games.items()} == {"a": "Mine", "b": "Good Game", "c": "Good Game"}


def test_folder_without_profiles_is_rejected(tmp_path: Path) -> None:
    with pytest.raises(ProfileError, match="folder: contains no game profiles"):
        load_games(tmp_path / "missing")


def test_invalid_files(tmp_path: Path) -> None:
    assert re.match(r"file: not valid TOML: Invalid value at column 8", error_text(tmp_path, "name = 1\nname = \n"))
    assert error_text(tmp_path, "#" * 300_000).startswith("file: cannot be read: larger than")
    assert error_text(tmp_path, "a = " + "[" * 5_000).startswith("file: not valid TOML")
    (tmp_path / "bad.toml").write_bytes(b'name = "\xff"')
    with pytest.raises(ProfileError, match=r"bad\.toml:1: file: not valid TOML: the text is not UTF-8"):
        load_games(tmp_path)


def test_unreadable_file(tmp_path: Path) -> None:
    (tmp_path / "bad.toml").mkdir()
    with pytest.raises(ProfileError, match=r"bad\.toml: file: cannot be read"):
        load_games(tmp_path)


def test_file_name_that_is_no_id(tmp_path: Path) -> None:
    write(tmp_path, {"Good Game.toml": GOOD})
    with pytest.raises(ProfileError, match=r"Good Game\.toml: file: its name must be small letters"):
        load_games(tmp_path)


def test_invalid_file_rejects_all(tmp_path: Path) -> None:
    write(tmp_path, {"a.toml": GOOD, "b.toml": GOOD.replace('"GG"', '"b"')})
    with pytest.raises(ProfileError, match=r"b\.toml:3: short"):
        load_games(tmp_path)


@pytest.mark.parametrize(
    ("text", "message"),
    [("full = nan", "full: "), ("fuller = 1", "fuller: unknown key"), ("full = []", "full: must be a number")],
)
def test_invalid_presets(tmp_path: Path, text: str, message: str) -> None:
    write(tmp_path, {"mine.toml": text})
    with pytest.raises(ProfileError, match=re.escape(f"{tmp_path / 'mine.toml'}:1: {message}")):
        load_presets(tmp_path)


@given(st.integers(0, len(GOOD)), st.integers(1, 40), st.text("\"'[]{}=.,\n01ax_-# ", max_size=6))
def test_damage_is_read_or_rejected(
    tmp_path_factory: pytest.TempPathFactory, start: int, length: int, replacement: str
) -> None:
    folder = tmp_path_factory.mktemp("damaged")
    write(folder, {"damaged.toml": GOOD[:start] + replacement + GOOD[start + length :]})
    with contextlib.suppress(ProfileError):
        assert list(load_games(folder)) == ["damaged"]
