"""Notices in the inspector's header on the age and credibility of a server's data."""

from typing import NamedTuple

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.server_value_text import ping_text
from browser_app.catalogue.suspicion import SuspicionMark, format_suspicions
from browser_app.language import gettext as _
from browser_app.ui.widgets.value_text import list_age_text, short_age_text


class ServerNotices(NamedTuple):
    """Sentences about one server's data."""

    state: str
    """Whether the values are old, from a list or estimated; empty for those of the server's own current reply."""
    warning: str
    """Why the data may be false; empty where there is no suspicion."""


def server_notices(catalogue: Catalogue, server: int, now: float, answer_age_s: float) -> ServerNotices:
    """Return the notices about a server.

    Args:
        catalogue: with the server.
        server: its row.
        now: Unix time, s.
        answer_age_s: seconds since its last answer; unlike Unix times, they are right after the clock was set.
    """
    state = [*_age_sentences(catalogue, server, now, answer_age_s)]
    if catalogue.ping_estimated[server] and not catalogue.is_unresponsive(server):
        state.append(_("The ping is estimated: it is unknown which of two requests was answered."))
    marks = SuspicionMark(int(catalogue.suspicions[server]))
    ping = ping_text(float(catalogue.ping_ms[server]))
    warnings = format_suspicions(marks, ping, catalogue.country[server]) if marks else []
    return ServerNotices(" ".join(state), " ".join(warnings))


def _age_sentences(catalogue: Catalogue, server: int, now: float, answer_age_s: float) -> list[str]:
    sentences = []
    if catalogue.is_unresponsive(server) and catalogue.never_answered[server]:
        sentences.append(_("No answer so far."))
    elif catalogue.is_unresponsive(server) or catalogue.saved[server]:
        age = short_age_text(answer_age_s)
        text = (
            _("No answer. These values are {age} old.")
            if catalogue.is_unresponsive(server)
            else _("These values are {age} old.")
        )
        sentences.append(text.format(age=age))
    if catalogue.described[server]:
        listed_s = max(0.0, now - float(catalogue.described_at[server]))
        sentences.append(f"{list_age_text(listed_s)}.")
    return sentences
