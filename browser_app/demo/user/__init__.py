"""Generated rounds, skills and identities of the demo user."""
