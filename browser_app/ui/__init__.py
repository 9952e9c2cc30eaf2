"""The user interface: windows, views, dialogs and widgets."""
