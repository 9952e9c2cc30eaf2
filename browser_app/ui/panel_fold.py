"""A panel that is open or folded: as the user wants it, and folded where room is short."""

from collections.abc import Callable

from browser_app.storage.kept import Kept


class PanelFold:
    """Decides whether a panel is open.

    What the user folds stays folded, also in the next run. Where the window is narrower than `needed` the panel is
    folded; there it can be opened until the window's width passes that mark again.
    """

    def __init__(self, kept: Kept, key: str, needed: int, show: Callable[[bool], object]) -> None:
        """`show` opens or folds the panel."""
        self._kept, self._key, self._needed, self._show = kept, key, needed, show
        self._wide: bool | None = None
        self.open = True

    def toggle(self) -> None:
        """Open it, or fold it."""
        self.open = not self.open
        if self._wide is not False:
            self._kept.put(self._key, self.open)
        self._show(self.open)

    def fit(self, width: int) -> None:
        """The window is so wide now."""
        wide = width >= self._needed
        if wide != self._wide:
            self._wide = wide
            self.open = wide and self._kept.get(self._key) is not False
            self._show(self.open)
