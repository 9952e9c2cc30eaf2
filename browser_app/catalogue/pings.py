"""From round trips to the ping that is shown."""

import numpy as np

from browser_app.catalogue.columns import Floats


def low_quantile(samples: Floats) -> Floats:
    """The ping to show for each row of `samples` (shape rows × n, NaN where there is none).

    With up to four samples the lowest, with more the lower quarter: a round trip can be lengthened by anything on its
    way but shortened only by an error, and one error must not stand for long. NaN for a row without samples.
    """
    ordered = np.sort(samples, axis=1)  # NaN goes last
    count = np.count_nonzero(~np.isnan(samples), axis=1)
    shown: Floats = ordered[np.arange(len(samples)), np.maximum(count - 1, 0) // 4]
    return shown


def pushed(samples: Floats, pings: Floats) -> Floats:
    """`samples` with one new ping a row at the end and the oldest one gone."""
    return np.concatenate([samples[:, 1:], pings[:, np.newaxis]], axis=1)
