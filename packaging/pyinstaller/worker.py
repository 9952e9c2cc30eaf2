"""Entry point of the frozen rating worker."""

from browser_app.rating_worker.worker_main import main

main()
