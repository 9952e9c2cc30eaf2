"""Sample A2S info for tests."""

from dataclasses import replace

from browser_app.protocols.a2s.a2s import A2SInfo

PLAIN_INFO = A2SInfo(
    protocol=17,
    name="A server",
    map="pl_upward",
    folder="tf",
    game="Team Fortress",
    appid=440,
    players=9,
    max_players=24,
    bots=2,
    server_type="d",
    environment="l",
    password=False,
    vac=True,
    version="9543365",
    port=27015,
    steam_id=None,
    spectator_port=None,
    spectator_name=None,
    keywords="alltalk,payload",
)


def a2s_info(**changes: object) -> A2SInfo:
    """Return the plain sample with some fields changed."""
    return replace(PLAIN_INFO, **changes)  # type: ignore[arg-type] # its own fields
