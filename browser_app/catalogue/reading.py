"""From a reply in its protocol's words to `Facts`."""

from browser_app.catalogue.facts import Facts, Target
from browser_app.catalogue.reading_a2s import read_a2s
from browser_app.catalogue.reading_quake3 import read_quake3
from browser_app.games.games import Games
from browser_app.protocols.a2s import A2SReply
from browser_app.protocols.conversation import Want
from browser_app.protocols.quake3 import Quake3Reply


def read_reply(reply: A2SReply | Quake3Reply, target: Target, games: Games, want: Want = Want.ALL) -> Facts:
    """What a reply says of the server that `target` names.

    The game is the one that the reply shows; the target's where the reply cannot tell. A player list or rules that
    came without being wanted are left out (of lists of thousands of servers nobody reads the rules).
    """
    if isinstance(reply, A2SReply):
        return read_a2s(reply, target, games, want)
    return read_quake3(reply, target, games, want)
