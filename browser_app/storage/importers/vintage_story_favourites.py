"""Favourites of Vintage Story: `clientsettings.json`, no passwords."""

from browser_app.storage.importers.imported_server import ImportedServer, list_favourites, parse_json_list

VINTAGE_STORY_PORT = 42420


def parse_vintage_story_favourites(data: bytes) -> list[ImportedServer]:
    """Parse the servers, each a text `NAME,HOST:PORT,PASSWORD`, without invalid ones.

    Raises:
        UnreadableListError: it is not JSON.
    """
    document = parse_json_list(data)
    lists = document.get("stringListSettings") if isinstance(document, dict) else None
    texts = lists.get("multiplayerservers") if isinstance(lists, dict) else None
    parts = [text.split(",") for text in texts if isinstance(text, str)] if isinstance(texts, list) else []
    return list_favourites(((each[1], each[0]) for each in parts if len(each) > 1), VINTAGE_STORY_PORT)
