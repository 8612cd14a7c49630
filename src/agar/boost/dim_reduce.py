"""Training in few dimensions: a quasi-Newton step inside the span of principal components."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

# The components come as a numpy array.
import numpy as np

from agar import ops
from agar._core import dtype as mstype
from agar._core.distributed.process_groups import WORLD, groups
from agar._core.parameter import Parameter, ParameterTuple
from agar._core.tensor import Tensor, wrap
from agar.nn.cell import Cell

__all__ = ["DimReduce"]

_EPSILON = 1e-20
_TRIALS = 2


class DimReduce(Cell):
    r"""A step along the principal components of the parameters, and a small one beside them.

    With components P, the gradient g and the approximate inverse B of the Hessian, which begins as
    the identity and is updated as in BFGS:

    .. math::
        g_k = P g, \quad d_k = -B g_k, \quad s_k = \rho^m d_k

    where m is the first of 0 and 1 with
    :math:`loss(w + P^T s_k) < loss(w) + \sigma\, g_k^T s_k`, or :math:`s_k = 0`. The optimizer
    gets the negative step:

    .. math::
        v \leftarrow \gamma v + g - P^T g_k, \quad \Delta = \alpha v - P^T s_k

    so it should be ``nn.SGD`` with a learning rate of 1.

    Args:
        network (Cell): the network with its loss.
        optimizer (Optimizer): takes the steps.
        weight (tuple[Parameter]): the parameters.
        pca_mat_local (numpy.ndarray): this process's rows of P; one column for each element of
            the parameters.
        n_components (int): the number of components of all processes together.
        rho (float): the factor of the line search.
        gamma (float): the momentum beside the components.
        alpha (float): the rate beside the components.
        sigma (float): the part of the predicted decrease that is asked for.
        rank (int): the number of this process.
        rank_size (int): the number of processes, a divisor of `n_components`.

    Inputs:
        - **loss** (Tensor) - the loss before the step.
        - **old_grad** (tuple[Tensor]) - the gradients.
        - **loss_scale** (Tensor) - what the gradients were multiplied by.
        - **weight** (tuple[Parameter]) - the parameters, which are changed.
        - **weight_clone** (tuple[Parameter]) - copies of them, which are changed as well.
        - **inputs** (tuple[Tensor]) - the network's inputs.

    Outputs: Tensor, `loss`.

    Raises:
        ValueError: `pca_mat_local` has another shape.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar as ms
        >>> from agar import boost, nn
        >>> w = ms.Parameter(ms.Tensor([3.0, 4.0]), name="w")
        >>> class Square(nn.Cell):
        ...     def __init__(self):
        ...         super().__init__()
        ...         self.w = w
        ...
        ...     def construct(self):
        ...         return (self.w * self.w).sum() / 2
        >>> net, opt = Square(), nn.SGD([w], 1.0)
        >>> first = np.array([[1.0, 0.0]])
        >>> step = boost.DimReduce(net, opt, (w,), first, 1, 0.55, 0.9, 0.1, 0.4, 0, 1)
        >>> copies = ms.ParameterTuple([w]).clone("copy", init="same")
        >>> print(step(net(), (ms.Tensor([3.0, 4.0]),), ms.Tensor(1.0), (w,), copies))
        12.5
        >>> print(w.value())
        [0.  3.6]
    """

    def __init__(
        self,
        network: Cell,
        optimizer: Any,
        weight: Sequence[Parameter],
        pca_mat_local: np.ndarray,
        n_components: int,
        rho: float,
        gamma: float,
        alpha: float,
        sigma: float,
        rank: int,
        rank_size: int,
    ) -> None:
        super().__init__()
        self.network = network
        self.optimizer = optimizer
        self.rank = rank
        self.rank_size = rank_size
        self.n_components = n_components
        self.gamma, self.alpha, self.sigma = gamma, alpha, sigma
        self.rho_list = [float(rho) ** m for m in range(_TRIALS)]
        self._split_components(np.asarray(pca_mat_local), weight)
        zeros = np.zeros([n_components, 1])
        eye = np.eye(n_components)
        self.gk_last = _state(zeros, "gk_last")
        self.gk_last_back = _state(zeros, "gk_last_back")
        self.gk_last_init = Parameter(Tensor(False), name="gk_last_init", requires_grad=False)
        self.bk = _state(eye, "bk")
        self.bk_back = _state(eye, "bk_back")
        self.sk = _state(zeros, "sk")
        self.eye = Tensor(eye, mstype.float32)
        self.grad_res_momentum = ParameterTuple(weight).clone(
            prefix="grad_res_momentum", init="zeros"
        )

    def _split_components(self, matrix: np.ndarray, weight: Sequence[Parameter]) -> None:
        sizes = [p.size for p in weight]
        if self.n_components % self.rank_size:
            raise ValueError(
                "For 'DimReduce', the 'n_components' must be a multiple of 'rank_size' "
                f"({self.rank_size}), but got {self.n_components}."
            )
        rows = self.n_components // self.rank_size
        if matrix.shape != (rows, sum(sizes)):
            raise ValueError(
                f"For 'DimReduce', the 'pca_mat_local' must have the shape {(rows, sum(sizes))}: "
                "this process's components, and the elements of all parameters; but got "
                f"{matrix.shape}."
            )
        self.start_index, self.end_index = self.rank * rows, (self.rank + 1) * rows
        ends = np.cumsum(sizes)[:-1]
        self.pca_list_local = tuple(
            Tensor(np.ascontiguousarray(part), mstype.float32)
            for part in np.split(matrix, ends, axis=1)
        )

    def construct(
        self,
        loss: Any,
        old_grad: Any,
        loss_scale: Any,
        weight: Any,
        weight_clone: Any,
        *inputs: Any,
    ) -> Any:
        """Change the parameters; gives `loss`."""
        grads = tuple(ops.cast(g, mstype.float32) / loss_scale for g in old_grad)
        local = self._projected(grads)
        gk = self._gathered(local)
        old_loss = self._mean_of_all(loss)
        ops.assign(self.gk_last_back, self.gk_last)
        ops.assign(self.bk_back, self.bk)
        dk = -ops.matmul(self._updated_inverse(gk), gk)
        dn = self._back(dk[self.start_index : self.end_index], grads)
        inside = self._back(local, grads)
        slope = ops.matmul(ops.transpose(gk, (1, 0)), dk).reshape(())
        rho = self._searched(dk, dn, old_loss, slope, weight, weight_clone, inputs)
        if rho == 0.0:
            ops.assign(self.gk_last, self.gk_last_back)
            ops.assign(self.bk, self.bk_back)
        self._take(grads, inside, dn, rho)
        for copy, p in zip(weight_clone, weight, strict=True):
            ops.assign(copy, p)
        return loss

    # ---------------------------------------------------------------- components

    def _projected(self, grads: Sequence[Tensor]) -> Tensor:
        """The gradient along this process's components, as a column."""
        parts = [
            ops.matmul(p, g.reshape(-1, 1)) for p, g in zip(self.pca_list_local, grads, strict=True)
        ]
        return ops.addn(parts)

    def _back(self, column: Tensor, like: Sequence[Tensor]) -> tuple[Tensor, ...]:
        """What a column of coefficients of this process is for each parameter, of all processes."""
        parts = (
            ops.matmul(ops.transpose(p, (1, 0)), column).reshape(g.shape)
            for p, g in zip(self.pca_list_local, like, strict=True)
        )
        return tuple(self._sum_of_all(part) for part in parts)

    def _gathered(self, local: Tensor) -> Tensor:
        if self.rank_size == 1:
            return local
        return wrap(groups.all_gather(local._value, WORLD))

    def _sum_of_all(self, value: Tensor) -> Tensor:
        if self.rank_size == 1:
            return value
        return wrap(groups.all_reduce(value._value, "sum", WORLD))

    def _mean_of_all(self, loss: Tensor) -> Tensor:
        return self._sum_of_all(loss) / self.rank_size if self.rank_size > 1 else loss

    # ------------------------------------------------------------------ the step

    def _updated_inverse(self, gk: Tensor) -> Tensor:
        """B after the change of the gradient since the last step."""
        if self.gk_last_init:
            yk = gk - self.gk_last
            g = ops.matmul(ops.transpose(yk, (1, 0)), self.sk).reshape(())
            if g > _EPSILON:
                pk = 1.0 / g
                row = ops.transpose(self.sk, (1, 0))
                left = self.eye - ops.matmul(pk * yk, row)
                inner = ops.matmul(ops.transpose(left, (1, 0)), self.bk)
                ops.assign(self.bk, ops.matmul(inner, left) + ops.matmul(pk * self.sk, row))
        else:
            ops.assign(self.gk_last_init, Tensor(True))
        ops.assign(self.gk_last, gk)
        return self.bk.value()

    def _searched(
        self, dk: Any, dn: Any, old_loss: Any, slope: Any, weight: Any, clone: Any, inputs: Any
    ) -> float:
        """The first factor with which the loss falls enough, or 0."""
        for rho in self.rho_list:
            self.optimizer(tuple(-rho * d for d in dn))
            new_loss = self._mean_of_all(self.network(*inputs))
            for p, copy in zip(weight, clone, strict=True):
                ops.assign(p, copy)
            if old_loss + self.sigma * rho * slope > new_loss:
                ops.assign(self.sk, rho * dk)
                return rho
        return 0.0

    def _take(self, grads: Any, inside: Any, dn: Any, rho: float) -> None:
        steps = []
        for v, g, own, d in zip(self.grad_res_momentum, grads, inside, dn, strict=True):
            ops.assign(v, self.gamma * v + g - own)
            steps.append(self.alpha * v - rho * d)
        self.optimizer(tuple(steps))


def _state(value: np.ndarray, name: str) -> Parameter:
    return Parameter(Tensor(value, mstype.float32), name=name, requires_grad=False)
