"""Logistic rating of Natural Selection 2, online and over the full history."""
