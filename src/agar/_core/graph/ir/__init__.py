"""What was recorded: operations over numbered variables, with their metadata."""
