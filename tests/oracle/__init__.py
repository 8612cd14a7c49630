"""Figures recorded from MindSpore 2.10 on CPU, and the code that records and replays them."""
