"""Masters that are asked by HTTP: Steam's Web API and communities' lists.

What speaks HTTP is imported when the first of them is asked: it is a fifth of the program's start.
"""

from browser_app.catalogue.facts import Target
from browser_app.engine.delivery import Delivery, MasterError
from browser_app.engine.listed import MAX_LIST_BYTES, targets_of_foreign_list
from browser_app.engine.master_source import SteamWebMaster, WebListMaster
from browser_app.engine.secret_store import KeyOnce
from browser_app.language import later
from browser_app.protocols.steam_web import read_server_list, server_filter, server_list_request

NEEDS_KEY = later("needs a Steam Web API key")


def poll_steam_web(master: SteamWebMaster, delivery: Delivery, steam_key: KeyOnce) -> None:
    """Deliver what Steam's Web API lists.

    Raises:
        MasterError: there is no key, or no list came.
    """
    from browser_app.engine.http_get import get

    key = steam_key.get(delivery.stop)
    if not key:
        raise MasterError(NEEDS_KEY)
    request = server_list_request(server_filter({"appid": master.appid}), key)
    document = get(master.base + request.path, delivery.stop, secret=request.params)
    try:
        servers = read_server_list(document.body)
    except ValueError as error:
        raise MasterError(str(error)) from None
    delivery.put((Target(server.address, "a2s", master.game, server.game_port) for server in servers), document.reach)


def poll_web_list(master: WebListMaster, delivery: Delivery) -> str | None:
    """Deliver what a community lists.

    Returns:
        What is to say about the list, such as that it is partly not understood; None when all is well.

    Raises:
        MasterError: no list came.
    """
    from browser_app.engine.http_get import get

    document = get(master.location, delivery.stop, max_bytes=MAX_LIST_BYTES)
    try:
        targets, not_understood = targets_of_foreign_list(document.body, master.game_ids)
    except ValueError as error:
        raise MasterError(str(error)) from None
    delivery.put_named(targets, document.reach)
    return f"{not_understood:,} entries were not understood and left out" if not_understood else None
