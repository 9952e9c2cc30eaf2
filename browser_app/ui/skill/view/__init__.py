"""The frame of the My Skill view: sidebar, header, status and message bars."""
