"""The switch between the window's views."""

from collections.abc import Sequence

from browser_app.language import gettext as _
from browser_app.ui.segments import Segments
from browser_app.ui.theme import Theme


class ViewSwitch(Segments):
    """Each title tells its key."""

    def __init__(self, theme: Theme, titles: Sequence[str]) -> None:
        super().__init__(theme, titles, _("Views"), large=True)
        for place, title in enumerate(titles):
            self.setTabToolTip(place, _("{view} (Ctrl+{number})").format(view=title, number=place + 1))
