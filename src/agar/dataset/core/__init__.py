"""What the parts of ``dataset`` share."""
