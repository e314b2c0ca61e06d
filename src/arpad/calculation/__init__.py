"""Calculations that explain themselves: steps, formulas, answers and their explanation."""
