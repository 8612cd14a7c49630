"""Rewriting of recorded subgraphs for speed."""
