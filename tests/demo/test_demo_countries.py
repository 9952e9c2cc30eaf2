"""Countries of demo servers: named cities are there, no reply beats light."""

import pytest

from browser_app.catalogue.places.geography import min_round_trip_ms
from browser_app.demo.demo_names import USER_COUNTRY
from browser_app.demo.demo_network import DemoNetwork
from browser_app.demo.scenario import assign_country
from browser_app.protocols.coloured_text import plain_text


@pytest.mark.parametrize("latency_ms", [(1.0, 3.0), (20.0, 180.0)])
def test_no_server_is_too_near(latency_ms: tuple[float, float]) -> None:
    for spec in DemoNetwork(servers=300, latency_ms=latency_ms).specs:
        assert min_round_trip_ms(USER_COUNTRY, spec.country) <= spec.latency_ms <= latency_ms[1]


def test_city_in_name_decides() -> None:
    named = [
        spec.country
        for spec in DemoNetwork(servers=300).specs
        if "Sydney" in plain_text(spec.server.name, spec.server.game.colours)
    ]
    assert named
    assert set(named) == {"AU"}


def test_far_city_raises_latency() -> None:
    country, latency = assign_country("Velvet Nexgun Tokyo", 0, 20.0, 190.0)
    assert (country, latency) == ("JP", min_round_trip_ms(USER_COUNTRY, "JP"))


def test_exact_latency_stays() -> None:
    country, latency = assign_country("Velvet Nexgun Tokyo", 0, 20.0, 20.0)
    assert country != "JP"
    assert latency == 20.0


def test_shared_host_has_no_countries() -> None:
    with DemoNetwork(servers=3, shared_host=True) as network:
        assert network.sources.countries == {}
