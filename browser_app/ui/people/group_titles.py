"""What the groups of friends are called where they are shown."""

from collections.abc import Mapping

from browser_app.language import later

GROUP_TITLES: Mapping[str, str] = {"friends": later("Friends"), "team": later("Team"), "others": later("Others")}
