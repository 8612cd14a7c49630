"""Collectives: what processes exchange."""
