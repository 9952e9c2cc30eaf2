"""Starts the calculating process where the program is a folder of its own."""

from browser_app.bridge.skill.child import main

main()
