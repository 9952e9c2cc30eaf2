"""Texts of lists with few servers, none, or old ones."""

from dataclasses import replace

import pytest

from browser_app.engine.masters.outage import Outage
from browser_app.ui.filters.filter_chip_bar import FilterChipState
from browser_app.ui.lists.server_list_membership import (
    ALL_LIST,
    FAVOURITES_LIST,
    FRIENDS_LIST,
    GAME_LIST_PREFIX,
    LAN_LIST,
)
from browser_app.ui.servers.list_status_text import (
    ADD_ADDRESS_ACTION,
    ADD_KEY_ACTION,
    CLEAR_FILTERS_ACTION,
    FRIENDS_ACTION,
    MASTERS_ACTION,
    REFRESH_ACTION,
    SEARCH_LAN_ACTION,
    ListSituation,
    empty_page_text,
    list_banner_text,
    outage_headline,
)

SITUATION = ListSituation(
    known_count=310,
    shown_count=41,
    list_count=310,
    favourite_count=9,
    current_list=ALL_LIST,
    is_polling=False,
    is_loading_saved=False,
    has_polled=True,
    outage=None,
    remembered_count=0,
    saved_age_s=None,
)


def situation_with(**changes: object) -> ListSituation:
    return replace(SITUATION, **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("situation", "headline", "action"),
    [
        (
            situation_with(shown_count=0, filters=[FilterChipState("full", "Not full", True, 3)]),
            "No server matches the filter",
            CLEAR_FILTERS_ACTION,
        ),
        (
            situation_with(shown_count=0, known_count=0, list_count=0, has_polled=False),
            "No servers yet",
            REFRESH_ACTION,
        ),
        (
            situation_with(shown_count=0, known_count=0, list_count=0, has_masters=False),
            "All master servers are turned off",
            MASTERS_ACTION,
        ),
        (
            situation_with(shown_count=0, current_list=f"{GAME_LIST_PREFIX}xonotic", list_count=0, game_name="Xonotic"),
            "No master server of Xonotic answered",
            REFRESH_ACTION,
        ),
        (situation_with(shown_count=0, current_list=LAN_LIST, list_count=0), "No servers nearby", SEARCH_LAN_ACTION),
        (situation_with(shown_count=0, current_list=FAVOURITES_LIST, list_count=0), "No favourites yet", "all"),
        (situation_with(shown_count=0, current_list=FRIENDS_LIST, list_count=0), "No friends found", FRIENDS_ACTION),
        (
            situation_with(
                shown_count=0, current_list=f"{GAME_LIST_PREFIX}ns2", list_count=0, games_without_key=["NS2"]
            ),
            "NS2 needs a Steam Web API key",
            ADD_KEY_ACTION,
        ),
        (
            situation_with(shown_count=0, list_count=0, known_count=0, games_without_key=["A", "B"]),
            "2 games need a Steam Web API key",
            ADD_KEY_ACTION,
        ),
    ],
)
def test_empty_page_offers_one_action(situation: ListSituation, headline: str, action: str) -> None:
    assert list_banner_text(situation) is None
    page = empty_page_text(situation)
    assert page is not None
    assert (page.headline, page.action and page.action[1]) == (headline, action)


@pytest.mark.parametrize("outage", Outage)
def test_outage_comes_before_missing_key(outage: Outage) -> None:
    situation = situation_with(shown_count=0, known_count=0, list_count=0, games_without_key=["A", "B"], outage=outage)
    page = empty_page_text(situation)
    assert page is not None
    assert page.headline == outage_headline(outage)
    assert page.action == ("Try again", REFRESH_ACTION)
    assert "automatically" in page.reason
    trying = empty_page_text(replace(situation, is_polling=True))
    assert trying is not None
    assert (trying.headline, trying.action) == (page.headline, None)
    banner = list_banner_text(replace(situation, shown_count=3, known_count=3))
    assert banner is not None
    assert banner.headline == page.headline


@pytest.mark.parametrize(
    ("changes", "headline"),
    [
        ({"current_list": FAVOURITES_LIST}, "No favourites yet"),
        ({"current_list": LAN_LIST}, "No servers nearby"),
        ({"list_count": 5, "filters": [FilterChipState("full", "Not full", True, 3)]}, "No server matches the filter"),
    ],
)
def test_outage_leaves_other_reasons(changes: dict[str, object], headline: str) -> None:
    page = empty_page_text(situation_with(**{"shown_count": 0, "list_count": 0, "outage": Outage.NO_MASTER} | changes))
    assert page is not None
    assert page.headline == headline


def test_causes_of_outages_differ() -> None:
    pages = [empty_page_text(situation_with(shown_count=0, list_count=0, outage=outage)) for outage in Outage]
    assert len({page.headline for page in pages if page}) == len({page.reason for page in pages if page}) == len(Outage)


def test_banner_explains_old_rows() -> None:
    offline = list_banner_text(situation_with(outage=Outage.NO_NETWORK, remembered_count=300, saved_age_s=7200.0))
    assert offline is not None
    assert offline.reason.startswith("Showing servers from 2 h ago.")
    updating = situation_with(is_polling=True, remembered_count=306, unqueried_saved_count=200, saved_age_s=9 * 3600.0)
    saved = list_banner_text(updating)
    assert saved is not None
    assert saved.headline == "Saved servers from 9 h ago."
    assert saved.reason == "Not updated yet: 306."
    assert saved.progress == 0
    queried = list_banner_text(replace(updating, polled_count=40, poll_target_count=320))
    assert queried is not None
    assert (queried.reason, queried.progress) == (saved.reason, 1 / 8)
    assert list_banner_text(replace(updating, unqueried_saved_count=0)) is None
    silent = list_banner_text(replace(updating, is_polling=False, known_count=306))
    assert silent is not None
    assert silent.progress is None  # no bar that stays full
    assert list_banner_text(SITUATION) is None
    assert empty_page_text(SITUATION) is None
    more = empty_page_text(situation_with(is_polling=True, polled_count=10, poll_target_count=158))
    assert more is not None
    assert more.headline == "Waiting for 148 more servers"
    assert empty_page_text(situation_with(is_polling=True, poll_target_count=1, unanswered_count=1)) is None
    first = empty_page_text(
        situation_with(is_polling=True, poll_target_count=1, known_count=0, shown_count=0, list_count=0)
    )
    assert first is not None
    assert first.headline == "Waiting for 1 server…"


def test_missing_key_has_other_actions() -> None:
    page = empty_page_text(situation_with(shown_count=0, list_count=0, known_count=0, games_without_key=["NS2"]))
    assert page is not None
    assert [action for _text, action in page.other_actions] == [ADD_ADDRESS_ACTION, SEARCH_LAN_ACTION]


@pytest.mark.parametrize("reason", [{"games_without_key": ["NS2"]}, {"has_masters": False}, {"game_name": "Xonotic"}])
def test_empty_lan_list_needs_no_master_server(reason: dict[str, object]) -> None:
    nearby = situation_with(shown_count=0, list_count=0, known_count=0, current_list=LAN_LIST, **reason)
    page = empty_page_text(nearby)
    assert page is not None
    assert page.action == ("Search again", SEARCH_LAN_ACTION)


def test_filtered_lan_list_is_not_called_empty() -> None:
    hidden = [FilterChipState("full", "Not full", True, 3)]
    page = empty_page_text(situation_with(shown_count=0, list_count=3, current_list=LAN_LIST, filters=hidden))
    assert page is not None
    assert page.action == ("Clear the filter", CLEAR_FILTERS_ACTION)
