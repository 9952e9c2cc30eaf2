"""Dialogs for the sources of the skill: services, folders, tables."""
