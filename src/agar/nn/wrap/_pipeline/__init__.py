"""Pipelines: a network is cut into stages by the marks of its cells, each process holds a stage.

NOTE How a network is cut. MindSpore cuts a compiled graph. Here `construct` of the network stays
Python that every process runs; what differs are the calls of marked cells. A process runs those of
its own stage. A call of an earlier stage gives the tensors that were received for it, or tensors
without values (torch's FakeTensor) where its stage needs none; the run ends after the last call of
the own stage. What stands between calls of marked cells has no parameters, and is computed in every
process that needs it. So loops, branches on shapes, containers and functions may stand between
stages; what reads values of another stage there raises.

NOTE First run. Which tensors go from stage to stage, and their shapes, shows one run of the first
micro-batch without gradients for each shape of inputs, in which every stage sends what its cells
return to all others. Random state and parameters without a gradient are put back afterwards.

NOTE Engine. `torch.distributed.pipelining` runs the schedule: a stage is a `torch.nn.Module` around
the run above, whose parameters are the tensors that agar's gradient scope has made differentiable.
The gradients are ready when the schedule ends, so the loss is joined to the parameters by one node
of autograd that hands them out.

NOTE Ranks. As in MindSpore, of N processes and S stages the ranks from s * N / S on hold the stage
s. The processes of a stage train with different rows, and average their gradients.
"""
