"""The protocols that servers can be queried by."""

import pytest

from browser_app.protocols.address import Address
from browser_app.protocols.query_protocols import LISTED, QUERY_PROTOCOLS
from browser_app.protocols.query_session import QueryParts


def test_listed_only_protocol_has_no_session() -> None:
    with pytest.raises(ValueError, match="cannot be queried"):
        QUERY_PROTOCOLS[LISTED].new_session(QueryParts.INFO, Address("192.0.2.7", 1))
