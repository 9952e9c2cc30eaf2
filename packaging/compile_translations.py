"""Compile the translations, as a script and as hatchling's build hook."""

from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

LANGUAGES = Path("resources", "languages")


def compile_translations(languages: Path) -> None:
    """Write the `.mo` file beside each `.po` file that is newer than it."""
    for source in sorted(languages.glob("*/LC_MESSAGES/*.po")):
        target = source.with_suffix(".mo")
        if target.exists() and target.stat().st_mtime_ns > source.stat().st_mtime_ns:
            continue
        with source.open("rb") as file:
            catalogue = read_po(file, locale=source.parts[-3])
        with target.open("wb") as file:
            write_mo(file, catalogue)


class TranslationsBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Runs before hatchling collects the files of a wheel, also an editable one."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 (hatchling's signature)
        """Compile outdated translations."""
        compile_translations(Path(self.root, LANGUAGES))


if __name__ == "__main__":
    compile_translations(Path(__file__).resolve().parent.parent / LANGUAGES)
