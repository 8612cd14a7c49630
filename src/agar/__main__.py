"""``python -m agar``."""

from agar.cli import main

main()
