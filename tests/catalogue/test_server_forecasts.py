"""Forecasts of the whole catalogue: availability, sorting, and use in the score."""

import numpy as np
import pytest
from catalogue_helpers import GAMES, NOW, reply, target
from forecast_fit import fit_forecaster

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.server_fields import sorted_rows
from browser_app.ranking.player_forecast import HOUR_S, WEEK_H, ForecastModel, forecast_factor
from browser_app.ranking.ranking_inputs import RankingConstantsTable


def daily_model(level: float) -> ForecastModel:
    """Return the model of a server with a steady daily pattern around a level."""
    hours = NOW // HOUR_S - 6 * WEEK_H + np.arange(6.0 * WEEK_H)
    players = level + 3 * np.sin(hours / 24 * 2 * np.pi) + np.random.default_rng(1).normal(0, 1, len(hours))
    forecaster = fit_forecaster(hours * HOUR_S, np.maximum(0.0, players))
    assert forecaster.is_supported
    return forecaster.models


@pytest.fixture
def catalogue() -> Catalogue:
    catalogue = Catalogue(GAMES)
    catalogue.merge([reply(number, players=players) for number, players in enumerate((6, 6, 6))])
    catalogue.forecasts.set_models({target(0).address: daily_model(6), target(1).address: daily_model(16)})
    catalogue.forecasts.assign_rows(np.arange(3), [each.address for each in catalogue.targets])
    catalogue.forecasts.update(catalogue.players, catalogue.usable_slots, NOW)
    return catalogue


def test_forecast_needs_model(catalogue: Catalogue) -> None:
    likely = catalogue.forecasts.forecasts_of(np.array([0, 1, 2, 900]))
    assert likely.players[1] > likely.players[0] > 0
    assert (likely.low[:2] < likely.players[:2]).all()
    assert (likely.high[:2] > likely.players[:2]).all()
    assert likely.weeks[:2].tolist() == [6, 6]
    assert np.isnan([likely.players[2:], likely.low[2:], likely.weeks[2:]]).all()
    assert sorted_rows(catalogue, "forecast").tolist()[:2] == [1, 0]
    assert sorted_rows(catalogue, "-forecast").tolist()[-1] == 2


def test_unknown_have_no_forecast(catalogue: Catalogue) -> None:
    catalogue.forecasts.update(np.array([np.nan, 6.0, 6.0]), np.array([24.0, np.nan, 24.0]), NOW)
    likely = catalogue.forecasts.forecasts_of(np.arange(3))
    assert np.isnan([likely.players[0], likely.weeks[0]]).all()
    assert likely.players[1] > 6  # unknown slots are no bound


def test_scores_only_when_enabled(catalogue: Catalogue) -> None:
    catalogue.rescore()
    plain = catalogue.score.copy()
    assert (catalogue.score_factors["forecast"] == 1).all()
    catalogue.use_forecast = True
    catalogue.rescore()
    assert catalogue.factors_of(1)["forecast"] > 1
    assert catalogue.factors_of(2)["forecast"] == 1
    assert catalogue.score[1] == pytest.approx(plain[1] * catalogue.factors_of(1)["forecast"])
    catalogue.use_forecast = False
    catalogue.rescore()
    assert catalogue.score.tolist() == plain.tolist()


def test_factor_is_bounded() -> None:
    constants = RankingConstantsTable([GAMES["ns2"].ranking]).columns_for(np.zeros(4, np.intp))
    values = forecast_factor(np.array([0.0, 24.0, 12.0, np.nan]), np.array([24.0, 0.0, 12.0, 5.0]), constants)
    assert values[:3].tolist() == [2, 0.5, 1]
    assert np.isnan(values[3])


def test_new_model_replaces_old(catalogue: Catalogue) -> None:
    before = catalogue.forecasts.forecasts_of(np.array([0])).players[0]
    catalogue.forecasts.set_models({target(0).address: daily_model(16)})
    catalogue.forecasts.assign_rows(np.arange(3), [each.address for each in catalogue.targets])
    catalogue.forecasts.update(catalogue.players, catalogue.usable_slots, NOW)
    assert catalogue.forecasts.forecasts_of(np.array([0])).players[0] > before + 1


def test_forecast_goes_with_model(catalogue: Catalogue) -> None:
    catalogue.forecasts.set_models({target(0).address: None})
    catalogue.forecasts.assign_rows(np.arange(3), [each.address for each in catalogue.targets])
    catalogue.forecasts.update(catalogue.players, catalogue.usable_slots, NOW)
    likely = catalogue.forecasts.forecasts_of(np.arange(2)).players
    assert np.isnan(likely[0])
    assert likely[1] > 0
