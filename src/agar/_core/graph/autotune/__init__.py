"""Which of the plans of a subgraph runs: measured on real calls."""
