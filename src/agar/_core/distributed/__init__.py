"""Several processes: how they meet, what they send, and tensors that lie on them in parts.

``launchers`` read what starts processes, ``process_*`` are their groups, collectives and failures.
``sharding`` is a tensor in parts, ``strategies`` say how an operator's lie, ``sharded_kernels`` has
what torch lacks for them. ``gradient_buckets``, ``parameter_parts``, ``state_sharding``,
``cell_sharding`` and ``joined_messages`` are the ways of training.
"""
