"""Other formats into MindRecord files."""
