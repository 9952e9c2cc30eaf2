"""Plots painted by hand in the house's style: every point can be reached, copied and told."""
