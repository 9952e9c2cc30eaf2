"""Starts the calculating process where the program is a folder of its own."""

from browser_app.rating_worker.worker_main import main

main()
