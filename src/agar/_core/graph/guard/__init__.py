"""Which calls a recording holds for."""
