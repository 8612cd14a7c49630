"""Reports for people: a terminal, one page of HTML, a test file.

They read `agar.migrate.result`, and nothing here computes a verdict.
"""
