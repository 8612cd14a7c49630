"""MindSpore's path of the parts of mindrecord."""
