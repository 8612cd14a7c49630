"""What people see of the engine: explanations, pictures, code."""
