"""A row of the server table as one sentence, for screen readers."""

from browser_app.catalogue.server_value_text import ping_text, score_text
from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.ui.servers.server_row import ServerRow

SENTENCE_KEYS = frozenset(("favourite", "score", "ping", "game", "name", "players", "locked"))
"""Keys of the columns whose values are in the sentence."""


def server_sentence(row: ServerRow) -> str:
    """Return a server's values and marks, then why it is suspicious."""
    parts = (row.name, row.game_name, _players_text(row), _ping_text(row), _score_text(row), *_marks(row))
    return ". ".join((", ".join(filter(None, parts)), *row.suspicions))


def _players_text(row: ServerRow) -> str:
    if row.players is None:
        return _("players unknown")
    if row.usable_slots is None:
        return ngettext("{n} player", "{n} players", row.players).format(n=row.players)
    text = ngettext("{n} of {total} player", "{n} of {total} players", row.usable_slots)
    parts = [text.format(n=row.players, total=row.usable_slots)]
    if row.bots:
        parts.append(ngettext("{n} bot", "{n} bots", row.bots).format(n=row.bots))
    if row.is_full or row.is_closed:
        parts.append(_("full") if row.is_full else _("closed"))
    return ", ".join(parts)


def _ping_text(row: ServerRow) -> str:
    if row.is_unresponsive or row.ping_ms is None:
        return "" if row.is_unresponsive else _("ping unknown")
    text = _("about {ms} milliseconds") if row.ping_estimated else _("{ms} milliseconds")
    return text.format(ms=ping_text(row.ping_ms))


def _score_text(row: ServerRow) -> str:
    if row.is_unresponsive:
        return _("no answer")
    return _("not ranked") if row.score is None else _("score {score}").format(score=score_text(row.score))


def _marks(row: ServerRow) -> tuple[str, ...]:
    friends = ngettext("{n} friend online", "{n} friends online", row.friends).format(n=row.friends)
    return (
        _("favourite") if row.is_favourite else "",
        _("needs a password") if row.is_locked else "",
        friends if row.friends else "",
        _("not updated yet") if row.is_unconfirmed and not row.is_unresponsive else "",
    )
