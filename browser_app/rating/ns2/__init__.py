"""Logistic rating of Natural Selection 2, online and over the full history.

In this package, "the article" is "A Skill Ranking System for Natural Selection 2" by the author of the game's skill
system (build 267), and "the proposal" is an earlier post by the same author, which the article extends.
"""
