"""Data for the user's skill: rounds, ratings, identities, skill samples."""
