"""When something that is looked at now and then begins to be so: told once, however it flickers."""

REARM_S = 300.0
"""It must not have been so for this long before its beginning is told again."""


class Trigger:
    """One condition. What is so at the first look is no beginning."""

    def __init__(self, *, looked_before: bool = False) -> None:
        """`looked_before`: a look has found that it was not so."""
        self._armed = looked_before
        self._looked = looked_before
        self._off_since_s: float | None = None

    def look(self, now_s: float, *, met: bool) -> bool:
        """Tell how it is at `now_s`, on a monotonic clock; True if it has begun to be so."""
        first, self._looked = not self._looked, True
        if met:
            begun, self._armed, self._off_since_s = self._armed, False, None
            return begun
        if self._off_since_s is None:
            self._off_since_s = now_s
        self._armed = self._armed or first or now_s - self._off_since_s >= REARM_S
        return False
