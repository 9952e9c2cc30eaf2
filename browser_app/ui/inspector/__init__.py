"""The inspector of the selected server and its pages."""
