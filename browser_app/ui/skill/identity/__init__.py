"""Dialogs and fields for the user's identities in each game."""
