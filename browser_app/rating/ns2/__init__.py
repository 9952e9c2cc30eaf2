"""The logistic skill of Natural Selection 2 (seeds 000 and 003), online and solved over a full history."""
