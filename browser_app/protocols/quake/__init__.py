"""Query and master server protocols of the Quake III and DarkPlaces engines."""
