"""The page Rounds: the user's rounds and the explanation of each change."""
