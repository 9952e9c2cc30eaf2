"""My skill beside the window: rounds taken in, sources asked, ratings calculated in a process of their own."""
