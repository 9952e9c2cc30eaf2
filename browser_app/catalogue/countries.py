"""The country an address belongs to, from the registries' tables that `iptocc` carries in itself."""

from collections.abc import Sequence


def countries_of(hosts: Sequence[str]) -> list[str]:
    """Two-letter country codes; empty for private and reserved addresses, host names and whatever is not assigned."""
    from iptocc import country_code

    return [code or "" for code in country_code(hosts)]
