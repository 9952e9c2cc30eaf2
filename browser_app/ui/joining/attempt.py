"""One wish to join, from the first check to the start."""

from dataclasses import dataclass, field

from browser_app.ui.joining.checks import Hurdle


@dataclass(eq=False)
class Attempt:
    """How far it has come."""

    server: int
    map: str
    """As it was known when the wish began."""
    why: str = ""
    """Play Now's sentence, empty where the user chose."""
    sentence: str = ""
    """Said during the countdown, empty for the server's numbers."""
    wait: bool = False
    """The user waits for a slot rather than being asked what to do when there is none."""
    ask_password: bool = False
    """The saved password is not to be used."""
    password: str | None = None
    passed: set[Hurdle] = field(default_factory=set)
    """Hurdles that the user passes knowingly."""
    answered: bool | None = None
    """Whether it answered when it was asked again; None before that."""
    counted: bool = False
    """The time to cancel has passed."""
    news: str = ""
    """What has changed since, in a sentence."""
