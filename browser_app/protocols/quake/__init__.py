"""Query protocols of the Quake III and DarkPlaces engines, and their master servers' protocol."""
