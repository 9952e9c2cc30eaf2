"""The user's lists: favourites, friends, alerts, notes and blocked servers."""
