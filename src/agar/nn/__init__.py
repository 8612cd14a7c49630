from agar.nn.cell import Cell as Cell
