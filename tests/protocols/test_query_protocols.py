"""The protocols that servers can be queried by."""

import pytest

from browser_app.protocols.address import Address
from browser_app.protocols.query_protocols import LISTED, QUERY_PROTOCOLS
from browser_app.protocols.query_session import QueryParts
from browser_app.protocols.server_url import parse_server_url


def test_listed_only_protocol_has_no_session() -> None:
    with pytest.raises(ValueError, match="cannot be queried"):
        QUERY_PROTOCOLS[LISTED].new_session(QueryParts.INFO, Address("192.0.2.7", 1))


@pytest.mark.parametrize(
    ("synonym", "name"),
    [
        ("supertuxkart", "stk"),
        ("chocolatedoom", "chocolate-doom"),
        ("sauerbraten", "cube2"),
        ("gamespy4", "gamespy3"),
    ],
)
def test_synonym_names_the_protocol(synonym: str, name: str) -> None:
    assert parse_server_url(f"{synonym}://192.0.2.7:1") == (name, Address("192.0.2.7", 1))
