"""Updates of the catalogue after a poll.

Stores which source listed which server, and drops servers that nobody lists and that never answered.
"""

from collections.abc import Iterator

import numpy as np

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.catalogue_columns import ChangeSet
from browser_app.catalogue.source_listings import source_id
from browser_app.engine.server_poll import ServerPoll

SLICE_SIZE = 8_000
"""Addresses or rows of one step, so that a step takes a few milliseconds."""


def update_listings(catalogue: Catalogue, poll: ServerPoll, complete_urls: frozenset[str]) -> Iterator[ChangeSet]:
    """Store what a finished poll's sources listed, and drop unlisted servers.

    Yields after each step, with the rows that were dropped. The lists of other sources than `complete_urls` count only
    as far as their servers have answered; what these listed before stays.
    """
    addresses = poll.listings.addresses()
    rows = np.full(len(addresses), -1, np.intp)
    for first in range(0, len(addresses), SLICE_SIZE):
        if first:
            yield ChangeSet.empty()
        found = map(catalogue.row_of, addresses[first : first + SLICE_SIZE])
        rows[first : first + SLICE_SIZE] = [-1 if row is None else row for row in found]
    for url in poll.source_urls:
        listed = rows[poll.listings.places(url)]
        catalogue.rows.set_listing(source_id(url), listed[listed >= 0], is_complete=url in complete_urls)
    poll.listings.clear()  # a finished poll is kept for its figures
    yield from drop_unlisted(catalogue)


def drop_unlisted(catalogue: Catalogue) -> Iterator[ChangeSet]:
    """Drop servers that no source lists any more; yield after each step.

    See `Catalogue.unlisted_rows`.
    """
    while changes := catalogue.rows.drop_unlisted(SLICE_SIZE):
        yield changes
