"""The shipped profiles are complete and consistent."""

import dataclasses
import math
import re

import pytest

from browser_app import paths
from browser_app.catalogue.mode_ranking import ModeRankingTable
from browser_app.engine.masters.master_kinds import master_url_problem
from browser_app.games import GameProfile, RankingConstants, load_games, load_presets
from browser_app.rating.system_registry import RATING_SYSTEMS

GAMES = load_games(paths.resource_folder() / "games")
each_game = pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))


def test_every_file_is_game() -> None:
    assert list(GAMES) == sorted(file.stem for file in (paths.resource_folder() / "games").glob("*.toml"))
    assert all(game.id == name for name, game in GAMES.items())


def test_rating_systems_exist() -> None:
    assert {game.rating_system for game in GAMES.values()} <= set(RATING_SYSTEMS)
    assert [GAMES[name].rating_system for name in ("ns2", "xonotic", "quake3")] == ["ns2", "elo-xonstat", "trueskill2"]


@each_game
def test_games_have_masters(game: GameProfile) -> None:
    assert bool(game.masters) != bool(game.no_master)
    assert [problem for url in game.masters if (problem := master_url_problem(url))] == []
    assert game.launch.install_url
    assert re.fullmatch("[A-Z0-9]{2,4}", game.short)


def test_terms_of_lists_are_written_down() -> None:
    """Lists have a row in the manual, which says whether they are queried by default."""
    manual = (paths.resource_folder() / "manual" / "manual.md").read_text(encoding="utf-8")
    rows = [line for line in manual.splitlines() if re.match(r"\|.*\| (yes|no) \|$", line)]
    schemes = {url.partition("://")[0] for game in GAMES.values() for url in game.masters}
    assert len(schemes) >= 20
    for scheme in schemes:
        assert [row[-6:-2].strip(" |") for row in rows if f"`{scheme}://" in row] == ["yes"], scheme
    unasked = {row.partition("`")[2].partition(":")[0] for row in rows if row.endswith("| no |")}
    assert len(unasked) >= 5
    assert not unasked & schemes


@each_game
def test_games_can_be_identified(game: GameProfile) -> None:
    is_told_by_source = game.protocol in ("listed", "ss14")  # no other game has its list, or its replies
    assert is_told_by_source or (game.appids if game.protocol == "a2s" else game.info_matches)
    assert all(re.compile(pattern) for match in game.info_matches for pattern in match.values())


@each_game
def test_masters_list_game(game: GameProfile) -> None:
    asked = {
        appid for url in game.masters if (found := re.search(r"appid=(\d+)", url)) for appid in [int(found.group(1))]
    }
    assert asked == set(game.appids)


@each_game
def test_each_constant_has_reason(game: GameProfile) -> None:
    for mode in (None, *game.mode_ranking):
        constants = game.ranking_constants(mode)
        for name in ("viability_midpoint", "viability_steepness"):
            changed = getattr(constants, name) != getattr(RankingConstants(), name)
            assert name in game.ranking_constant_reasons(mode) or not changed


def test_constants_of_presets_have_comments() -> None:
    names = {spec.name for spec in dataclasses.fields(RankingConstants)}
    for file in (paths.resource_folder() / "ranking").glob("*.toml"):
        for line in file.read_text().splitlines():
            name, _, value = line.partition(" = ")
            assert name not in names or value.startswith('"') or " # " in value, f"{file.name}: {line}"


@each_game
def test_curves_as_steep_as_ns2(game: GameProfile) -> None:
    """An empty server is equally far from viable in every game.

    steepness · midpoint is NS2's ½ · 12.
    """
    for constants in (game.ranking, *game.mode_ranking.values()):
        assert constants.viability_steepness * constants.viability_midpoint == pytest.approx(6)


@each_game
def test_duels_are_viable_at_two(game: GameProfile) -> None:
    if "duel" in game.modes:
        assert game.ranking_constants("duel").viability_midpoint == 2


def test_ns2_is_published_formula() -> None:
    blog = load_presets(paths.resource_folder() / "ranking")["blog"]
    assert GAMES["ns2"].ranking == RankingConstants() == dataclasses.replace(blog, slot_cap=24)
    assert GAMES["ns2"].reports_performance
    assert GAMES["ns2"].reports_skill
    assert not any(game.reports_performance or game.reports_skill for game in GAMES.values() if game.id != "ns2")


def test_mode_without_constants_has_games() -> None:
    xonotic = GAMES["xonotic"]
    assert (
        xonotic.ranking_constants("ctf")
        is xonotic.ranking_constants(None)
        is xonotic.ranking_constants("no such mode")
        is xonotic.ranking
    )
    assert xonotic.ranking_constant_reasons("ctf") == xonotic.ranking_constant_reasons(None) == xonotic.ranking_reasons
    assert xonotic.ranking_constant_reasons("duel")["viability_midpoint"] == "one against one"


@pytest.mark.parametrize(
    ("game", "mode", "midpoint"),
    [
        ("samp", "LSRP v1.2", 50),
        ("samp", "Role-Play", 50),
        ("samp", "Freeroam/DM", 20),
        ("samp", "Corp Race", 30),
        ("samp", None, 30),
        ("fivem", "ESX RP", 64),
        ("fivem", "Freeroam", 32),
    ],
)
def test_free_text_tells_mode(game: str, mode: str | None, midpoint: float) -> None:
    assert GAMES[game].ranking_constants(mode).viability_midpoint == midpoint
    assert GAMES[game].ranking_constants(mode).slot_cap == 2 * midpoint
    row = ModeRankingTable(GAMES).find_or_add(game, mode or "")
    assert row == 1
    reason = GAMES[game].ranking_constant_reasons(mode)["viability_midpoint"]
    assert ("town" in reason) == (midpoint >= 50)


@pytest.mark.parametrize(
    ("names", "centre_ms", "width_ms"),
    [
        (("redeclipse", "assaultcube", "zandronum", "odamex", "fivem", "mta"), 100, 40),
        (("samp", "minecraft", "bedrock", "bzflag"), 120, 40),
        (("openra-ra", "openra-cnc", "openra-d2k", "supertuxkart"), 150, 40),
        (("teeworlds", "quake2", "aq2"), 80, 40),
        (("sauerbraten",), 70, 40),
        (("armagetron",), 90, 40),
        (("quakeworld",), 50, 20),
        (("ddnet",), 80, 30),
        (("luanti",), 150, 60),
        (("openttd",), 200, 80),
    ],
)
def test_ping_curves_are_those_specified(names: tuple[str, ...], centre_ms: float, width_ms: float) -> None:
    for name in names:
        for constants in (GAMES[name].ranking, *GAMES[name].mode_ranking.values()):
            assert (constants.ping_centre_ms, constants.ping_width_ms) == (centre_ms, width_ms), name


def test_presets() -> None:
    presets = load_presets(paths.resource_folder() / "ranking")
    assert set(presets) == {"blog", "in-game"}
    assert presets["blog"].slot_cap == math.inf
    in_game = presets["in-game"]
    assert (in_game.viability_weight, in_game.seeding_weight, in_game.slot_cap) == (0.5, 0.5, 24)
    assert (in_game.ping_centre_ms, in_game.performance_times_quality) == (150, True)
    assert (in_game.full, in_game.full_spares_favourites) == (0.5, True)
    assert (in_game.password, in_game.password_spares_favourites, in_game.password_spares_friends) == (0.02, True, True)
    assert (in_game.empty, in_game.ranked, in_game.friends) == (0.5, 1.5, 1.2)
    assert (in_game.recently_left, in_game.other_mode, in_game.blocked) == (0.5, 0.6, 1e-6)
    assert in_game.skill_deviation == RankingConstants().skill_deviation
