"""The logistic skill of Natural Selection 2, online and solved over a full history.

Its author described it in "A Skill Ranking System for Natural Selection 2", which is "the article" in these modules,
and before that in a proposal in the game's forum.
"""
