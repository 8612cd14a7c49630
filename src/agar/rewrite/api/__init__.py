"""The public classes of `agar.rewrite`, under MindSpore's paths."""
