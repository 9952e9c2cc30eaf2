"""Short texts that name a server and its numbers."""

from browser_app.catalogue.catalogue import Catalogue
from browser_app.ui.widgets.value_text import ping_text, players_text


def server_name(catalogue: Catalogue, server: int) -> str:
    """Return the server's name, or its address if it has none."""
    return catalogue.name[server] or str(catalogue.targets[server].address)


def server_players_text(catalogue: Catalogue, server: int) -> str:
    """Return players and slots, such as `13/24`."""
    players, slots = catalogue.players[server], catalogue.usable_slots[server]
    return players_text(None if players != players else int(players), None if slots != slots else int(slots))


def server_numbers_text(catalogue: Catalogue, server: int) -> str:
    """Return players and ping, such as `13/24, 34 ms`; an estimated ping is marked."""
    ping, estimated = catalogue.ping_ms[server], bool(catalogue.ping_estimated[server])
    return server_players_text(catalogue, server) + ("" if ping != ping else f", {ping_text(ping, estimated)} ms")
