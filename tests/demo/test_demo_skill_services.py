"""The demo's stand-ins for Steam and XonStat, queried by our clients."""

from collections.abc import Iterator

import pytest

from browser_app.application.own_skill.skill_web_services import ServiceFetcher
from browser_app.demo.demo_names import USER_STEAM_ACCOUNTS, USER_XONOTIC_FINGERPRINT
from browser_app.demo.demo_network import DemoNetwork
from browser_app.demo.demo_options import DemoOptions
from browser_app.demo.demo_process import DemoProcess
from browser_app.demo.masters.demo_masters import DEMO_STEAM_KEY
from browser_app.engine.cancel_token import CancelToken
from browser_app.player.player_identities import STEAM_BASE
from browser_app.player.rate_limited_fetcher import RateLimitedFetcher, SkillSourceError
from browser_app.player.steam_web_api import fetch_steam_skill as ask_steam
from browser_app.player.xonstat_web_api import fetch_xonstat_skill as ask_xonstat


@pytest.fixture(scope="module")
def base() -> Iterator[str]:
    with DemoNetwork(servers=1, simulate_players=False) as network:
        yield network.sources.skill_services


@pytest.fixture
def asking() -> RateLimitedFetcher:
    return RateLimitedFetcher(ServiceFetcher(CancelToken()), lambda *_entry: None)


def test_steam_skill_by_account(base: str, asking: RateLimitedFetcher) -> None:
    first, second = (
        ask_steam(asking, str(STEAM_BASE + account), DEMO_STEAM_KEY, base) for account in USER_STEAM_ACCOUNTS
    )
    assert first.points != second.points
    assert first.marine is not None
    assert first.alien is not None
    assert first.marine < first.points < first.alien
    assert first.adagrad_sum is not None


@pytest.mark.parametrize(
    ("account", "key", "why"),
    [
        (str(STEAM_BASE + USER_STEAM_ACCOUNTS[0]), "another", "key"),
        (str(STEAM_BASE + 1), DEMO_STEAM_KEY, "not owned"),
    ],
)
def test_steam_refuses_like_steam(base: str, asking: RateLimitedFetcher, account: str, key: str, why: str) -> None:
    with pytest.raises(SkillSourceError, match=why):
        ask_steam(asking, account, key, base)


def test_xonstat_leads_to_skills(base: str, asking: RateLimitedFetcher) -> None:
    assert set(ask_xonstat(asking, USER_XONOTIC_FINGERPRINT, base).modes) == {"ctf", "duel", "dm"}
    with pytest.raises(SkillSourceError, match="does not know this key"):
        ask_xonstat(asking, USER_XONOTIC_FINGERPRINT[::-1], base)


def test_process_supplies_player(asking: RateLimitedFetcher) -> None:
    with DemoProcess(DemoOptions(servers=1)) as process:
        player = process.demo_player
        assert ask_steam(asking, player.identities[0].value, DEMO_STEAM_KEY, player.services_url).points > 0
        assert {each.name.split()[1] for each in player.rounds(1_800_000_000.0)} == {"ns2", "xonotic"}
