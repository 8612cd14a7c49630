"""The graph engine: calls are recorded once, replayed as flat code, and compiled in the background.

Its folders are the stages of a compiler, and imports point from each to those before it.

- `ir`: what was recorded: operations over numbered variables, with their metadata.
- `record`: what records: the dispatch mode for tensors, the profile function for Python.
- `guard`: which calls a recording holds for: arguments, and what the Python read.
- `passes`: rewriting for speed: folding, memory layout, oneDNN's products.
- `backends`: code: straight-line Python (O0), TorchInductor (O1), CUDA graphs.
- `autotune`: which of the plans runs: measured on real calls.
- `cache`: what joins them: compiled functions, their specializations, the tree of branches.
- `inspect`: what people see of it.
"""
