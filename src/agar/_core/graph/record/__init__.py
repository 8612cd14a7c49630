"""What records a call: the dispatch mode for tensors, the profile function for Python."""
