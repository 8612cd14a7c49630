"""Images: resizing, sampling, patches, color, boxes."""
