"""How a number keeps its reason: steps, formulas, answers and their explanation."""
