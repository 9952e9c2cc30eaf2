"""Game modes recognised by the map's name alone."""

import pytest
from catalogue_helpers import GAMES, reply

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.filters.server_filter import parse_filter
from browser_app.games.game_profile import GameProfile

TF2 = GameProfile(
    "tf2", "Team Fortress 2", "TF2", "a2s", 27015,
    modes={"cp": "Control Points", "koth": "King of the Hill", "pl": "Payload", "plx": "Payload X", "vip": "VIP"},
    map_modes={"cp_": "cp", "pl_": "pl", "pl_x": "plx", "koth_": "koth"},
)  # fmt: skip


@pytest.fixture
def catalogue() -> Catalogue:
    known = Catalogue({**GAMES, "tf2": TF2})
    known.merge(
        [
            reply(0, game="tf2", map="koth_viaduct", mode=None, mode_name=None),
            reply(1, game="tf2", map="koth_viaduct", mode="vip", mode_name="VIP"),
            reply(2, game="tf2", map="itemtest", mode=None, mode_name=None),
            reply(3, game="ns2", map="koth_viaduct", mode=None, mode_name=None),
        ]
    )
    return known


@pytest.mark.parametrize(
    ("map_name", "mode"),
    [
        ("koth_viaduct", "koth"),
        ("KOTH_Viaduct", "koth"),
        ("workshop/cp_steel.ugc1234", "cp"),
        ("pl_xmas", "plx"),
        ("pl_upward", "pl"),
        ("my_koth_map", None),
        ("koth", None),
        ("", None),
    ],
)
def test_longest_prefix_gives_mode(map_name: str, mode: str | None) -> None:
    assert TF2.map_mode(map_name) == mode


def test_columns_use_map_where_no_mode(catalogue: Catalogue) -> None:
    assert [catalogue.mode[row] for row in range(4)] == ["koth", "vip", "", ""]
    assert [catalogue.mode_name[row] for row in range(4)] == ["King of the Hill", "VIP", "", ""]
    assert [catalogue.map_mode(row) for row in range(4)] == ["koth", None, None, None]


def test_mode_follows_map(catalogue: Catalogue) -> None:
    changes = catalogue.merge([reply(0, game="tf2", map="cp_steel", mode=None, mode_name=None)])
    assert catalogue.mode[0] == "cp"
    assert {"map", "mode", "mode_name"} <= changes.columns


@pytest.mark.parametrize("term", ["mode:koth", 'mode:"king of the hill"', '"king of the hill"'])
def test_filter_finds_mode_of_map(catalogue: Catalogue, term: str) -> None:
    assert parse_filter(term).matching_rows(catalogue).tolist() == [True, False, False, False]


def test_info_stays_as_reported(catalogue: Catalogue) -> None:
    info = catalogue.server_info(0)
    assert info is not None
    assert (info.mode, info.mode_name) == (None, None)
    assert [saved.info.mode for saved in catalogue.saved_servers([0])] == [None]
