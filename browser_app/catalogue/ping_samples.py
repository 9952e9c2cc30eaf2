"""Ping samples of servers: which new ones count, and the ping to show."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from browser_app.catalogue.catalogue_columns import Bools, Floats
from browser_app.catalogue.server_info import QueryResult

SHOWN_SAMPLES = 5
"""Newest samples that the ping to show is taken from."""
MIN_SPREAD_SAMPLES = 3


def shown_ping(samples: Floats) -> Floats:
    """Return the ping to show for each row of `samples`.

    Its shape is rows × n, newest last, NaN where there is none. The lowest of up to four samples, the lower quartile of
    five: delays on the way only lengthen a round trip, an error can shorten one, and one error must not persist. NaN
    for a row without samples.
    """
    newest = samples[:, -SHOWN_SAMPLES:]
    ordered = np.sort(newest, axis=1)  # NaN sorts last
    count = np.count_nonzero(~np.isnan(newest), axis=1)
    shown: Floats = ordered[np.arange(len(samples)), np.maximum(count - 1, 0) // 4]
    return shown


class PingSpread(NamedTuple):
    """How steady the pings of one or several servers are."""

    median_ms: Floats
    spread_ms: Floats
    """Mean distance of the samples from their median; NaN for fewer than `MIN_SPREAD_SAMPLES`."""
    sample_count: npt.NDArray[np.intp]


def ping_spread(samples: Floats) -> PingSpread:
    """Return the median and spread of each row of `samples`."""
    ordered, rows = np.sort(samples, axis=1), np.arange(len(samples))
    count = np.count_nonzero(~np.isnan(samples), axis=1)
    median = (ordered[rows, np.maximum(count - 1, 0) // 2] + ordered[rows, np.minimum(count // 2, count - 1)]) / 2.0
    total = np.nansum(np.abs(samples - median[:, np.newaxis]), axis=1)
    return PingSpread(median, np.where(count < MIN_SPREAD_SAMPLES, np.nan, total / np.maximum(count, 1)), count)


def append_sample(samples: Floats, pings: Floats) -> Floats:
    """Return `samples` with one new ping per row appended and the oldest one dropped."""
    return np.concatenate([samples[:, 1:], pings[:, np.newaxis]], axis=1)


@dataclass(frozen=True, slots=True)
class PingSamples:
    """Samples of several servers: their values and how they were measured."""

    samples: Floats
    estimated: Bools
    under_load: Bools

    def with_results(self, results: Sequence[QueryResult], saved: Bools) -> "PingSamples":
        """Return the samples after one more result for each server.

        A measured one replaces `saved` and estimated ones and is never mixed with them.
        """
        pings = np.array([result.ping_ms for result in results], np.float64)
        estimated = np.array([result.ping_estimated for result in results])
        samples = self.samples.copy()
        proven = ~self.estimated & ~saved & ~np.isnan(samples[:, -1])
        samples[~proven & ~estimated | saved] = np.nan
        take, none = ~np.isnan(pings) & ~(proven & estimated), np.isnan(samples[:, -1])
        under_load = np.array([result.ping_measured_under_load for result in results]) | ~take
        under_load &= self.under_load & ~none | take & none
        samples = np.where(take[:, np.newaxis], append_sample(samples, pings), samples)
        return PingSamples(samples, estimated & ~proven, under_load)
