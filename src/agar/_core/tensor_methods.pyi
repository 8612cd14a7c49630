"""Methods and properties of Tensor that operators declare. Written by scripts/stubs.py; not to be edited."""


import builtins
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from agar._core.tensor import Tensor

Number = builtins.bool | builtins.int | builtins.float | builtins.complex | np.generic

class TensorMethods:
    def __abs__(self) -> Tensor:
        """Absolute value, element by element: :math:`out_i = |input_i|`.

        Args:
            input (Tensor): any shape.

        Returns:
            Tensor of the same shape and type; complex numbers give the type of their parts.
        """
        ...
    def __add__(self, other: Tensor | Number | Sequence[Any]) -> Tensor:
        """Add, element by element: :math:`out_i = input_i + other_i`.

        Args:
            input (Union[Tensor, number, bool]): the first summand.
            other (Union[Tensor, number, bool]): the second; shapes broadcast.

        Returns:
            Tensor of the broadcast shape and the common type; a number takes the tensor's type,
            except that a float with integers gives float32.
        """
        ...
    def __and__(self, other: Tensor | Number | Sequence[Any]) -> Tensor:
        r"""Bitwise and, element by element: :math:`out_i = input_i \land other_i`.

        Args:
            input (Union[Tensor, int, bool]): bool or an integer type.
            other (Union[Tensor, int, bool]): likewise; shapes broadcast.

        Returns:
            Tensor of the broadcast shape and the common type.
        """
        ...
    def __floordiv__(self, other: Tensor | Number | Sequence[Any]) -> Tensor:
        r"""Divide and round down: :math:`out_i = \lfloor input_i / other_i \rfloor`.

        Args:
            input (Union[Tensor, number, bool]): the dividend.
            other (Union[Tensor, number, bool]): the divisor; shapes broadcast.

        Returns:
            Tensor of the broadcast shape and the common type.
        """
        ...
    def __ge__(self, other: Tensor | Number | Sequence[Any]) -> Tensor:
        r"""Whether one operand is at least the other, element by element: :math:`out_i = input_i \ge other_i`.

        Args:
            input (Union[Tensor, number, bool]): the left operand.
            other (Union[Tensor, number, bool]): the right operand; shapes broadcast. A
                number takes the tensor's type; a float beside integers stays a float.

        Returns:
            Tensor of bool, of the broadcast shape.
        """
        ...
    def __gt__(self, other: Tensor | Number | Sequence[Any]) -> Tensor:
        """Whether one operand is greater than the other, element by element: :math:`out_i = input_i > other_i`.

        Args:
            input (Union[Tensor, number, bool]): the left operand.
            other (Union[Tensor, number, bool]): the right operand; shapes broadcast. A
                number takes the tensor's type; a float beside integers stays a float.

        Returns:
            Tensor of bool, of the broadcast shape.
        """
        ...
    def __invert__(self) -> Tensor:
        """Logical negation, whatever the type: true where the element is zero.

        Args:
            input (Tensor): any shape and type.

        Returns:
            Tensor of bool.
        """
        ...
    def __le__(self, other: Tensor | Number | Sequence[Any]) -> Tensor:
        r"""Whether one operand is at most the other, element by element: :math:`out_i = input_i \le other_i`.

        Args:
            input (Union[Tensor, number, bool]): the left operand.
            other (Union[Tensor, number, bool]): the right operand; shapes broadcast. A
                number takes the tensor's type; a float beside integers stays a float.

        Returns:
            Tensor of bool, of the broadcast shape.
        """
        ...
    def __lt__(self, other: Tensor | Number | Sequence[Any]) -> Tensor:
        """Whether one operand is less than the other, element by element: :math:`out_i = input_i < other_i`.

        Args:
            input (Union[Tensor, number, bool]): the left operand.
            other (Union[Tensor, number, bool]): the right operand; shapes broadcast. A
                number takes the tensor's type; a float beside integers stays a float.

        Returns:
            Tensor of bool, of the broadcast shape.
        """
        ...
    def __matmul__(self, other: Tensor) -> Tensor:
        r"""Matrix product: :math:`out_{..ij} = \sum_k input_{..ik}\, other_{..kj}`.

        Args:
            input (Tensor): a vector, a matrix :math:`(.., N, K)` or a batch of them.
            other (Tensor): a vector, a matrix :math:`(.., K, M)` or a batch of them, of the same type;
                the batch axes broadcast.

        Returns:
            Tensor of shape :math:`(.., N, M)`, without the axes that a vector lacks.
        """
        ...
    def __mod__(self, other: Tensor | Number | Sequence[Any] = ..., *, divisor: Any = ...) -> Tensor:
        r"""Remainder with the divisor's sign: :math:`out = input - \lfloor input/other \rfloor other`.

        Args:
            input (Union[Tensor, number, bool]): the dividend.
            other (Union[Tensor, number, bool]): the divisor; shapes broadcast.
            divisor: another name of `other`.

        Returns:
            Tensor of the broadcast shape and the common type.
        """
        ...
    def __mul__(self, other: Tensor | Number | Sequence[Any]) -> Tensor:
        r"""Multiply, element by element: :math:`out_i = input_i \cdot other_i`.

        Args:
            input (Union[Tensor, number, bool]): the first factor.
            other (Union[Tensor, number, bool]): the second; shapes broadcast.

        Returns:
            Tensor of the broadcast shape and the common type; a number or a 0-d tensor does not
            widen the type within its category (float64 times a float32 tensor is float32).
        """
        ...
    def __neg__(self) -> Tensor:
        """Negative, element by element: :math:`out_i = -input_i`.

        Args:
            input (Tensor): any shape; unsigned integers wrap around.

        Returns:
            Tensor of the same shape and type.
        """
        ...
    def __or__(self, other: Tensor | Number | Sequence[Any]) -> Tensor:
        r"""Bitwise or, element by element: :math:`out_i = input_i \lor other_i`.

        Args:
            input (Union[Tensor, int, bool]): bool or an integer type.
            other (Union[Tensor, int, bool]): likewise; shapes broadcast.

        Returns:
            Tensor of the broadcast shape and the common type.
        """
        ...
    def __pow__(self, exponent: Tensor | Number | Sequence[Any]) -> Tensor:
        """Power, element by element: :math:`out_i = input_i^{exponent_i}`.

        Args:
            input (Union[Tensor, number]): the base.
            exponent (Union[Tensor, number]): the exponent; shapes broadcast.

        Returns:
            Tensor of the broadcast shape and the common type; integers with a negative exponent
            give the truncated power.
        """
        ...
    def __radd__(self, other: Tensor | Number | Sequence[Any]) -> Tensor:
        """Add, element by element: :math:`out_i = input_i + other_i`.

        Args:
            input (Union[Tensor, number, bool]): the first summand.
            other (Union[Tensor, number, bool]): the second; shapes broadcast.

        Returns:
            Tensor of the broadcast shape and the common type; a number takes the tensor's type,
            except that a float with integers gives float32.
        """
        ...
    def __rfloordiv__(self, other: Tensor | Number | Sequence[Any]) -> Tensor:
        r"""Divide a number and round down: :math:`out_i = \lfloor other / input_i \rfloor`."""
        ...
    def __rmod__(self, other: Tensor | Number | Sequence[Any]) -> Tensor:
        """Remainder of a number divided by the elements, with their sign."""
        ...
    def __rmul__(self, other: Tensor | Number | Sequence[Any]) -> Tensor:
        r"""Multiply, element by element: :math:`out_i = input_i \cdot other_i`.

        Args:
            input (Union[Tensor, number, bool]): the first factor.
            other (Union[Tensor, number, bool]): the second; shapes broadcast.

        Returns:
            Tensor of the broadcast shape and the common type; a number or a 0-d tensor does not
            widen the type within its category (float64 times a float32 tensor is float32).
        """
        ...
    def __round__(self, *, decimals: int = 0) -> Tensor:
        """Nearest integer, halves to even, element by element.

        Args:
            input (Tensor): any shape.
            decimals (int): digits after the point to keep; negative ones round before the point.
                Default: 0.

        Returns:
            Tensor of the same shape and type.
        """
        ...
    def __rpow__(self, other: Tensor | Number | Sequence[Any]) -> Tensor:
        """A number to the power of the elements: :math:`out_i = other^{input_i}`."""
        ...
    def __rsub__(self, other: Tensor | Number | Sequence[Any]) -> Tensor:
        """Subtract from a number: :math:`out_i = other - input_i`, see :func:`ops.sub`.

        Args:
            input (Union[Tensor, number, bool]): the minuend.
            other (Union[Tensor, number, bool]): the subtrahend; shapes broadcast.
        """
        ...
    def __rtruediv__(self, other: Tensor | Number | Sequence[Any]) -> Tensor:
        """Divide a number: :math:`out_i = other / input_i`, see :func:`ops.div`.

        Args:
            input (Union[Tensor, number, bool]): the dividend.
            other (Union[Tensor, number, bool]): the divisor; shapes broadcast.
        """
        ...
    def __sub__(self, other: Tensor | Number | Sequence[Any]) -> Tensor:
        """Subtract, element by element: :math:`out_i = input_i - other_i`.

        Args:
            input (Union[Tensor, number, bool]): the minuend.
            other (Union[Tensor, number, bool]): the subtrahend; shapes broadcast.

        Returns:
            Tensor of the broadcast shape and the common type, as for :func:`ops.add`; two bool
            tensors give their exclusive or.
        """
        ...
    def __truediv__(self, divisor: Tensor | Number | Sequence[Any]) -> Tensor:
        """Divide, element by element: :math:`out_i = dividend_i / divisor_i`.

        Args:
            dividend (Union[Tensor, number, bool]): the dividend.
            divisor (Union[Tensor, number, bool]): the divisor; shapes broadcast.

        Returns:
            Tensor of the broadcast shape; integers give float32.
        """
        ...
    def __xor__(self, other: Tensor | Number | Sequence[Any]) -> Tensor:
        r"""Bitwise exclusive or, element by element: :math:`out_i = input_i \oplus other_i`.

        Args:
            input (Union[Tensor, int, bool]): bool or an integer type.
            other (Union[Tensor, int, bool]): likewise; shapes broadcast.

        Returns:
            Tensor of the broadcast shape and the common type.
        """
        ...
    def abs(self) -> Tensor:
        """Absolute value, element by element: :math:`out_i = |input_i|`.

        Args:
            input (Tensor): any shape.

        Returns:
            Tensor of the same shape and type; complex numbers give the type of their parts.
        """
        ...
    def abs_(self) -> Tensor:
        """Absolute value, in place; gradients flow through it.

        Args:
            input (Tensor): this tensor.

        Returns:
            This tensor.
        """
        ...
    def absolute(self) -> Tensor:
        """Absolute value, element by element: :math:`out_i = |input_i|`.

        Args:
            input (Tensor): any shape.

        Returns:
            Tensor of the same shape and type; complex numbers give the type of their parts.
        """
        ...
    def acos(self) -> Tensor:
        r"""Inverse cosine, element by element: :math:`out = \arccos x`.

        Args:
            input (Tensor): :math:`x`, of any shape.

        Returns:
            Tensor of the same shape; floating types are kept, integers and bool give float32.
        """
        ...
    def acosh(self) -> Tensor:
        r"""Inverse hyperbolic cosine, element by element: :math:`out = \cosh^{-1} x`.

        Args:
            input (Tensor): :math:`x`, of any shape.

        Returns:
            Tensor of the same shape; floating types are kept, integers and bool give float32.
        """
        ...
    def add(self, other: Tensor | Number, *, alpha: float = 1) -> Tensor:
        r"""Add a multiple, element by element: :math:`out_i = input_i + alpha \cdot other_i`.

        Args:
            input (Union[Tensor, number]): the first summand.
            other (Union[Tensor, number]): the second; shapes broadcast.
            alpha (number): the factor. Default: 1.

        Returns:
            Tensor of the broadcast shape and the common type.
        """
        ...
    def add_(self, other: Any, *, alpha: Any = 1) -> Tensor:
        """A value added, in place; gradients flow through it.

        Args:
            input (Tensor): this tensor.
            other: see ``Tensor.add``.
            alpha: see ``Tensor.add``.

        Returns:
            This tensor.
        """
        ...
    def addbmm(self, batch1: Tensor, batch2: Tensor, *, beta: float = 1, alpha: float = 1) -> Tensor:
        r"""Products of matrices added: :math:`\beta\, input + \alpha \sum_b batch1_b batch2_b`.

        Args:
            input (Tensor): a shape that broadcasts to :math:`(N, M)`.
            batch1 (Tensor): shape :math:`(B, N, K)`; of other shapes the products are summed over
                their first axis.
            batch2 (Tensor): shape :math:`(B, K, M)`, of the same type.
            beta (number): factor of `input`. Default: 1.
            alpha (number): factor of the sum. Default: 1.

        Returns:
            Tensor of shape :math:`(N, M)` and the common type.
        """
        ...
    def addcdiv(self, tensor1: Tensor, tensor2: Tensor, value: Tensor | Number = 1) -> Tensor:
        r"""Add a quotient: :math:`out_i = input_i + value \cdot tensor1_i / tensor2_i`.

        Args:
            input (Tensor): the tensor to add to.
            tensor1 (Tensor): the dividend.
            tensor2 (Tensor): the divisor; shapes broadcast.
            value (Union[number, Tensor]): a factor of the quotient. Default: 1.

        Returns:
            Tensor of the common type.
        """
        ...
    def addcmul(self, tensor1: Tensor, tensor2: Tensor, value: Tensor | Number = 1) -> Tensor:
        r"""Add a product: :math:`out_i = input_i + value \cdot tensor1_i \cdot tensor2_i`.

        Args:
            input (Tensor): the tensor to add to.
            tensor1 (Tensor): the first factor.
            tensor2 (Tensor): the second; shapes broadcast.
            value (Union[number, Tensor]): a factor of the product. Default: 1.

        Returns:
            Tensor of the common type.
        """
        ...
    def addmm(self, mat1: Tensor, mat2: Tensor, *, beta: float = 1, alpha: float = 1) -> Tensor:
        r"""Product of matrices added to a tensor: :math:`\beta\, input + \alpha\, mat1 \cdot mat2`.

        Args:
            input (Tensor): a shape that broadcasts to :math:`(N, M)`.
            mat1 (Tensor): shape :math:`(N, K)`.
            mat2 (Tensor): shape :math:`(K, M)`, of the same type.
            beta (number): factor of `input`. Default: 1.
            alpha (number): factor of the product. Default: 1.

        Returns:
            Tensor of shape :math:`(N, M)` and the common type.
        """
        ...
    def addmm_(self, mat1: Any, mat2: Any, *, beta: Any = 1, alpha: Any = 1) -> Tensor:
        """A product of matrices added, in place; gradients flow through it.

        Args:
            input (Tensor): this tensor.
            mat1: see ``Tensor.addmm``.
            mat2: see ``Tensor.addmm``.
            beta: see ``Tensor.addmm``.
            alpha: see ``Tensor.addmm``.

        Returns:
            This tensor.
        """
        ...
    def addmv(self, mat: Tensor, vec: Tensor, beta: float = 1, alpha: float = 1) -> Tensor:
        """Product of matrix and vector added; see :func:`ops.addmv`.

        Args:
            input (Tensor): a shape that broadcasts to :math:`(N,)`.
            mat (Tensor): shape :math:`(N, M)`.
            vec (Tensor): shape :math:`(M,)`, of the same type.
            beta (number): factor of `input`. Default: 1.
            alpha (number): factor of the product. Default: 1.
        """
        ...
    def addr(self, vec1: Tensor, vec2: Tensor, beta: float = 1, alpha: float = 1) -> Tensor:
        """Outer product added to a matrix; see :func:`ops.addr`.

        Args:
            input (Tensor): a shape that broadcasts to :math:`(N, M)`.
            vec1 (Tensor): shape :math:`(N,)`.
            vec2 (Tensor): shape :math:`(M,)`.
            beta (number): factor of `input`. Default: 1.
            alpha (number): factor of the product. Default: 1.
        """
        ...
    def adjoint(self) -> Tensor:
        """Conjugate transpose of matrices: the last two axes swapped, the values conjugated.

        Args:
            x (Tensor): two axes or more.

        Returns:
            Tensor.
        """
        ...
    def all(self, axis: Any = None, keep_dims: bool = False, *, dim: Any = None, keepdim: bool = False) -> Tensor:
        """Whether all elements along axes are true; `dim` and `keepdim` mean `axis` and `keep_dims`.
        See :func:`ops.all`.

        Args:
            input (Tensor): any shape and type.
            axis (Union[None, int, tuple, list]): the axes. Default None: all.
            keep_dims (bool): whether the axes stay, with size 1. Default: False.
            dim: another name of `axis`.
            keepdim: another name of `keep_dims`.
        """
        ...
    def allclose(self, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> bool:
        r"""Whether all elements agree: :math:`|input_i - other_i| \le atol + rtol |other_i|`.

        Args:
            input (Tensor): the first tensor.
            other (Tensor): the second; shapes broadcast.
            rtol (float): relative tolerance. Default: 1e-5.
            atol (float): absolute tolerance. Default: 1e-8.
            equal_nan (bool): whether two nans agree. Default: False.

        Returns:
            bool.
        """
        ...
    def amax(self, axis: Any = None, keepdims: bool = False, *, initial: Any = None, where: Tensor | None = None) -> Tensor:
        """The largest elements along axes.

        Args:
            input (Tensor): any shape.
            axis (Union[None, int, tuple, list]): the axes. Default None: all.
            keepdims (bool): whether the axes stay, with size 1. Default: False.
            initial (number): the smallest value that the result can have. Default: None.
            where (Tensor): bool; elements that are false count as `initial`. Default: None.

        Returns:
            Tensor. Along axes, equal elements share the gradient.
        """
        ...
    def amin(self, axis: Any = None, keepdims: bool = False, *, initial: Any = None, where: Tensor | None = None) -> Tensor:
        """The smallest elements along axes.

        Args:
            input (Tensor): any shape.
            axis (Union[None, int, tuple, list]): the axes. Default None: all.
            keepdims (bool): whether the axes stay, with size 1. Default: False.
            initial (number): the largest value that the result can have. Default: None.
            where (Tensor): bool; elements that are false count as `initial`. Default: None.

        Returns:
            Tensor. Along axes, equal elements share the gradient.
        """
        ...
    def aminmax(self, *, axis: int | None = 0, keepdims: bool = False) -> tuple:
        """The smallest and the largest elements along an axis.

        Nan is left out, unless it is the first element.

        Args:
            input (Tensor): any shape.
            axis (int): the axis; None for all. Default: 0.
            keepdims (bool): whether the axis stays, with size 1. Default: False.

        Returns:
            Tuple of the smallest and the largest.
        """
        ...
    def angle(self) -> Tensor:
        r"""Argument of complex numbers; of real ones 0 or pi, element by element: :math:`out = \operatorname{atan2}(\Im x, \Re x)`.

        Args:
            input (Tensor): :math:`x`, of any shape.

        Returns:
            Tensor of the same shape; the floating type of the parts.
        """
        ...
    def any(self, axis: Any = None, keep_dims: bool = False, *, dim: Any = None, keepdim: bool = False) -> Tensor:
        """Whether some elements along axes are true; `dim` and `keepdim` mean `axis` and `keep_dims`.
        See :func:`ops.any`.

        Args:
            input (Tensor): any shape and type.
            axis (Union[None, int, tuple, list]): the axes. Default None: all.
            keep_dims (bool): whether the axes stay, with size 1. Default: False.
            dim: another name of `axis`.
            keepdim: another name of `keep_dims`.
        """
        ...
    def approximate_equal(self, y: Tensor = ..., tolerance: float = 1e-05, *, other: Any = ...) -> Tensor:
        """Whether elements differ by less than a tolerance: :math:`|x_i - y_i| < tolerance`.

        Args:
            x (Tensor): the first tensor.
            y (Tensor): the second, of the same shape.
            tolerance (float): the bound. Default: 1e-5.
            other: another name of `y`.

        Returns:
            Tensor of bool.
        """
        ...
    def arccos(self) -> Tensor:
        r"""Inverse cosine, element by element: :math:`out = \arccos x`.

        Args:
            input (Tensor): :math:`x`, of any shape.

        Returns:
            Tensor of the same shape; floating types are kept, integers and bool give float32.
        """
        ...
    def arccosh(self) -> Tensor:
        r"""Inverse hyperbolic cosine, element by element: :math:`out = \cosh^{-1} x`.

        Args:
            input (Tensor): :math:`x`, of any shape.

        Returns:
            Tensor of the same shape; floating types are kept, integers and bool give float32.
        """
        ...
    def arcsin(self) -> Tensor:
        r"""Inverse sine, element by element: :math:`out = \arcsin x`.

        Args:
            input (Tensor): :math:`x`, of any shape.

        Returns:
            Tensor of the same shape; floating types are kept, integers and bool give float32.
        """
        ...
    def arcsinh(self) -> Tensor:
        r"""Inverse hyperbolic sine, element by element: :math:`out = \sinh^{-1} x`.

        Args:
            input (Tensor): :math:`x`, of any shape.

        Returns:
            Tensor of the same shape; floating types are kept, integers and bool give float32.
        """
        ...
    def arctan(self) -> Tensor:
        r"""Inverse tangent, element by element: :math:`out = \arctan x`.

        Args:
            input (Tensor): :math:`x`, of any shape.

        Returns:
            Tensor of the same shape; floating types are kept, integers and bool give float32.
        """
        ...
    def arctan2(self, other: Tensor | Number) -> Tensor:
        r"""Angle of the point (y, x) in all four quadrants, element by element: :math:`out = \operatorname{atan2}(x, y)`.

        Args:
            input (Union[Tensor, number]): :math:`x`.
            other (Union[Tensor, number]): :math:`y`; shapes broadcast.

        Returns:
            Tensor of the broadcast shape and the common type; integers give float32 where
            the function is not closed over them.
        """
        ...
    def arctanh(self) -> Tensor:
        r"""Inverse hyperbolic tangent, element by element: :math:`out = \tanh^{-1} x`.

        Args:
            input (Tensor): :math:`x`, of any shape.

        Returns:
            Tensor of the same shape; floating types are kept, integers and bool give float32.
        """
        ...
    def argmax(self, axis: int | None = None, keepdims: bool = False, *, dim: int | None = None, keepdim: bool = False) -> Tensor:
        """Indices (int64) of the largest elements; `dim`, `keepdim` mean `axis`, `keepdims`.

        See :func:`ops.argmax`.

        Args:
            input (Tensor): any shape.
            axis (int): the axis. Default None: the index in the flattened tensor.
            keepdims (bool): whether the axis stays, with size 1. Default: False.
            dim: another name of `axis`.
            keepdim: another name of `keepdims`.
        """
        ...
    def argmax_with_value(self, axis: int | None = 0, keep_dims: bool = False) -> tuple[Tensor, Tensor]:
        """Values and indices (int64) of the largest elements along an axis.

        Args:
            input (Tensor): this tensor.
            axis (int): the axis; None for all elements, with index 0 and without axes. Default: 0.
            keep_dims (bool): whether the axis stays, with size 1. Default: False.

        Returns:
            Tuple of values and indices.
        """
        ...
    def argmin(self, axis: int | None = None, keepdims: bool = False, *, dim: int | None = None, keepdim: bool = False) -> Tensor:
        """Indices (int32) of the smallest elements; `dim`, `keepdim` mean `axis`, `keepdims`.

        See :func:`ops.argmin`.

        Args:
            input (Tensor): any shape.
            axis (int): the axis. Default None: the index in the flattened tensor.
            keepdims (bool): whether the axis stays, with size 1. Default: False.
            dim: another name of `axis`.
            keepdim: another name of `keepdims`.
        """
        ...
    def argmin_with_value(self, axis: int | None = 0, keep_dims: bool = False) -> tuple[Tensor, Tensor]:
        """Values and indices (int64) of the smallest elements; as :meth:`argmax_with_value`.

        Args:
            input (Tensor): this tensor.
            axis (int): the axis; None for all elements, with index 0 and without axes. Default: 0.
            keep_dims (bool): whether the axis stays, with size 1. Default: False.

        Returns:
            Tuple of values and indices.
        """
        ...
    def argsort(self, axis: int = -1, descending: bool = False, stable: bool = False, *, dim: int | None = None) -> Tensor:
        """Indices that sort along an axis; `dim` means `axis`. See :func:`ops.argsort`.

        Args:
            input (Tensor): any shape.
            axis (int): the axis. Default: -1.
            descending (bool): whether the largest come first. Default: False.
            stable (bool): accepted: equal elements always keep their order. Default: False.
            dim: another name of `axis`.
        """
        ...
    def argwhere(self) -> Tensor:
        """Indices of the elements that are not zero.

        Args:
            input (Tensor): any shape.

        Returns:
            Tensor of int64 of shape (N, rank).
        """
        ...
    def asin(self) -> Tensor:
        r"""Inverse sine, element by element: :math:`out = \arcsin x`.

        Args:
            input (Tensor): :math:`x`, of any shape.

        Returns:
            Tensor of the same shape; floating types are kept, integers and bool give float32.
        """
        ...
    def asinh(self) -> Tensor:
        r"""Inverse hyperbolic sine, element by element: :math:`out = \sinh^{-1} x`.

        Args:
            input (Tensor): :math:`x`, of any shape.

        Returns:
            Tensor of the same shape; floating types are kept, integers and bool give float32.
        """
        ...
    def astype(self, dtype: Any, copy: bool = True) -> Tensor:
        """Convert to another type.

        Args:
            input (Tensor): this tensor.
            dtype (Union[Type, str, type]): a MindSpore type, its name, or a Python or numpy type;
                ``float`` is float64.
            copy (bool): accepted for compatibility; a tensor of the same type shares its memory
                either way. Default: True.

        Returns:
            Tensor of the same shape.
        """
        ...
    def atan(self) -> Tensor:
        r"""Inverse tangent, element by element: :math:`out = \arctan x`.

        Args:
            input (Tensor): :math:`x`, of any shape.

        Returns:
            Tensor of the same shape; floating types are kept, integers and bool give float32.
        """
        ...
    def atan2(self, other: Tensor | Number) -> Tensor:
        r"""Angle of the point (y, x) in all four quadrants, element by element: :math:`out = \operatorname{atan2}(x, y)`.

        Args:
            input (Union[Tensor, number]): :math:`x`.
            other (Union[Tensor, number]): :math:`y`; shapes broadcast.

        Returns:
            Tensor of the broadcast shape and the common type; integers give float32 where
            the function is not closed over them.
        """
        ...
    def atanh(self) -> Tensor:
        r"""Inverse hyperbolic tangent, element by element: :math:`out = \tanh^{-1} x`.

        Args:
            input (Tensor): :math:`x`, of any shape.

        Returns:
            Tensor of the same shape; floating types are kept, integers and bool give float32.
        """
        ...
    def baddbmm(self, batch1: Tensor, batch2: Tensor, *, beta: float = 1, alpha: float = 1) -> Tensor:
        """Products of matrices in batches added; see :func:`ops.baddbmm`.

        Args:
            input (Tensor): a shape that broadcasts to :math:`(B, N, M)`.
            batch1 (Tensor): shape :math:`(B, N, K)`.
            batch2 (Tensor): shape :math:`(B, K, M)`, of the same type.
            beta (number): factor of `input`. Default: 1.
            alpha (number): factor of the products. Default: 1.
        """
        ...
    def bernoulli(self, *, generator: Any = None) -> Tensor:
        """Draw zeros and ones; each element of a tensor is the probability of a one.

        Args:
            input (Tensor): probabilities, of a floating type.
            generator (Generator): the generator to draw from. Default None: the default generator.

        Returns:
            Tensor like `input`.
        """
        ...
    def bernoulli_(self, p: Tensor | Number = 0.5, *, generator: Any = None) -> Tensor:
        """Fill a tensor with ones, with probability p, and zeros.

        Args:
            input (Tensor): what is filled, of any type.
            p (Union[float, Tensor]): probabilities, which broadcast to `input`. Default: 0.5.
            generator (Generator): the generator to draw from. Default None: the default generator.

        Returns:
            Tensor, `input` itself.
        """
        ...
    def bfloat16(self) -> Tensor:
        """The tensor converted to bfloat16.

        Returns:
            Tensor of the same shape; over the same memory if it has that type already.
        """
        ...
    def bincount(self, weights: Tensor | None = None, minlength: int = 0) -> Tensor:
        r"""Occurrences of each number: :math:`out_v = \sum_i [input_i = v]\, weights_i`.

        Args:
            input (Tensor): integers from 0 on, 1-D.
            weights (Tensor): what each occurrence counts. Default None: 1.
            minlength (int): the least length of the result. Default: 0.

        Returns:
            Tensor of float32.
        """
        ...
    def bitwise_and(self, other: Tensor | Number) -> Tensor:
        r"""Bitwise and, element by element: :math:`out_i = input_i \land other_i`.

        Args:
            input (Union[Tensor, int, bool]): bool or an integer type.
            other (Union[Tensor, int, bool]): likewise; shapes broadcast.

        Returns:
            Tensor of the broadcast shape and the common type.
        """
        ...
    def bitwise_left_shift(self, other: Tensor | Number) -> Tensor:
        r"""Shift bits to the left, element by element: :math:`out = input \cdot 2^{other}`.

        Args:
            input (Union[Tensor, int]): an integer type.
            other (Union[Tensor, int]): the number of places; shapes broadcast.

        Returns:
            Tensor of the broadcast shape and the common type.
        """
        ...
    def bitwise_not(self) -> Tensor:
        """Negate every bit, element by element: :math:`out_i = -x_i - 1` for signed integers.

        Args:
            x (Tensor): an integer type or bool.

        Returns:
            Tensor of the same shape and type.
        """
        ...
    def bitwise_or(self, other: Tensor | Number) -> Tensor:
        r"""Bitwise or, element by element: :math:`out_i = input_i \lor other_i`.

        Args:
            input (Union[Tensor, int, bool]): bool or an integer type.
            other (Union[Tensor, int, bool]): likewise; shapes broadcast.

        Returns:
            Tensor of the broadcast shape and the common type.
        """
        ...
    def bitwise_right_shift(self, other: Tensor | Number) -> Tensor:
        r"""Shift bits to the right, element by element: :math:`out = \lfloor input / 2^{other} \rfloor`.

        Args:
            input (Union[Tensor, int]): an integer type.
            other (Union[Tensor, int]): the number of places; shapes broadcast.

        Returns:
            Tensor of the broadcast shape and the common type.
        """
        ...
    def bitwise_xor(self, other: Tensor | Number) -> Tensor:
        r"""Bitwise exclusive or, element by element: :math:`out_i = input_i \oplus other_i`.

        Args:
            input (Union[Tensor, int, bool]): bool or an integer type.
            other (Union[Tensor, int, bool]): likewise; shapes broadcast.

        Returns:
            Tensor of the broadcast shape and the common type.
        """
        ...
    def bmm(self, mat2: Tensor) -> Tensor:
        """Products of matrices in batches; see :func:`ops.bmm`.

        Args:
            input (Tensor): shape :math:`(.., N, K)`.
            mat2 (Tensor): shape :math:`(.., K, M)`, of the same type; the batch axes broadcast.
        """
        ...
    def bool(self) -> Tensor:
        """The tensor converted to bool.

        Returns:
            Tensor of the same shape; over the same memory if it has that type already.
        """
        ...
    def broadcast_to(self, *sizes: Any, shape: Any = ..., size: Any = ...) -> Tensor:
        """Repeat along axes of size 1; ints or one tuple. See :func:`ops.broadcast_to`.

        Args:
            input (Tensor): any shape that broadcasts.
            *sizes (Union[int, tuple, list]): the new sizes, or one tuple of them; -1 keeps a size.
            shape: another name of `sizes`.
            size: another name of `sizes`.
        """
        ...
    def byte(self) -> Tensor:
        """The tensor converted to uint8.

        Returns:
            Tensor of the same shape; over the same memory if it has that type already.
        """
        ...
    def cauchy(self, median: Any = 0.0, sigma: Any = 1.0) -> Tensor:
        r"""Draw from a Cauchy distribution, in the shape of a tensor.

        Density :math:`\frac{1}{\pi} \frac{\sigma}{(x - median)^2 + \sigma^2}`.

        Args:
            input (Tensor): gives shape, type and device.
            median (float): the location. Default: 0.0.
            sigma (float): the half-width at half maximum. Default: 1.0.

        Returns:
            Tensor like `input`.
        """
        ...
    def ceil(self) -> Tensor:
        r"""Smallest integer that is not below, element by element: :math:`out = \lceil x \rceil`.

        Args:
            input (Tensor): :math:`x`, of any shape.

        Returns:
            Tensor of the same shape; the type is kept.
        """
        ...
    def ceil_(self) -> Tensor:
        """Rounded up, in place; gradients flow through it.

        Args:
            input (Tensor): this tensor.

        Returns:
            This tensor.
        """
        ...
    def char(self) -> Tensor:
        """The tensor converted to int8.

        Returns:
            Tensor of the same shape; over the same memory if it has that type already.
        """
        ...
    def cholesky(self, upper: bool = False) -> Tensor:
        """Cholesky decomposition of positive definite matrices: :math:`input = L L^H`.

        Args:
            input_x (Tensor): shape :math:`(.., N, N)`, symmetric and positive definite.
            upper (bool): whether :math:`L^H` is given, else :math:`L`. Default: False.

        Returns:
            Tensor of the same shape, triangular.
        """
        ...
    def cholesky_inverse(self, upper: bool = False) -> Tensor:
        """Inverse of a matrix from its Cholesky factor: :math:`(L L^H)^{-1}`.

        Args:
            input_x (Tensor): the factor, shape :math:`(N, N)`.
            upper (bool): whether it is the upper one. Default: False.

        Returns:
            Tensor of the same shape.
        """
        ...
    def cholesky_solve(self, input2: Tensor, upper: bool = False) -> Tensor:
        r"""Solution of linear equations from a Cholesky factor: :math:`L L^H \cdot out = input`.

        Args:
            input (Tensor): the right side, shape :math:`(.., N, K)`.
            input2 (Tensor): the factor, shape :math:`(.., N, N)`, of the same type.
            upper (bool): whether it is the upper one. Default: False.

        Returns:
            Tensor of shape :math:`(.., N, K)`.
        """
        ...
    def choose(self, choices: Sequence[Tensor | Number], mode: str = 'clip') -> Tensor:
        """For each position, the element of the tensor in a list whose index is in this tensor.

        Args:
            input (Tensor): this tensor, integers.
            choices (Union[Tensor, tuple, list]): the tensors, numbers or nests of numbers to choose
                from, or one tensor of them along the first axis; shapes broadcast.
            mode (str): as in :meth:`Tensor.take`. Default: ``"clip"``.

        Returns:
            Tensor.
        """
        ...
    def chunk(self, chunks: int, axis: int = 0, *, dim: int | None = None) -> tuple[Tensor, ...]:
        """Cut into at most a given number of parts; `dim` means `axis`. See :func:`ops.chunk`.

        Args:
            input (Tensor): any shape.
            chunks (int): how many parts at most.
            axis (int): the axis. Default: 0.
            dim: another name of `axis`.
        """
        ...
    def clamp(self, min: Tensor | Number | None = None, max: Tensor | Number | None = None) -> Tensor:
        r"""Clamp every element: :math:`out_i = \min(\max(input_i, min_i), max_i)`.

        Args:
            input (Tensor): any shape.
            min (Union[Tensor, number]): the lower bound; shapes broadcast. Default None: none.
            max (Union[Tensor, number]): the upper bound; it wins where it is the smaller one.
                Default None: none.

        Returns:
            Tensor of the common type; a float bound makes float32 of integers.
        """
        ...
    def clamp_(self, min: Any = None, max: Any = None) -> Tensor:
        """Bounded, in place; gradients flow through it.

        Args:
            input (Tensor): this tensor.
            min: see ``Tensor.clamp``.
            max: see ``Tensor.clamp``.

        Returns:
            This tensor.
        """
        ...
    def clip(self, min: Tensor | Number | None = None, max: Tensor | Number | None = None) -> Tensor:
        r"""Clamp every element: :math:`out_i = \min(\max(input_i, min_i), max_i)`.

        Args:
            input (Tensor): any shape.
            min (Union[Tensor, number]): the lower bound; shapes broadcast. Default None: none.
            max (Union[Tensor, number]): the upper bound; it wins where it is the smaller one.
                Default None: none.

        Returns:
            Tensor of the common type; a float bound makes float32 of integers.
        """
        ...
    def clone(self) -> Tensor:
        """A copy over its own memory; gradients flow to the original.

        Args:
            input (Tensor): any shape and type.

        Returns:
            Tensor.
        """
        ...
    def col2im(self, output_size: Any, kernel_size: Sequence[int], dilation: Sequence[int], padding_value: Sequence[int], stride: Sequence[int]) -> Tensor:
        """Sum columns into images; see ``ops.fold``.

        Args:
            input_x (Tensor): shape :math:`(N, C, K_h K_w, patches)`.
            output_size (Union[Tensor, tuple[int]]): height and width of the output.
            kernel_size (Union[int, tuple[int], list[int]]): size of a patch.
            dilation (Union[int, tuple[int], list[int]]): distance between its elements.
            padding_value (Union[int, tuple[int], list[int]]): zeros on both sides.
            stride (Union[int, tuple[int], list[int]]): step from patch to patch.

        Returns:
            Tensor of shape :math:`(N, C, H, W)`.
        """
        ...
    def conj(self) -> Tensor:
        r"""Complex conjugate, element by element: :math:`out = \bar{x}`.

        Args:
            input (Tensor): :math:`x`, of any shape.

        Returns:
            Tensor of the same shape; the type is kept.
        """
        ...
    def contiguous(self) -> Tensor:
        """The tensor with its elements in memory in the order of the axes, copied if necessary."""
        ...
    def copy_(self, src: Tensor, non_blocking: bool = False) -> Tensor:
        """The values of another tensor, in place; gradients flow through it.

        Args:
            input (Tensor): this tensor.
            src (Tensor): the values, of a shape that broadcasts and any type.
            non_blocking (bool): whether a copy between devices may run beside the program.
                Default: False.

        Returns:
            This tensor.
        """
        ...
    def copysign(self, other: Tensor | Number) -> Tensor:
        r"""Magnitude of the first with the sign of the second, element by element: :math:`out = |x| \operatorname{sign}(y)`.

        Args:
            input (Union[Tensor, number]): :math:`x`.
            other (Union[Tensor, number]): :math:`y`; shapes broadcast.

        Returns:
            Tensor of the broadcast shape and the common type; integers give float32 where
            the function is not closed over them.
        """
        ...
    def cos(self) -> Tensor:
        r"""Cosine of radians, element by element: :math:`out = \cos x`.

        Args:
            input (Tensor): :math:`x`, of any shape.

        Returns:
            Tensor of the same shape; floating types are kept, integers and bool give float32.
        """
        ...
    def cos_(self) -> Tensor:
        """Cosine, in place; gradients flow through it.

        Args:
            input (Tensor): this tensor.

        Returns:
            This tensor.
        """
        ...
    def cosh(self) -> Tensor:
        """Hyperbolic cosine, element by element: :math:`out = (e^x + e^{-x}) / 2`.

        Args:
            input (Tensor): :math:`x`, of any shape.

        Returns:
            Tensor of the same shape; floating types are kept, integers and bool give float32.
        """
        ...
    def count_nonzero(self, axis: Any = ..., keep_dims: bool = False, dtype: Any = None, *, dim: Any = None) -> Tensor:
        """The number of elements along axes that are not zero; see :func:`ops.count_nonzero`.

        Args:
            input (Tensor): any shape.
            axis (Union[int, tuple, list]): the axes. Default (): all.
            keep_dims (bool): whether the axes stay, with size 1. Default: False.
            dtype (Type): the type of the result. Default: None.
            dim: another name of `axis`.
        """
        ...
    def cov(self, *, correction: int = 1, fweights: Tensor | None = None, aweights: Tensor | None = None) -> Tensor:
        """Covariance matrix of variables (rows) over observations (columns).

        Args:
            input (Tensor): a matrix, or a vector of one variable.
            correction (int): what is taken from the number of observations in the divisor. Default: 1.
            fweights (Tensor): how often each observation counts, integers. Default: None.
            aweights (Tensor): weights of the observations. Default: None.

        Returns:
            Tensor, a matrix (0-d for a vector); float16 gives float32.
        """
        ...
    def cross(self, other: Tensor, dim: int | None = None) -> Tensor:
        """Cross product of vectors with three components.

        Args:
            input (Tensor): any shape with an axis of size 3.
            other (Tensor): of the same shape.
            dim (int): that axis. Default None: the first of size 3.

        Returns:
            Tensor of the common type.
        """
        ...
    def cummax(self, axis: int) -> tuple[Tensor, Tensor]:
        """The largest elements so far along an axis, and their indices.

        Args:
            input (Tensor): any shape.
            axis (int): the axis.

        Returns:
            Tuple of values and indices (int64); of equal
            elements, that of the last.
        """
        ...
    def cummin(self, axis: int) -> tuple[Tensor, Tensor]:
        """The smallest elements so far along an axis, and their indices.

        Args:
            input (Tensor): any shape.
            axis (int): the axis.

        Returns:
            Tuple of values and indices (int32); of equal
            elements, that of the last.
        """
        ...
    def cumprod(self, dim: int, dtype: Any = None) -> Tensor:
        r"""Running product along an axis: :math:`out_i = input_1 \cdots input_i`.

        Args:
            input (Tensor): any shape.
            dim (int): the axis.
            dtype (Type): the type to compute in and to return. Default None: that of `input`, int64
                for integers and bool.

        Returns:
            Tensor of the same shape.
        """
        ...
    def cumsum(self, axis: int | None = None, dtype: Any = None, *, dim: int | None = None) -> Tensor:
        """Running sum along an axis, of the flattened tensor without one; `dim` means `axis`.

        Narrow integers give int32, where :func:`ops.cumsum` keeps their type. See :func:`ops.cumsum`.

        Args:
            input (Tensor): any shape.
            axis (int): the axis. Default: None.
            dtype (Type): the type to compute in and to return. Default None: that of `input` (int32 for
                bool).
            dim: another name of `axis`.
        """
        ...
    def data_ptr(self) -> int:
        """The address of the first element of a tensor.

        Args:
            input (Tensor): any tensor.

        Returns:
            int.
        """
        ...
    def deg2rad(self) -> Tensor:
        r"""Degrees to radians: :math:`out_i = x_i \pi / 180`.

        Args:
            x (Tensor): any shape.

        Returns:
            Tensor of the same shape; integers give float32.
        """
        ...
    def det(self) -> Tensor:
        """Determinant of square matrices.

        Args:
            input (Tensor): shape :math:`(.., N, N)`.

        Returns:
            Tensor of shape :math:`(..)`.
        """
        ...
    def diag(self, diagonal: int = 0) -> Tensor:
        """A tensor with this one on its diagonal; see :func:`ops.diag`.

        Args:
            input (Tensor): this tensor.
            diagonal (int): for vectors, the diagonal to write. Default: 0.

        Returns:
            Tensor.
        """
        ...
    def diagflat(self, offset: int = 0) -> Tensor:
        """A matrix with all elements of the input on a diagonal.

        Args:
            input (Tensor): any shape.
            offset (int): which diagonal. Default: 0.

        Returns:
            Tensor with two axes.
        """
        ...
    def diagonal(self, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
        """The diagonal of the plane of two axes; see :func:`ops.diagonal`.

        Args:
            input (Tensor): two axes or more.
            offset (int): which diagonal, 0 the main one, 1 the one above it. Default: 0.
            axis1 (int): the first axis of the plane. Default: 0.
            axis2 (int): the second. Default: 1.
        """
        ...
    def diagonal_scatter(self, src: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Tensor:
        """A copy in which a diagonal is replaced.

        Args:
            input (Tensor): the tensor to start from.
            src (Tensor): the diagonal, its last axis.
            offset (int): which diagonal. Default: 0.
            dim1 (int): the first axis of the plane. Default: 0.
            dim2 (int): the second. Default: 1.

        Returns:
            Tensor of the shape and type of `input`.
        """
        ...
    def diff(self, n: int = 1, axis: int = -1, prepend: Tensor | None = None, append: Tensor | None = None) -> Tensor:
        """Differences of neighbors along an axis; see :func:`ops.diff`.

        Args:
            input (Tensor): one axis or more.
            n (int): how often. Default: 1.
            axis (int): the axis. Default: -1.
            prepend (Tensor): what to put before `input` first. Default: None.
            append (Tensor): what to put behind `input` first. Default: None.
        """
        ...
    def digamma(self) -> Tensor:
        r"""Derivative of the logarithm of the gamma function, element by element: :math:`out = \Gamma'(x) / \Gamma(x)`.

        Args:
            input (Tensor): :math:`x`, of any shape.

        Returns:
            Tensor of the same shape; floating types are kept, integers and bool give float32.
        """
        ...
    def dim(self) -> int:
        """The number of axes of a tensor.

        Args:
            input (Tensor): any tensor.

        Returns:
            int.
        """
        ...
    def div(self, other: Tensor | Number, *, rounding_mode: str | None = None) -> Tensor:
        """Divide, element by element: :math:`out_i = input_i / other_i`.

        Args:
            input (Union[Tensor, number, bool]): the dividend.
            other (Union[Tensor, number, bool]): the divisor; shapes broadcast.
            rounding_mode (str): ``"floor"`` rounds the quotient down, ``"trunc"`` toward zero; None
                keeps the true quotient. Default: None.

        Returns:
            Tensor of the broadcast shape. Integers give float32 without rounding and their common
            type with it.
        """
        ...
    def div_(self, other: Any, rounding_mode: Any = None) -> Tensor:
        """Divided, in place; gradients flow through it.

        Args:
            input (Tensor): this tensor.
            other: see ``Tensor.div``.
            rounding_mode: see ``Tensor.div``.

        Returns:
            This tensor.
        """
        ...
    def divide(self, other: Tensor | Number, *, rounding_mode: str | None = None) -> Tensor:
        """Divide, element by element: :math:`out_i = input_i / other_i`.

        Args:
            input (Union[Tensor, number, bool]): the dividend.
            other (Union[Tensor, number, bool]): the divisor; shapes broadcast.
            rounding_mode (str): ``"floor"`` rounds the quotient down, ``"trunc"`` toward zero; None
                keeps the true quotient. Default: None.

        Returns:
            Tensor of the broadcast shape. Integers give float32 without rounding and their common
            type with it.
        """
        ...
    def dot(self, other: Tensor) -> Tensor:
        r"""Product over the last axis of one tensor and the second to last of the other.

        :math:`out_{i.., j.., m} = \sum_k input_{i.., k}\, other_{j.., k, m}`

        Args:
            input (Tensor): two axes or more.
            other (Tensor): two axes or more, of the same type.

        Returns:
            Tensor with the remaining axes of both.
        """
        ...
    def double(self) -> Tensor:
        """The tensor converted to float64.

        Returns:
            Tensor of the same shape; over the same memory if it has that type already.
        """
        ...
    def dsplit(self, indices_or_sections: Any) -> tuple[Tensor, ...]:
        """Cut along the third axis; see :func:`ops.tensor_split`.

        Args:
            input (Tensor): 3 axes or more.
            indices_or_sections (Union[int, tuple, list]): the number of parts, or the
                places to cut.

        Returns:
            Tuple of Tensors, views.
        """
        ...
    def eigvals(self) -> Tensor:
        """Eigenvalues of square matrices; see :func:`ops.eig`.

        Args:
            A (Tensor): shape :math:`(.., N, N)`.

        Returns:
            Tensor of shape :math:`(.., N)`, complex.
        """
        ...
    def element_size(self) -> int:
        """The bytes of one element of a tensor.

        Args:
            input (Tensor): any tensor.

        Returns:
            int.
        """
        ...
    def eq(self, other: Tensor | Number) -> Tensor:
        """Whether one operand equals the other, element by element: :math:`out_i = input_i = other_i`.

        Args:
            input (Union[Tensor, number, bool]): the left operand.
            other (Union[Tensor, number, bool]): the right operand; shapes broadcast. A
                number takes the tensor's type; a float beside integers stays a float.

        Returns:
            Tensor of bool, of the broadcast shape.
        """
        ...
    def equal(self, other: Tensor | Number) -> Tensor:
        """Whether one operand equals the other, element by element: :math:`out_i = input_i = other_i`.

        Args:
            input (Union[Tensor, number, bool]): the left operand.
            other (Union[Tensor, number, bool]): the right operand; shapes broadcast. A
                number takes the tensor's type; a float beside integers stays a float.

        Returns:
            Tensor of bool, of the broadcast shape.
        """
        ...
    def erf(self) -> Tensor:
        r"""Error function, element by element: :math:`out = \frac{2}{\sqrt{\pi}} \int_0^x e^{-t^2} dt`.

        Args:
            input (Tensor): :math:`x`, of any shape.

        Returns:
            Tensor of the same shape; floating types are kept, integers and bool give float32.
        """
        ...
    def erfc(self) -> Tensor:
        r"""Complementary error function, element by element: :math:`out = 1 - \operatorname{erf}(x)`.

        Args:
            input (Tensor): :math:`x`, of any shape.

        Returns:
            Tensor of the same shape; floating types are kept, integers and bool give float32.
        """
        ...
    def erfinv(self) -> Tensor:
        r"""Inverse of the error function, element by element: :math:`out = \operatorname{erf}^{-1}(x)`.

        Args:
            input (Tensor): :math:`x`, of any shape.

        Returns:
            Tensor of the same shape; floating types are kept, integers and bool give float32.
        """
        ...
    def erfinv_(self) -> Tensor:
        """Inverse of the error function, in place; gradients flow through it.

        Args:
            input (Tensor): this tensor.

        Returns:
            This tensor.
        """
        ...
    def exp(self) -> Tensor:
        """Exponential function, element by element: :math:`out = e^x`.

        Args:
            input (Tensor): :math:`x`, of any shape.

        Returns:
            Tensor of the same shape; floating types are kept, integers and bool give float32.
        """
        ...
    def exp2(self) -> Tensor:
        """Power of two, element by element: :math:`out = 2^x`.

        Args:
            input (Tensor): :math:`x`, of any shape.

        Returns:
            Tensor of the same shape; floating types are kept, integers and bool give float32.
        """
        ...
    def exp_(self) -> Tensor:
        """Exponential function, in place; gradients flow through it.

        Args:
            input (Tensor): this tensor.

        Returns:
            This tensor.
        """
        ...
    def expand(self, *sizes: Any, shape: Any = ..., size: Any = ...) -> Tensor:
        """Repeat along axes of size 1; ints or one tuple. See :func:`ops.broadcast_to`.

        Args:
            input (Tensor): any shape that broadcasts.
            *sizes (Union[int, tuple, list]): the new sizes, or one tuple of them; -1 keeps a size.
            shape: another name of `sizes`.
            size: another name of `sizes`.
        """
        ...
    def expand_as(self, other: Tensor = ..., *, x: Any = ...) -> Tensor:
        """Repeat to the shape of another tensor, without copying.

        Args:
            input (Tensor): any shape that broadcasts.
            other (Tensor): the tensor whose shape is used.
            x: another name of `other`.

        Returns:
            Tensor, a view.
        """
        ...
    def expand_dims(self, axis: int) -> Tensor:
        """Insert an axis of size 1.

        Args:
            input_x (Tensor): any shape.
            axis (int): where the new axis goes.

        Returns:
            Tensor with one axis more, a view.
        """
        ...
    def expm1(self) -> Tensor:
        """Exponential function minus one, exact near zero, element by element: :math:`out = e^x - 1`.

        Args:
            input (Tensor): :math:`x`, of any shape.

        Returns:
            Tensor of the same shape; floating types are kept, integers and bool give float32.
        """
        ...
    def exponential_(self, lambd: Any = 1, *, generator: Any = None) -> Tensor:
        r"""Fill a tensor with numbers of density :math:`\lambda e^{-\lambda x}`.

        Args:
            input (Tensor): what is filled, of a floating type.
            lambd (float): the rate, above 0. Default: 1.
            generator (Generator): the generator to draw from. Default None: the default generator.

        Returns:
            Tensor, `input` itself.
        """
        ...
    def fill(self, value: Tensor | Number) -> Tensor:
        """A tensor like another, filled with one value.

        Args:
            x (Tensor): whose shape and type to take.
            value (Union[number, Tensor]): the value; a Tensor must be 0-d.

        Returns:
            A new Tensor.
        """
        ...
    def fill_(self, value: Any) -> Tensor:
        """Filled with one value, in place; gradients flow through it.

        Args:
            input (Tensor): this tensor.
            value: see ``Tensor.fill``.

        Returns:
            This tensor.
        """
        ...
    def fill_diagonal(self, fill_value: Number, wrap: bool = False) -> Tensor:
        """A copy with the main diagonal filled with one value.

        Args:
            input (Tensor): this tensor: two axes, or more of one size.
            fill_value (number): the value.
            wrap (bool): whether the diagonal goes on in tall matrices. Default: False.

        Returns:
            Tensor.
        """
        ...
    def fill_diagonal_(self, fill_value: Number, wrap: bool = False) -> Tensor:
        """The main diagonal filled with one value, in place; see ``Tensor.fill_diagonal``.

        Args:
            input (Tensor): this tensor: two axes, or more of one size.
            fill_value (number): the value.
            wrap (bool): whether the diagonal goes on in tall matrices. Default: False.

        Returns:
            This tensor.
        """
        ...
    def fills(self, value: Tensor | Number) -> Tensor:
        """A tensor like another, filled with one value.

        Args:
            x (Tensor): whose shape and type to take.
            value (Union[number, Tensor]): the value; a Tensor must be 0-d.

        Returns:
            A new Tensor.
        """
        ...
    def flatten(self, order: Any = 'C', *rest: Any, start_dim: int = 0, end_dim: int = -1) -> Tensor:
        """Merge adjacent axes into one; by default all of them.

        Args:
            input (Tensor): this tensor.
            order (Union[str, int]): ``"C"`` or ``"F"``, or the first axis to join. Default: ``"C"``.
            rest (int): the last axis to join, if the first was given in its place.
            start_dim (int): the first axis to join. Default: 0.
            end_dim (int): the last. Default: -1.

        Returns:
            Tensor, a view where the layout allows.
        """
        ...
    def flip(self, dims: Any) -> Tensor:
        """Reverse the order along axes.

        Args:
            input (Tensor): any shape.
            dims (Union[tuple, list, int]): the axes; none changes nothing.

        Returns:
            Tensor, a copy.
        """
        ...
    def fliplr(self) -> Tensor:
        """Reverse the order along the second axis.

        Args:
            input (Tensor): two axes or more.

        Returns:
            Tensor, a copy.
        """
        ...
    def flipud(self) -> Tensor:
        """Reverse the order along the first axis.

        Args:
            input (Tensor): one axis or more.

        Returns:
            Tensor, a copy.
        """
        ...
    def float(self) -> Tensor:
        """The tensor converted to float32.

        Returns:
            Tensor of the same shape; over the same memory if it has that type already.
        """
        ...
    def float_power(self, exponent: Tensor | Number = ..., *, other: Any = ...) -> Tensor:
        """Power in double precision: :math:`out_i = input_i^{exponent_i}`.

        Args:
            input (Union[Tensor, number]): the base.
            exponent (Union[Tensor, number]): the exponent; shapes broadcast.
            other: another name of `exponent`.

        Returns:
            Tensor of float64 (complex128 for complex operands).
        """
        ...
    def floor(self) -> Tensor:
        r"""Largest integer that is not above, element by element: :math:`out = \lfloor x \rfloor`.

        Args:
            input (Tensor): :math:`x`, of any shape.

        Returns:
            Tensor of the same shape; the type is kept.
        """
        ...
    def floor_(self) -> Tensor:
        """Rounded down, in place; gradients flow through it.

        Args:
            input (Tensor): this tensor.

        Returns:
            This tensor.
        """
        ...
    def floor_divide(self, other: Tensor | Number) -> Tensor:
        r"""Divide and round down: :math:`out_i = \lfloor input_i / other_i \rfloor`.

        Args:
            input (Union[Tensor, number, bool]): the dividend.
            other (Union[Tensor, number, bool]): the divisor; shapes broadcast.

        Returns:
            Tensor of the broadcast shape and the common type.
        """
        ...
    def floor_divide_(self, other: Any) -> Tensor:
        """Divided and rounded down, in place; gradients flow through it.

        Args:
            input (Tensor): this tensor.
            other: see ``Tensor.floor_divide``.

        Returns:
            This tensor.
        """
        ...
    def fmax(self, other: Tensor | Number) -> Tensor:
        r"""The larger element; a number wins over nan, element by element: :math:`out = \max(x, y)`.

        Args:
            input (Union[Tensor, number]): :math:`x`.
            other (Union[Tensor, number]): :math:`y`; shapes broadcast.

        Returns:
            Tensor of the broadcast shape and the common type; integers give float32 where
            the function is not closed over them.
        """
        ...
    def fmin(self, other: Tensor | Number) -> Tensor:
        r"""The smaller element; a number wins over nan, element by element: :math:`out = \min(x, y)`.

        Args:
            input (Union[Tensor, number]): :math:`x`.
            other (Union[Tensor, number]): :math:`y`; shapes broadcast.

        Returns:
            Tensor of the broadcast shape and the common type; integers give float32 where
            the function is not closed over them.
        """
        ...
    def fmod(self, other: Tensor | Number) -> Tensor:
        r"""Remainder with the dividend's sign: :math:`out = input - trunc(input/other) \cdot other`.

        Args:
            input (Union[Tensor, number]): the dividend.
            other (Union[Tensor, number]): the divisor; shapes broadcast.

        Returns:
            Tensor of the broadcast shape and the common type, as for :func:`ops.mul`.
        """
        ...
    def fold(self, output_size: Any, kernel_size: int | Sequence[int], dilation: int | Sequence[int] = 1, padding: int | Sequence[int] = 0, stride: int | Sequence[int] = 1) -> Tensor:
        r"""Sum columns into images, each at the position of its patch; the transpose of ``ops.unfold``.

        Args:
            input (Tensor): shape :math:`(N, C \cdot K_h K_w, patches)`, or without N.
            output_size (Union[Tensor, tuple[int], list[int]]): height and width of the output.
            kernel_size (Union[int, tuple[int], list[int]]): size of a patch.
            dilation (Union[int, tuple[int], list[int]]): distance between its elements. Default: 1.
            padding (Union[int, tuple[int], list[int]]): zeros on both sides. Default: 0.
            stride (Union[int, tuple[int], list[int]]): step from patch to patch. Default: 1.

        Returns:
            Tensor of shape :math:`(N, C, H, W)`.
        """
        ...
    def frac(self) -> Tensor:
        r"""Fractional part, element by element: :math:`out = x - \operatorname{trunc}(x)`.

        Args:
            input (Tensor): :math:`x`, of any shape.

        Returns:
            Tensor of the same shape; the type is kept.
        """
        ...
    def gather(self, dim: Tensor | Number | None = None, index: Tensor | Number | None = None, batch_dims: int = 0, *, input_indices: Tensor | None = None, axis: Any = None) -> Tensor:
        """Single elements, ``gather(dim, index)``, or slices, ``gather(input_indices, axis)``.

        Args:
            input (Tensor): this tensor.
            dim (Union[int, Tensor]): the axis, or the indices of slices.
            index (Union[Tensor, int]): the indices as in :func:`ops.gather_elements`, or the axis as in
                :func:`ops.gather`.
            batch_dims (int): for slices, see :func:`ops.gather`. Default: 0.
            input_indices (Tensor): the indices of slices by name. Default: None.
            axis (int): their axis by name. Default: None.

        Returns:
            Tensor.
        """
        ...
    def gather_elements(self, dim: int, index: Tensor) -> Tensor:
        """Single elements along an axis: for axis 0, :math:`out_{ij} = input_{index_{ij}, j}`.

        Args:
            input (Tensor): the tensor to take from.
            dim (int): the axis.
            index (Tensor): integers, of the rank of `input`; negative ones count from the end.

        Returns:
            Tensor of the shape of `index`.
        """
        ...
    def gather_nd(self, indices: Tensor) -> Tensor:
        """Slices at positions given by vectors of indices: :math:`out_i = input_x[indices_i]`.

        Args:
            input_x (Tensor): the tensor to take from.
            indices (Tensor): integers; the last axis holds the indices of the leading axes of
                `input_x`.

        Returns:
            Tensor of shape ``indices.shape[:-1] + input_x.shape[indices.shape[-1]:]``.
        """
        ...
    def gcd(self, other: Tensor | Number) -> Tensor:
        r"""Greatest common divisor of integers, element by element: :math:`out = \gcd(x, y)`.

        Args:
            input (Union[Tensor, number]): :math:`x`.
            other (Union[Tensor, number]): :math:`y`; shapes broadcast.

        Returns:
            Tensor of the broadcast shape and the common type; integers give float32 where
            the function is not closed over them.
        """
        ...
    def ge(self, other: Tensor | Number) -> Tensor:
        r"""Whether one operand is at least the other, element by element: :math:`out_i = input_i \ge other_i`.

        Args:
            input (Union[Tensor, number, bool]): the left operand.
            other (Union[Tensor, number, bool]): the right operand; shapes broadcast. A
                number takes the tensor's type; a float beside integers stays a float.

        Returns:
            Tensor of bool, of the broadcast shape.
        """
        ...
    def geqrf(self) -> tuple[Tensor, Tensor]:
        """QR decomposition in LAPACK's form: R above the diagonal, reflections below it.

        Args:
            input (Tensor): shape :math:`(.., M, N)`.

        Returns:
            Tuple of the matrix and the factors of the reflections.
        """
        ...
    def ger(self, vec2: Tensor) -> Tensor:
        r"""Outer product: :math:`out_{ij} = input_i\, vec2_j`.

        Args:
            input (Tensor): any shape, flattened.
            vec2 (Tensor): any shape, flattened.

        Returns:
            Tensor of shape (input.size, vec2.size) and the common type.
        """
        ...
    def greater(self, other: Tensor | Number) -> Tensor:
        """Whether one operand is greater than the other, element by element: :math:`out_i = input_i > other_i`.

        Args:
            input (Union[Tensor, number, bool]): the left operand.
            other (Union[Tensor, number, bool]): the right operand; shapes broadcast. A
                number takes the tensor's type; a float beside integers stays a float.

        Returns:
            Tensor of bool, of the broadcast shape.
        """
        ...
    def greater_equal(self, other: Tensor | Number) -> Tensor:
        r"""Whether one operand is at least the other, element by element: :math:`out_i = input_i \ge other_i`.

        Args:
            input (Union[Tensor, number, bool]): the left operand.
            other (Union[Tensor, number, bool]): the right operand; shapes broadcast. A
                number takes the tensor's type; a float beside integers stays a float.

        Returns:
            Tensor of bool, of the broadcast shape.
        """
        ...
    def gt(self, other: Tensor | Number) -> Tensor:
        """Whether one operand is greater than the other, element by element: :math:`out_i = input_i > other_i`.

        Args:
            input (Union[Tensor, number, bool]): the left operand.
            other (Union[Tensor, number, bool]): the right operand; shapes broadcast. A
                number takes the tensor's type; a float beside integers stays a float.

        Returns:
            Tensor of bool, of the broadcast shape.
        """
        ...
    def half(self) -> Tensor:
        """The tensor converted to float16.

        Returns:
            Tensor of the same shape; over the same memory if it has that type already.
        """
        ...
    def hardshrink(self, lambd: float = 0.5) -> Tensor:
        r"""Set small elements to zero: :math:`out_i = x_i` where :math:`|x_i| > \lambda`, else 0.

        Args:
            input (Tensor): floating point, any shape.
            lambd (Union[int, float]): :math:`\lambda`. Default: 0.5.

        Returns:
            Tensor of the input's shape and dtype.
        """
        ...
    def heaviside(self, values: Tensor) -> Tensor:
        """Step function: 0 below zero, 1 above, `values` at zero.

        Args:
            input (Tensor): any shape.
            values (Tensor): the values at zero; shapes broadcast.

        Returns:
            Tensor of the broadcast shape and the common type.
        """
        ...
    def histc(self, bins: int = 100, min: float = 0.0, max: float = 0.0) -> Tensor:
        """Count the elements in intervals of equal width.

        Args:
            input (Tensor): any shape.
            bins (int): the number of intervals. Default: 100.
            min (number): the start of the first interval. Default: 0.
            max (number): the end of the last interval; if equal to `min`, both are taken from
                `input`. Default: 0.

        Returns:
            Tensor of shape (bins,), of the type of `input`; float32 for float16.
        """
        ...
    def hsplit(self, indices_or_sections: Any) -> tuple[Tensor, ...]:
        """Cut along the second axis (the first of vectors); see :func:`ops.tensor_split`.

        Args:
            input (Tensor): 1 axis or more.
            indices_or_sections (Union[int, tuple, list]): the number of parts, or the
                places to cut.

        Returns:
            Tuple of Tensors, views.
        """
        ...
    def hypot(self, other: Tensor | Number) -> Tensor:
        r"""Length of the hypotenuse, element by element: :math:`out = \sqrt{x^2 + y^2}`.

        Args:
            input (Union[Tensor, number]): :math:`x`.
            other (Union[Tensor, number]): :math:`y`; shapes broadcast.

        Returns:
            Tensor of the broadcast shape and the common type; integers give float32 where
            the function is not closed over them.
        """
        ...
    def i0(self) -> Tensor:
        """Modified Bessel function of the first kind of order 0, element by element: :math:`out = I_0(x)`.

        Args:
            input (Tensor): :math:`x`, of any shape.

        Returns:
            Tensor of the same shape; floating types are kept, integers and bool give float32.
        """
        ...
    def igamma(self, other: Tensor) -> Tensor:
        """Regularized lower incomplete gamma function :math:`P(a, x)`.

        Args:
            input (Tensor): :math:`a`, a floating type.
            other (Tensor): :math:`x`; shapes broadcast.

        Returns:
            Tensor of the broadcast shape and the common type.
        """
        ...
    def igammac(self, other: Tensor) -> Tensor:
        """Regularized upper incomplete gamma function :math:`Q(a, x) = 1 - P(a, x)`.

        Args:
            input (Tensor): :math:`a`, a floating type.
            other (Tensor): :math:`x`; shapes broadcast.

        Returns:
            Tensor of the broadcast shape and the common type.
        """
        ...
    def imag(self) -> Tensor:
        r"""Imaginary part: :math:`out_i = \Im(input_i)`.

        Args:
            input (Tensor): any shape.

        Returns:
            Tensor of the same shape; zeros for a real tensor.
        """
        ...
    def index(self, indices: Sequence[Tensor]) -> Tensor:
        """Elements at positions given by one tensor of indices, or one mask, for each leading axis.

        Args:
            input (Tensor): this tensor.
            indices (Union[tuple[Tensor], list[Tensor]]): integers whose shapes broadcast, or masks.

        Returns:
            Tensor, as ``x[indices]``.
        """
        ...
    def index_add(self, dim: Tensor | Number | None = None, index: Tensor | None = None, source: Tensor | Number | None = None, use_lock: bool = True, check_index_bound: bool = True, *, alpha: float = 1, indices: Tensor | None = None, y: Tensor | None = None, axis: int | None = None) -> Tensor:
        """Add slices along an axis: ``index_add(dim, index, source)`` or ``(indices, y, axis)``.

        Args:
            input (Tensor): this tensor; not changed.
            dim (Union[int, Tensor]): the axis; or the indices.
            index (Tensor): the indices; or the slices.
            source (Union[Tensor, int]): the slices; or the axis.
            use_lock (bool): accepted for compatibility. Default: True.
            check_index_bound (bool): accepted for compatibility: indices are checked. Default: True.
            alpha (number): a factor of the slices. Default: 1.
            indices (Tensor): the indices, in the second form. Default: None.
            y (Tensor): the slices, in the second form. Default: None.
            axis (int): the axis, in the second form. Default: None.

        Returns:
            Tensor.
        """
        ...
    def index_add_(self, dim: int, index: Tensor, source: Tensor, *, alpha: float = 1) -> Tensor:
        """Slices added along an axis, in place; see ``Tensor.index_add``.

        Args:
            input (Tensor): this tensor.
            dim (int): the axis.
            index (Tensor): integers, 1-D: where along the axis each slice is added. Slices of equal
                indices are all added.
            source (Tensor): the slices, of the shape of `input` with the length of `index` in the axis.
            alpha (number): a factor of the slices. Default: 1.

        Returns:
            This tensor.
        """
        ...
    def index_copy_(self, dim: int, index: Tensor, tensor: Tensor) -> Tensor:
        """Slices written along an axis, in place.

        Args:
            input (Tensor): this tensor.
            dim (int): the axis.
            index (Tensor): integers, 1-D.
            tensor (Tensor): the slices.

        Returns:
            This tensor.
        """
        ...
    def index_fill(self, axis: Any, index: Tensor, value: Tensor | Number) -> Tensor:
        """A copy in which slices along an axis are filled with one value.

        Args:
            x (Tensor): the tensor to start from.
            axis (int): the axis.
            index (Tensor): integers, 1-D or 0-d.
            value (Union[number, Tensor]): the value, 0-d if a Tensor.

        Returns:
            Tensor of the shape and type of `x`.
        """
        ...
    def index_fill_(self, dim: int, index: Tensor, value: Tensor | Number) -> Tensor:
        """Slices along an axis filled with one value, in place; see ``Tensor.index_fill``.

        Args:
            input (Tensor): this tensor.
            dim (int): the axis.
            index (Tensor): integers, 1-D: the slices that are filled.
            value (Union[Tensor, number]): the value; a Tensor has no axes.

        Returns:
            This tensor.
        """
        ...
    def index_put(self, indices: Sequence[Tensor], values: Tensor, accumulate: Any = False) -> Tensor:
        """A copy in which the elements at an index are replaced or added to.

        Args:
            input (Tensor): this tensor; not changed.
            indices (Union[tuple, list]): one index tensor for each leading axis.
            values (Tensor): what to write; it broadcasts to the places.
            accumulate (bool): whether to add. Default: False.

        Returns:
            Tensor of the shape and type of `input`.
        """
        ...
    def index_put_(self, indices: Sequence[Tensor], values: Tensor, accumulate: Any = False) -> Tensor:
        """Elements at an index replaced or added to, in place; see ``Tensor.index_put``.

        Args:
            input (Tensor): this tensor.
            indices (Union[tuple[Tensor], list[Tensor]]): an index tensor, or a mask, for each
                leading axis; their shapes broadcast.
            values (Tensor): of a shape that broadcasts to that of the chosen elements.
            accumulate (bool): whether the values are added to the elements, those of equal indices all.
                Default: False.

        Returns:
            This tensor.
        """
        ...
    def index_select(self, axis: int = ..., index: Tensor = ..., *, dim: Any = ...) -> Tensor:
        """Slices along an axis.

        Args:
            input (Tensor): the tensor to take from.
            axis (int): the axis.
            index (Tensor): integers, 1-D.
            dim: another name of `axis`.

        Returns:
            Tensor.
        """
        ...
    def inner(self, other: Tensor | Number) -> Tensor:
        r"""Product over the last axes: :math:`out_{i.., j..} = \sum_k input_{i.., k}\, other_{j.., k}`.

        Args:
            input (Tensor): any shape.
            other (Union[Tensor, number]): any shape with the same last size; a number multiplies.

        Returns:
            Tensor with the remaining axes of both.
        """
        ...
    def inplace_update(self, v: Tensor, indices: Any) -> Tensor:
        """A copy of a tensor in which rows are replaced.

        Args:
            x (Tensor): what to start from; it stays as it is, in spite of the name.
            v (Tensor): the rows.
            indices (Union[int, tuple, Tensor]): which rows.

        Returns:
            Tensor of the shape and type of `x`.
        """
        ...
    def int(self) -> Tensor:
        """The tensor converted to int32.

        Returns:
            Tensor of the same shape; over the same memory if it has that type already.
        """
        ...
    def inv(self) -> Tensor:
        """Reciprocal that keeps integers, element by element: :math:`out_i = 1 / x_i`.

        Args:
            x (Tensor): any shape.

        Returns:
            Tensor of the same shape and type; for integers the quotient truncated to an integer.
        """
        ...
    def inverse(self) -> Tensor:
        r"""Inverse of square matrices: :math:`out \cdot input = I`.

        Args:
            input (Tensor): shape :math:`(.., N, N)`.

        Returns:
            Tensor of the same shape.
        """
        ...
    def invert(self) -> Tensor:
        """Negate every bit, element by element: :math:`out_i = -x_i - 1` for signed integers.

        Args:
            x (Tensor): an integer type or bool.

        Returns:
            Tensor of the same shape and type.
        """
        ...
    def is_complex(self) -> bool:
        """Whether a tensor's type is complex.

        Args:
            input (Tensor): any tensor.

        Returns:
            bool.
        """
        ...
    def is_contiguous(self) -> bool:
        """Whether the elements lie in memory in the order of the axes."""
        ...
    def is_floating_point(self) -> bool:
        """Whether a tensor's type is a (real) floating-point one.

        Args:
            input (Tensor): any tensor.

        Returns:
            bool.
        """
        ...
    def is_signed(self) -> bool:
        """Whether a tensor's type has negative numbers.

        Returns:
            bool.
        """
        ...
    def isclose(self, other: Tensor = ..., rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False, *, x2: Any = ...) -> Tensor:
        r"""Whether elements agree: :math:`|input_i - other_i| \le atol + rtol |other_i|`.

        Args:
            input (Tensor): the first tensor.
            other (Tensor): the second; shapes broadcast.
            rtol (float): relative tolerance. Default: 1e-5.
            atol (float): absolute tolerance. Default: 1e-8.
            equal_nan (bool): whether two nans agree. Default: False.
            x2: another name of `other`.

        Returns:
            Tensor of bool, of the broadcast shape.
        """
        ...
    def isfinite(self) -> Tensor:
        r"""Whether an element is neither infinite nor nan, element by element: :math:`out = |x| < \infty`.

        Args:
            input (Tensor): :math:`x`, of any shape.

        Returns:
            Tensor of the same shape; bool.
        """
        ...
    def isinf(self) -> Tensor:
        r"""Whether an element is infinite, element by element: :math:`out = |x| = \infty`.

        Args:
            input (Tensor): :math:`x`, of any shape.

        Returns:
            Tensor of the same shape; bool.
        """
        ...
    def isnan(self) -> Tensor:
        r"""Whether an element is not a number, element by element: :math:`out = x \text{ is nan}`.

        Args:
            input (Tensor): :math:`x`, of any shape.

        Returns:
            Tensor of the same shape; bool.
        """
        ...
    def isneginf(self) -> Tensor:
        r"""Whether an element is negative infinity, element by element: :math:`out = x = -\infty`.

        Args:
            input (Tensor): :math:`x`, of any shape.

        Returns:
            Tensor of the same shape; bool.
        """
        ...
    def isposinf(self) -> Tensor:
        r"""Whether an element is positive infinity, element by element: :math:`out = x = \infty`.

        Args:
            input (Tensor): :math:`x`, of any shape.

        Returns:
            Tensor of the same shape; bool.
        """
        ...
    def isreal(self) -> Tensor:
        r"""Whether an element has no imaginary part, element by element: :math:`out = \Im x = 0`.

        Args:
            input (Tensor): :math:`x`, of any shape.

        Returns:
            Tensor of the same shape; bool.
        """
        ...
    def itemset(self, *args: Any) -> Tensor:
        """A copy with one element replaced: ``itemset(index, value)``, or ``itemset(value)`` of one.

        Args:
            input (Tensor): this tensor; not changed.
            args (Any): the index, an int of the flattened tensor or a tuple, and the value.

        Returns:
            Tensor.
        """
        ...
    def kthvalue(self, k: int, dim: int = -1, keepdim: bool = False) -> tuple[Tensor, Tensor]:
        """The k-th smallest elements along an axis and their indices.

        Args:
            input (Tensor): any shape.
            k (int): counted from 1.
            dim (int): the axis. Default: -1.
            keepdim (bool): whether the axis stays, with size 1. Default: False.

        Returns:
            Tuple of values and indices (int64).
        """
        ...
    def lcm(self, other: Tensor | Number) -> Tensor:
        r"""Least common multiple of integers, element by element: :math:`out = \operatorname{lcm}(x, y)`.

        Args:
            input (Union[Tensor, number]): :math:`x`.
            other (Union[Tensor, number]): :math:`y`; shapes broadcast.

        Returns:
            Tensor of the broadcast shape and the common type; integers give float32 where
            the function is not closed over them.
        """
        ...
    def ldexp(self, other: Tensor | Number) -> Tensor:
        r"""Times a power of two, element by element: :math:`out = x \cdot 2^y`.

        Args:
            input (Union[Tensor, number]): :math:`x`.
            other (Union[Tensor, number]): :math:`y`; shapes broadcast.

        Returns:
            Tensor of the broadcast shape and the common type; integers give float32 where
            the function is not closed over them.
        """
        ...
    def le(self, other: Tensor | Number) -> Tensor:
        r"""Whether one operand is at most the other, element by element: :math:`out_i = input_i \le other_i`.

        Args:
            input (Union[Tensor, number, bool]): the left operand.
            other (Union[Tensor, number, bool]): the right operand; shapes broadcast. A
                number takes the tensor's type; a float beside integers stays a float.

        Returns:
            Tensor of bool, of the broadcast shape.
        """
        ...
    def lerp(self, end: Tensor, weight: Tensor | Number) -> Tensor:
        """Interpolate: :math:`out_i = input_i + weight_i (end_i - input_i)`.

        Args:
            input (Tensor): the values at weight 0, of a floating type.
            end (Tensor): the values at weight 1.
            weight (Union[Tensor, float]): the weight; shapes broadcast.

        Returns:
            Tensor of the common type.
        """
        ...
    def lerp_(self, end: Any, weight: Any) -> Tensor:
        """Interpolated, in place; gradients flow through it.

        Args:
            input (Tensor): this tensor.
            end: see ``Tensor.lerp``.
            weight: see ``Tensor.lerp``.

        Returns:
            This tensor.
        """
        ...
    def less(self, other: Tensor | Number) -> Tensor:
        """Whether one operand is less than the other, element by element: :math:`out_i = input_i < other_i`.

        Args:
            input (Union[Tensor, number, bool]): the left operand.
            other (Union[Tensor, number, bool]): the right operand; shapes broadcast. A
                number takes the tensor's type; a float beside integers stays a float.

        Returns:
            Tensor of bool, of the broadcast shape.
        """
        ...
    def less_equal(self, other: Tensor | Number) -> Tensor:
        r"""Whether one operand is at most the other, element by element: :math:`out_i = input_i \le other_i`.

        Args:
            input (Union[Tensor, number, bool]): the left operand.
            other (Union[Tensor, number, bool]): the right operand; shapes broadcast. A
                number takes the tensor's type; a float beside integers stays a float.

        Returns:
            Tensor of bool, of the broadcast shape.
        """
        ...
    def lgamma(self) -> Tensor:
        r"""Logarithm of the absolute value of the gamma function, element by element: :math:`out = \ln |\Gamma(x)|`.

        Args:
            input (Tensor): :math:`x`, of any shape.

        Returns:
            Tensor of the same shape; floating types are kept, integers and bool give float32.
        """
        ...
    def log(self) -> Tensor:
        r"""Natural logarithm, element by element: :math:`out = \ln x`.

        Args:
            input (Tensor): :math:`x`, of any shape.

        Returns:
            Tensor of the same shape; floating types are kept, integers and bool give float32.
        """
        ...
    def log10(self) -> Tensor:
        r"""Logarithm to base 10, element by element: :math:`out = \log_{10} x`.

        Args:
            input (Tensor): :math:`x`, of any shape.

        Returns:
            Tensor of the same shape; floating types are kept, integers and bool give float32.
        """
        ...
    def log1p(self) -> Tensor:
        r"""Natural logarithm of one plus the input, exact near zero, element by element: :math:`out = \ln(1 + x)`.

        Args:
            input (Tensor): :math:`x`, of any shape.

        Returns:
            Tensor of the same shape; floating types are kept, integers and bool give float32.
        """
        ...
    def log2(self) -> Tensor:
        r"""Logarithm to base 2, element by element: :math:`out = \log_2 x`.

        Args:
            input (Tensor): :math:`x`, of any shape.

        Returns:
            Tensor of the same shape; floating types are kept, integers and bool give float32.
        """
        ...
    def log_(self) -> Tensor:
        """Natural logarithm, in place; gradients flow through it.

        Args:
            input (Tensor): this tensor.

        Returns:
            This tensor.
        """
        ...
    def log_matrix_determinant(self) -> tuple[Tensor, Tensor]:
        """Sign and logarithm of the absolute value of the determinant; see :func:`ops.slogdet`.

        Args:
            input (Tensor): shape :math:`(.., N, N)`.

        Returns:
            Tuple of two Tensors of shape :math:`(..)`.
        """
        ...
    def log_normal(self, mean: Any = 1.0, std: Any = 2.0) -> Tensor:
        r"""Draw from a log-normal distribution, in the shape of a tensor.

        :math:`out = e^{z \cdot std + mean}` with z standard normal.

        Args:
            input (Tensor): gives shape, type and device; floating.
            mean (float): the mean of the logarithm. Default: 1.0.
            std (float): the standard deviation of the logarithm. Default: 2.0.

        Returns:
            Tensor like `input`.
        """
        ...
    def logaddexp(self, other: Tensor | Number) -> Tensor:
        r"""Logarithm of the sum of exponentials, element by element: :math:`out = \ln(e^x + e^y)`.

        Args:
            input (Union[Tensor, number]): :math:`x`.
            other (Union[Tensor, number]): :math:`y`; shapes broadcast.

        Returns:
            Tensor of the broadcast shape and the common type; integers give float32 where
            the function is not closed over them.
        """
        ...
    def logaddexp2(self, other: Tensor | Number) -> Tensor:
        r"""Logarithm to base 2 of the sum of powers of two, element by element: :math:`out = \log_2(2^x + 2^y)`.

        Args:
            input (Union[Tensor, number]): :math:`x`.
            other (Union[Tensor, number]): :math:`y`; shapes broadcast.

        Returns:
            Tensor of the broadcast shape and the common type; integers give float32 where
            the function is not closed over them.
        """
        ...
    def logcumsumexp(self, axis: int) -> Tensor:
        r"""Running logarithm of the sum of exponentials: :math:`out_i = \ln \sum_{j \le i} e^{x_j}`.

        Args:
            input (Tensor): a floating type, any shape.
            axis (int): the axis.

        Returns:
            Tensor of the same shape.
        """
        ...
    def logdet(self) -> Tensor:
        """Logarithm of the determinant, nan where that is negative.

        Args:
            input (Tensor): shape :math:`(.., N, N)`.

        Returns:
            Tensor of shape :math:`(..)`.
        """
        ...
    def logical_and(self, other: Tensor | Number = ..., *, y: Any = ...) -> Tensor:
        r"""Logical and, element by element: :math:`out_i = input_i \land other_i`.

        Args:
            input (Union[Tensor, number, bool]): true where it is not zero.
            other (Union[Tensor, number, bool]): likewise; shapes broadcast.
            y: another name of `other`.

        Returns:
            Tensor of bool, of the broadcast shape.
        """
        ...
    def logical_not(self) -> Tensor:
        r"""Logical negation, element by element: :math:`out = \lnot x`.

        Args:
            input (Tensor): :math:`x`, of any shape.

        Returns:
            Tensor of the same shape; bool.
        """
        ...
    def logical_not_(self) -> Tensor:
        """Negated logically, in place; gradients flow through it.

        Args:
            input (Tensor): this tensor.

        Returns:
            This tensor.
        """
        ...
    def logical_or(self, other: Tensor | Number = ..., *, y: Any = ...) -> Tensor:
        r"""Logical or, element by element: :math:`out_i = input_i \lor other_i`.

        Args:
            input (Union[Tensor, number, bool]): true where it is not zero.
            other (Union[Tensor, number, bool]): likewise; shapes broadcast.
            y: another name of `other`.

        Returns:
            Tensor of bool, of the broadcast shape.
        """
        ...
    def logical_xor(self, other: Tensor | Number = ..., *, y: Any = ...) -> Tensor:
        r"""Logical exclusive or, element by element: :math:`out_i = input_i \oplus other_i`.

        Args:
            input (Union[Tensor, number, bool]): true where it is not zero.
            other (Union[Tensor, number, bool]): likewise; shapes broadcast.
            y: another name of `other`.

        Returns:
            Tensor of bool, of the broadcast shape.
        """
        ...
    def logit(self, eps: float | None = None) -> Tensor:
        r"""Inverse of the logistic function: :math:`\ln(x / (1 - x))`.

        Args:
            input (Tensor): a floating type, any shape.
            eps (float): the elements are first bounded to [eps, 1 - eps]. Default None: not.

        Returns:
            Tensor of the same shape; integers give float32.
        """
        ...
    def logsumexp(self, dim: Any, keepdim: bool = False) -> Tensor:
        r"""Logarithm of the sum of exponentials along axes: :math:`\ln \sum_{dim} e^{input}`.

        Args:
            input (Tensor): any shape.
            dim (Union[int, tuple, list]): the axes; empty for all.
            keepdim (bool): whether the axes stay, with size 1. Default: False.

        Returns:
            Tensor, computed without overflow; integers give float32.
        """
        ...
    def long(self) -> Tensor:
        """The tensor converted to int64.

        Returns:
            Tensor of the same shape; over the same memory if it has that type already.
        """
        ...
    def lstsq(self, A: Tensor) -> Tensor:
        r"""Least squares: minimize :math:`\|input \cdot out - A\|_2`.

        Args:
            input (Tensor): shape :math:`(M, N)`, of full rank.
            A (Tensor): shape :math:`(M, K)` or :math:`(M,)`, of the same type.

        Returns:
            Tensor of shape :math:`(N, K)`, K = 1 for a vector.
        """
        ...
    def lt(self, other: Tensor | Number) -> Tensor:
        """Whether one operand is less than the other, element by element: :math:`out_i = input_i < other_i`.

        Args:
            input (Union[Tensor, number, bool]): the left operand.
            other (Union[Tensor, number, bool]): the right operand; shapes broadcast. A
                number takes the tensor's type; a float beside integers stays a float.

        Returns:
            Tensor of bool, of the broadcast shape.
        """
        ...
    def lu_solve(self, LU_data: Tensor, LU_pivots: Tensor) -> Tensor:
        """Solution of linear equations from an LU decomposition; see :func:`ops.lu_solve`.

        Args:
            input (Tensor): the right side, shape :math:`(.., N, K)`.
            LU_data (Tensor): L and U in one matrix, shape :math:`(.., N, N)`.
            LU_pivots (Tensor): the row exchanges, counted from 1, shape :math:`(.., N)`.
        """
        ...
    def masked_fill(self, mask: Tensor, value: Tensor | Number) -> Tensor:
        """The tensor with one value where a mask is true.

        Args:
            input_x (Tensor): any shape.
            mask (Tensor): bool, of a shape that broadcasts with `input_x`.
            value (Union[number, Tensor]): the value, 0-d if a Tensor.

        Returns:
            Tensor of the broadcast shape and the type of `input_x`.
        """
        ...
    def masked_fill_(self, mask: Any, value: Any) -> Tensor:
        """Filled with one value where a mask is true, in place; gradients flow through it.

        Args:
            input (Tensor): this tensor.
            mask: see ``Tensor.masked_fill``.
            value: see ``Tensor.masked_fill``.

        Returns:
            This tensor.
        """
        ...
    def masked_scatter(self, mask: Tensor, source: Tensor) -> Tensor:
        """The tensor with the elements of another, in order, where a mask is true.

        Args:
            input (Tensor): any shape.
            mask (Tensor): bool, of a shape that broadcasts with `input`.
            source (Tensor): at least as many elements as the mask has true ones.

        Returns:
            Tensor.
        """
        ...
    def masked_scatter_(self, mask: Any, source: Any) -> Tensor:
        """Elements of another tensor written where a mask is true, in place; gradients flow through it.

        Args:
            input (Tensor): this tensor.
            mask: see ``Tensor.masked_scatter``.
            source: see ``Tensor.masked_scatter``.

        Returns:
            This tensor.
        """
        ...
    def masked_select(self, mask: Tensor) -> Tensor:
        """The elements where a mask is true, as a vector.

        Args:
            input (Tensor): any shape.
            mask (Tensor): bool, of a shape that broadcasts with `input`.

        Returns:
            Tensor with one axis; its size depends on the values of `mask`.
        """
        ...
    def matmul(self, tensor2: Tensor = ..., *, other: Any = ...) -> Tensor:
        """Matrix product; see :func:`ops.matmul`.

        Args:
            input (Tensor): a vector, a matrix :math:`(.., N, K)` or a batch of them.
            tensor2 (Tensor): a vector, a matrix :math:`(.., K, M)` or a batch of them, of the same type;
                the batch axes broadcast.
            other: another name of `tensor2`.
        """
        ...
    def matrix_determinant(self) -> Tensor:
        """Determinant of square matrices.

        Args:
            input (Tensor): shape :math:`(.., N, N)`.

        Returns:
            Tensor of shape :math:`(..)`.
        """
        ...
    def matrix_power(self, n: int) -> Tensor:
        """Power of square matrices: :math:`input^n`, of the inverse if n is negative.

        Args:
            input (Tensor): shape :math:`(.., N, N)`; integers for n of 0 and above.
            n (int): the exponent.

        Returns:
            Tensor of the same shape.
        """
        ...
    def max(self, dim: Any = None, keepdim: bool = False, *, axis: Any = None, keepdims: bool = False, initial: Any = None, where: Tensor | None = None, return_indices: bool = False) -> Any:
        """The largest element, or those along axes.

        Args:
            input (Tensor): this tensor.
            dim (int): an axis: gives values and indices. Default: None.
            keepdim (bool): whether the axis stays, with size 1. Default: False.
            axis (Union[int, tuple, list]): axes: gives values only. Default: None.
            keepdims (bool): as `keepdim`. Default: False.
            initial (number): the smallest value that the result can have. Default: None.
            where (Tensor): bool; elements that are false count as `initial`. Default: None.
            return_indices (bool): with `axis`, whether to give places too. Default: False.

        Returns:
            Tensor; with `dim` or `return_indices` a tuple of values and indices (int64).
        """
        ...
    def maximum(self, other: Tensor | Number) -> Tensor:
        r"""The larger element: :math:`out_i = \max(input_i, other_i)`; nan wins.

        Args:
            input (Union[Tensor, number]): the first operand.
            other (Union[Tensor, number]): the second; shapes broadcast.

        Returns:
            Tensor of the broadcast shape and the common type.
        """
        ...
    def mean(self, axis: Any = None, keep_dims: bool = False, *, dim: Any = None, keepdim: bool = False, dtype: Any = None) -> Tensor:
        """Mean over axes; `dim` and `keepdim` mean `axis` and `keep_dims`. See :func:`ops.mean`.

        Args:
            input (Tensor): this tensor.
            axis (Union[None, int, tuple, list]): the axes. Default None: all.
            keep_dims (bool): whether the axes stay, with size 1. Default: False.
            dim (Union[None, int, tuple, list]): see `axis`. Default: None.
            keepdim (bool): see `keep_dims`. Default: False.
            dtype (Type): the type to compute in and to return. Default: None.

        Returns:
            Tensor.
        """
        ...
    def median(self, axis: int = -1, keepdims: bool = False, *, dim: Any = ..., keepdim: Any = ...) -> tuple[Tensor, Tensor]:
        """Medians along an axis and their indices; of an even number the lower one.

        Args:
            input (Tensor): any shape.
            axis (int): the axis. Default: -1.
            keepdims (bool): whether the axis stays, with size 1. Default: False.
            dim: another name of `axis`.
            keepdim: another name of `keepdims`.

        Returns:
            Tuple of values and indices (int64).
        """
        ...
    def min(self, dim: Any = None, keepdim: bool = False, *, axis: Any = None, keepdims: bool = False, initial: Any = None, where: Tensor | None = None, return_indices: bool = False) -> Any:
        """The smallest element, or those along axes.

        Args:
            input (Tensor): this tensor.
            dim (int): an axis: gives values and indices. Default: None.
            keepdim (bool): whether the axis stays, with size 1. Default: False.
            axis (Union[int, tuple, list]): axes: gives values only. Default: None.
            keepdims (bool): as `keepdim`. Default: False.
            initial (number): the largest value that the result can have. Default: None.
            where (Tensor): bool; elements that are false count as `initial`. Default: None.
            return_indices (bool): with `axis`, whether to give places too. Default: False.

        Returns:
            Tensor; with `dim` or `return_indices` a tuple of values and indices (int64).
        """
        ...
    def minimum(self, other: Tensor | Number) -> Tensor:
        r"""The smaller element: :math:`out_i = \min(input_i, other_i)`; nan wins.

        Args:
            input (Union[Tensor, number]): the first operand.
            other (Union[Tensor, number]): the second; shapes broadcast.

        Returns:
            Tensor of the broadcast shape and the common type.
        """
        ...
    def mm(self, mat2: Tensor) -> Tensor:
        """Product of two matrices.

        Args:
            input (Tensor): shape :math:`(N, K)`.
            mat2 (Tensor): shape :math:`(K, M)`, of the same type.

        Returns:
            Tensor of shape :math:`(N, M)`.
        """
        ...
    def moveaxis(self, source: Any, destination: Any) -> Tensor:
        """Move axes to other positions; the rest stay in order.

        Args:
            x (Tensor): any shape.
            source (Union[int, sequence[int]]): the axes to move.
            destination (Union[int, sequence[int]]): where each goes.

        Returns:
            Tensor, a view.
        """
        ...
    def movedim(self, source: Any, destination: Any) -> Tensor:
        """Move axes to other positions; the rest stay in order.

        Args:
            x (Tensor): any shape.
            source (Union[int, sequence[int]]): the axes to move.
            destination (Union[int, sequence[int]]): where each goes.

        Returns:
            Tensor, a view.
        """
        ...
    def msort(self) -> Tensor:
        """Sort along the first axis.

        Args:
            input (Tensor): one axis or more.

        Returns:
            Tensor.
        """
        ...
    def mul(self, other: Tensor | Number) -> Tensor:
        r"""Multiply, element by element: :math:`out_i = input_i \cdot other_i`.

        Args:
            input (Union[Tensor, number, bool]): the first factor.
            other (Union[Tensor, number, bool]): the second; shapes broadcast.

        Returns:
            Tensor of the broadcast shape and the common type; a number or a 0-d tensor does not
            widen the type within its category (float64 times a float32 tensor is float32).
        """
        ...
    def mul_(self, other: Any) -> Tensor:
        """Multiplied, in place; gradients flow through it.

        Args:
            input (Tensor): this tensor.
            other: see ``Tensor.mul``.

        Returns:
            This tensor.
        """
        ...
    def multinomial(self, num_samples: Any, replacement: Any = True, seed: Any = None) -> Tensor:
        """Draw indices in proportion to weights.

        Args:
            input (Tensor): weights, at least 0, of shape (classes,) or (rows, classes). A row of zeros
                gives its last index.
            num_samples (int): draws for each row; without `replacement` at most the classes.
            replacement (bool): whether an index may be drawn again. Default: True.
            seed (int): the operator's seed, at least 0. Default None: 0.

        Returns:
            Tensor of shape (num_samples,) or (rows, num_samples), int32.
        """
        ...
    def multiply(self, value: Tensor | Number) -> Tensor:
        r"""Multiply, element by element: :math:`out_i = input_i \cdot other_i`.

        Args:
            input (Union[Tensor, number, bool]): the first factor.
            value (Union[Tensor, number, bool]): the second; shapes broadcast.

        Returns:
            Tensor of the broadcast shape and the common type; a number or a 0-d tensor does not
            widen the type within its category (float64 times a float32 tensor is float32).
        """
        ...
    def mvlgamma(self, p: int) -> Tensor:
        r"""Logarithm of the multivariate gamma function of dimension p.

        :math:`\frac{p (p - 1)}{4} \ln \pi + \sum_{i=1}^p \ln \Gamma(x - \frac{i - 1}{2})`

        Args:
            input (Tensor): elements greater than :math:`(p - 1) / 2`.
            p (int): the dimension.

        Returns:
            Tensor of the shape of `input`.
        """
        ...
    def nan_to_num(self, nan: Any = None, posinf: Any = None, neginf: Any = None) -> Tensor:
        """Replace nan and infinite elements.

        Args:
            input (Tensor): any shape.
            nan (number): in place of nan. Default None: 0.
            posinf (number): in place of infinity. Default None: the largest number of the type.
            neginf (number): in place of minus infinity. Default None: the smallest number.

        Returns:
            Tensor of the same shape and type.
        """
        ...
    def nanmean(self, axis: Any = None, keepdims: bool = False, *, dtype: Any = None) -> Tensor:
        """Mean along axes of the elements that are not nan.

        Args:
            input (Tensor): any shape.
            axis (Union[None, int, tuple, list]): the axes. Default None: all.
            keepdims (bool): whether the axes stay, with size 1. Default: False.
            dtype (Type): the type of the result. Default: None.

        Returns:
            Tensor.
        """
        ...
    def nanmedian(self, axis: int = -1, keepdims: bool = False) -> tuple[Tensor, Tensor]:
        """Medians along an axis of the elements that are not nan, and their indices.

        Args:
            input (Tensor): any shape.
            axis (int): the axis. Default: -1.
            keepdims (bool): whether the axis stays, with size 1. Default: False.

        Returns:
            Tuple of values and indices (int64).
        """
        ...
    def nanquantile(self, q: Tensor | float, axis: int | None = None, keepdims: bool = False) -> Tensor:
        """Quantiles along an axis of the elements that are not nan; see :func:`ops.quantile`.

        Args:
            input (Tensor): float32 or float64, any shape.
            q (Union[float, Tensor]): where between 0 and 1, a number or several, 1-D.
            axis (int): the axis. Default None: all elements.
            keepdims (bool): whether the axis stays, with size 1. Default: False.

        Returns:
            Tensor; several `q` give a new first axis.
        """
        ...
    def nansum(self, axis: Any = None, keepdims: bool = False, *, dtype: Any = None, dim: Any = ..., keepdim: Any = ...) -> Tensor:
        """Sum along axes, nan counting as 0.

        Args:
            input (Tensor): any shape.
            axis (Union[None, int, tuple, list]): the axes. Default None: all.
            keepdims (bool): whether the axes stay, with size 1. Default: False.
            dtype (Type): the type of the result. Default: None.
            dim: another name of `axis`.
            keepdim: another name of `keepdims`.

        Returns:
            Tensor; integers keep their type.
        """
        ...
    def narrow(self, axis: int = ..., start: int = ..., length: int = ..., *, dim: Any = ...) -> Tensor:
        """A range of one axis.

        Args:
            input (Tensor): any shape.
            axis (int): the axis.
            start (int): where the range begins.
            length (int): how long it is.
            dim: another name of `axis`.

        Returns:
            Tensor, a view.
        """
        ...
    def ndimension(self) -> int:
        """The number of axes of a tensor.

        Args:
            input (Tensor): any tensor.

        Returns:
            int.
        """
        ...
    def ne(self, other: Tensor | Number) -> Tensor:
        r"""Whether one operand differs from the other, element by element: :math:`out_i = input_i \ne other_i`.

        Args:
            input (Union[Tensor, number, bool]): the left operand.
            other (Union[Tensor, number, bool]): the right operand; shapes broadcast. A
                number takes the tensor's type; a float beside integers stays a float.

        Returns:
            Tensor of bool, of the broadcast shape.
        """
        ...
    def neg(self) -> Tensor:
        """Negative, element by element: :math:`out_i = -input_i`.

        Args:
            input (Tensor): any shape; unsigned integers wrap around.

        Returns:
            Tensor of the same shape and type.
        """
        ...
    def neg_(self) -> Tensor:
        """Negative, in place; gradients flow through it.

        Args:
            input (Tensor): this tensor.

        Returns:
            This tensor.
        """
        ...
    def negative(self) -> Tensor:
        """Negative, element by element: :math:`out_i = -input_i`.

        Args:
            input (Tensor): any shape; unsigned integers wrap around.

        Returns:
            Tensor of the same shape and type.
        """
        ...
    def nelement(self) -> int:
        """The number of elements of a tensor.

        Args:
            input (Tensor): any tensor.

        Returns:
            int.
        """
        ...
    def new_empty(self, size: Any, *, dtype: Any = None, device: Any = None) -> Tensor:
        """A tensor whose values are not specified (zeros at present), of this tensor's type.

        Args:
            input (Tensor): this tensor.
            size (Union[int, tuple, list]): the shape.
            dtype (Type): the type. Default None: that of this tensor.
            device (str): where to put it. Default None: beside this tensor.

        Returns:
            Tensor of shape `size`.
        """
        ...
    def new_full(self, size: Any, fill_value: Number, *, dtype: Any = None) -> Tensor:
        """A tensor of one value, of this tensor's type and on its device.

        Args:
            input (Tensor): this tensor.
            size (Union[int, tuple, list]): the shape.
            fill_value (number): the value.
            dtype (Type): the type. Default None: that of this tensor.

        Returns:
            Tensor of shape `size`.
        """
        ...
    def new_ones(self, size: Any, dtype: Any = None) -> Tensor:
        """A tensor of ones, of this tensor's type and on its device.

        Args:
            size (Union[int, tuple, list]): the shape.
            dtype (Type): the type. Default None: that of this tensor.

        Returns:
            Tensor of shape `size`.
        """
        ...
    def new_tensor(self, data: Any, *, dtype: Any = None) -> Tensor:
        """A tensor with given values, of this tensor's type and on its device.

        Args:
            input (Tensor): this tensor.
            data (Union[number, list, tuple, ndarray, Tensor]): the values, copied.
            dtype (Type): the type. Default None: that of this tensor.

        Returns:
            Tensor.
        """
        ...
    def new_zeros(self, size: Any, dtype: Any = None) -> Tensor:
        """A tensor of zeros, of this tensor's type and on its device.

        Args:
            size (Union[int, tuple, list]): the shape.
            dtype (Type): the type. Default None: that of this tensor.

        Returns:
            Tensor of shape `size`.
        """
        ...
    def nextafter(self, other: Tensor | Number) -> Tensor:
        r"""Next number toward the second, element by element: :math:`out = x \to y`.

        Args:
            input (Union[Tensor, number]): :math:`x`.
            other (Union[Tensor, number]): :math:`y`; shapes broadcast.

        Returns:
            Tensor of the broadcast shape and the common type; integers give float32 where
            the function is not closed over them.
        """
        ...
    def nonzero(self, *, as_tuple: bool = False) -> Any:
        """Indices of the elements that are not zero.

        Args:
            input (Tensor): any shape.
            as_tuple (bool): whether to give one vector of indices for each axis. Default: False.

        Returns:
            Tensor of int64 of shape (N, rank); or a tuple of `rank` vectors.
        """
        ...
    def norm(self, ord: Any = None, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
        r"""Norm of vectors or matrices.

        Args:
            A (Tensor): any shape; integers are computed in float32.
            ord (Union[None, int, float, str]): which norm. None: the square root of the sum of squares.
                For vectors a number p: :math:`(\sum |x|^p)^{1/p}`, 0 counts what is not zero. For
                matrices ``"fro"``, ``"nuc"``, 1, -1, 2, -2, inf or -inf. Default: None.
            dim (Union[int, tuple]): one axis for vectors, two for matrices. Default None: all axes;
                with `ord`, `A` must be a vector or a matrix.
            keepdim (bool): whether the axes stay, with size 1. Default: False.
            dtype (Type): the type to compute in. Default: None.

        Returns:
            Tensor.
        """
        ...
    def normal_(self, mean: Any = 0, std: Any = 1, *, generator: Any = None) -> Tensor:
        """Fill a tensor with normal numbers.

        Args:
            input (Tensor): what is filled, of a floating type.
            mean (Union[number, Tensor]): the mean. Default: 0.
            std (Union[number, Tensor]): the standard deviation, at least 0. Default: 1.
            generator (Generator): the generator to draw from. Default None: the default generator.

        Returns:
            Tensor, `input` itself.
        """
        ...
    def not_equal(self, other: Tensor | Number) -> Tensor:
        r"""Whether one operand differs from the other, element by element: :math:`out_i = input_i \ne other_i`.

        Args:
            input (Union[Tensor, number, bool]): the left operand.
            other (Union[Tensor, number, bool]): the right operand; shapes broadcast. A
                number takes the tensor's type; a float beside integers stays a float.

        Returns:
            Tensor of bool, of the broadcast shape.
        """
        ...
    def numel(self) -> int:
        """The number of elements of a tensor.

        Args:
            input (Tensor): any tensor.

        Returns:
            int.
        """
        ...
    def orgqr(self, input2: Tensor) -> Tensor:
        """The first columns of Q from reflections, see :func:`ops.geqrf`.

        Args:
            input (Tensor): the reflections, shape :math:`(.., M, N)`.
            input2 (Tensor): their factors, shape :math:`(.., K)`.

        Returns:
            Tensor of shape :math:`(.., M, N)`.
        """
        ...
    def ormqr(self, input2: Tensor, input3: Tensor, left: bool = True, transpose: bool = False) -> Tensor:
        """Product of a matrix with the Q of reflections, see :func:`ops.geqrf`.

        Args:
            input (Tensor): the reflections, shape :math:`(.., M, N)`.
            input2 (Tensor): their factors, shape :math:`(.., K)`.
            input3 (Tensor): the matrix.
            left (bool): whether Q stands on the left. Default: True.
            transpose (bool): whether the conjugate transpose of Q is meant. Default: False.

        Returns:
            Tensor of the shape of `input3`.
        """
        ...
    def outer(self, vec2: Tensor) -> Tensor:
        r"""Outer product: :math:`out_{ij} = input_i\, vec2_j`.

        Args:
            input (Tensor): any shape, flattened.
            vec2 (Tensor): any shape, flattened.

        Returns:
            Tensor of shape (input.size, vec2.size) and the common type.
        """
        ...
    def permute(self, *order: Any, axis: Any = ..., dims: Any = ...) -> Tensor:
        """Arrange the axes in another order, as ints or as one tuple; see :func:`ops.permute`.

        Args:
            input (Tensor): any shape.
            *order (Union[int, tuple, list]): for each axis of the result the axis it is, as ints or as
                one tuple.
            axis: another name of `order`.
            dims: another name of `order`.
        """
        ...
    def positive(self) -> Tensor:
        """The input itself: :math:`out_i = +input_i`.

        Args:
            input (Tensor): any shape.

        Returns:
            Tensor over the same memory.
        """
        ...
    def pow(self, exponent: Tensor | Number) -> Tensor:
        """Power, element by element: :math:`out_i = input_i^{exponent_i}`.

        Args:
            input (Union[Tensor, number]): the base.
            exponent (Union[Tensor, number]): the exponent; shapes broadcast.

        Returns:
            Tensor of the broadcast shape and the common type; integers with a negative exponent
            give the truncated power.
        """
        ...
    def pow_(self, exponent: Any) -> Tensor:
        """Raised to a power, in place; gradients flow through it.

        Args:
            input (Tensor): this tensor.
            exponent: see ``Tensor.pow``.

        Returns:
            This tensor.
        """
        ...
    def prod(self, axis: Any = None, keep_dims: bool = False, dtype: Any = None, *, dim: Any = None, keepdim: bool = False) -> Tensor:
        """Product over axes; `dim` and `keepdim` mean `axis` and `keep_dims`. See :func:`ops.prod`.

        Args:
            input (Tensor): any shape.
            axis (Union[None, int, tuple, list]): the axes. Default None: all.
            keep_dims (bool): whether the axes stay, with size 1. Default: False.
            dtype (Type): the type to compute in and to return. Default None: that of `input`; int64
                for integers and bool.
            dim: another name of `axis`.
            keepdim: another name of `keep_dims`.
        """
        ...
    def ptp(self, axis: Any = None, keepdims: bool = False) -> Tensor:
        """The range along axes: the largest element minus the smallest.

        Args:
            input (Tensor): this tensor.
            axis (Union[None, int, tuple, list]): the axes. Default None: all.
            keepdims (bool): whether the axes stay, with size 1. Default: False.

        Returns:
            Tensor.
        """
        ...
    def put_(self, index: Tensor, source: Tensor, accumulate: bool = False) -> Tensor:
        """Elements of the flattened tensor replaced or added to, in place.

        Args:
            input (Tensor): this tensor.
            index (Tensor): integers, any shape.
            source (Tensor): as many elements.
            accumulate (bool): whether to add. Default: False.

        Returns:
            This tensor.
        """
        ...
    def qr(self, some: bool = True) -> tuple[Tensor, Tensor]:
        r"""QR decomposition, complete if `some` is False; see :func:`ops.qr`.

        Args:
            input (Tensor): shape :math:`(.., M, N)`.
            some (bool): whether Q has :math:`\min(M, N)` columns; with False it is square.
                Default: True.
        """
        ...
    def quantile(self, q: Tensor | float, axis: int | None = None, keepdims: bool = False) -> Tensor:
        """Quantiles along an axis, interpolated linearly.

        Args:
            input (Tensor): float32 or float64, any shape.
            q (Union[float, Tensor]): where between 0 and 1, a number or several, 1-D.
            axis (int): the axis. Default None: all elements.
            keepdims (bool): whether the axis stays, with size 1. Default: False.

        Returns:
            Tensor; several `q` give a new first axis.
        """
        ...
    def rad2deg(self) -> Tensor:
        r"""Radians to degrees: :math:`out_i = 180 x_i / \pi`.

        Args:
            x (Tensor): any shape.

        Returns:
            Tensor of the same shape; integers give float32.
        """
        ...
    def random_(self, from_: Any = 0, to: Any = None, *, generator: Any = None) -> Tensor:
        """Fill a tensor with integers, uniform in from_ .. to - 1.

        Args:
            input (Tensor): what is filled, of any real type.
            from_ (Union[int, Tensor]): the smallest value. Default: 0.
            to (Union[int, Tensor]): one more than the largest value. Default None: up to the largest
                value of an integer type, or to which a floating type holds all integers.
            generator (Generator): the generator to draw from. Default None: the default generator.

        Returns:
            Tensor, `input` itself.
        """
        ...
    def random_categorical(self, num_sample: Any, seed: Any = 0, dtype: Any = ...) -> Tensor:
        r"""Draw classes of probability :math:`e^{logits_k} / \sum_j e^{logits_j}`.

        All rows use the same uniform numbers.

        Args:
            logits (Tensor): shape (rows, classes); float16, float32 or float64.
            num_sample (int): draws for each row, at least 1.
            seed (int): the draw's seed; the global seed has no part in it. Default 0: the next seed
                pair of this name, entropy before any ``set_seed``.
            dtype (Type): int16, int32 or int64. Default: int64.

        Returns:
            Tensor of shape (rows, num_sample).
        """
        ...
    def ravel(self) -> Tensor:
        """Merge all axes into one.

        Args:
            input (Tensor): any shape.

        Returns:
            Tensor with one axis, a view where the layout allows.
        """
        ...
    def real(self) -> Tensor:
        r"""Real part: :math:`out_i = \Re(input_i)`.

        Args:
            input (Tensor): any shape.

        Returns:
            Tensor of the same shape; a real tensor is returned as it is.
        """
        ...
    def reciprocal(self) -> Tensor:
        """Reciprocal, element by element: :math:`out = 1 / x`.

        Args:
            input (Tensor): :math:`x`, of any shape.

        Returns:
            Tensor of the same shape; floating types are kept, integers and bool give float32.
        """
        ...
    def reciprocal_(self) -> Tensor:
        """Reciprocal, in place; gradients flow through it.

        Args:
            input (Tensor): this tensor.

        Returns:
            This tensor.
        """
        ...
    def remainder(self, other: Tensor | Number = ..., *, divisor: Any = ...) -> Tensor:
        r"""Remainder with the divisor's sign: :math:`out = input - \lfloor input/other \rfloor other`.

        Args:
            input (Union[Tensor, number, bool]): the dividend.
            other (Union[Tensor, number, bool]): the divisor; shapes broadcast.
            divisor: another name of `other`.

        Returns:
            Tensor of the broadcast shape and the common type.
        """
        ...
    def remainder_(self, other: Any) -> Tensor:
        """Remainder of a division that rounds down, in place; gradients flow through it.

        Args:
            input (Tensor): this tensor.
            other: see ``Tensor.remainder``.

        Returns:
            This tensor.
        """
        ...
    def renorm(self, p: float, axis: int, maxnorm: float) -> Tensor:
        """Scale the slices along an axis whose norm is too large down to it.

        Args:
            input (Tensor): a floating or complex type, one axis or more.
            p (number): the norm, positive.
            axis (int): the axis whose slices are measured.
            maxnorm (number): the largest norm.

        Returns:
            Tensor of the same shape.
        """
        ...
    def repeat(self, *times: Any, repeats: Any = ...) -> Tensor:
        """Repeat the whole tensor along its axes.

        Args:
            input (Tensor): this tensor.
            times (Union[int, tuple, list]): how often along each axis; at least as many as there
                are axes, more add leading ones. Also as `repeats`.
            repeats: another name of `times`.

        Returns:
            Tensor.
        """
        ...
    def repeat_interleave(self, repeats: Any, dim: int | None = None, *, output_size: int | None = None) -> Tensor:
        """Repeat every element, one after the other; see :func:`ops.repeat_interleave`.

        Args:
            input (Tensor): this tensor.
            repeats (Union[int, tuple, list, Tensor]): how often.
            dim (int): the axis. Default None: the tensor is flattened first.
            output_size (int): the size of the axis afterwards, checked if given. Default: None.

        Returns:
            Tensor.
        """
        ...
    def reshape(self, *sizes: Any, shape: Any = ...) -> Tensor:
        """Change the shape of a tensor, as ints or as one tuple; see :func:`ops.reshape`.

        Args:
            input (Tensor): any shape.
            *sizes (Union[int, tuple, list, Tensor]): the new sizes, or one tuple of them; one of them
                may be -1, which stands for what is left.
            shape: another name of `sizes`.
        """
        ...
    def reshape_as(self, other: Tensor) -> Tensor:
        """Change the shape to that of another tensor.

        Args:
            input (Tensor): any shape.
            other (Tensor): the tensor whose shape is used.

        Returns:
            Tensor of that shape, a view where the layout allows.
        """
        ...
    def resize(self, *size: Any, new_shape: Any = ...) -> Tensor:
        """A tensor of another size: surplus elements are cut off, missing ones are zeros.

        Args:
            input (Tensor): this tensor.
            size (Union[int, tuple[int]]): the shape, as numbers or as one tuple; also as `new_shape`.
            new_shape: another name of `size`.

        Returns:
            Tensor.
        """
        ...
    def reverse(self, axis: Any) -> Tensor:
        """Reverse the order along axes.

        Args:
            x (Tensor): any shape.
            axis (Union[tuple, list]): the axes; none changes nothing.

        Returns:
            Tensor, a copy.
        """
        ...
    def reverse_sequence(self, seq_lengths: Tensor, seq_dim: int = 0, batch_dim: int = 0) -> Tensor:
        """Reverse the beginning of each sequence; see :func:`ops.reverse_sequence`.

        Args:
            input (Tensor): any shape.
            seq_lengths (Tensor): how many elements to reverse, integers of shape (batch,).
            seq_dim (int): the axis of the sequences. Default: 0.
            batch_dim (int): the axis of the batch. Default: 0.
        """
        ...
    def roll(self, shifts: Any, dims: Any = None) -> Tensor:
        """Shift the elements along axes; those pushed off the end come in at the front.

        Args:
            input (Tensor): any shape.
            shifts (Union[int, tuple, list]): by how many places, for each axis.
            dims (Union[int, tuple, list]): the axes. Default None: `input` is taken as flat.

        Returns:
            Tensor of the same shape.
        """
        ...
    def rot90(self, k: int, dims: Any) -> Tensor:
        """Rotate the plane of two axes by multiples of 90 degrees.

        Args:
            input (Tensor): two axes or more.
            k (int): how many right angles, from the first toward the second axis.
            dims (Union[tuple, list]): the two axes.

        Returns:
            Tensor.
        """
        ...
    def round(self, decimals: int = 0) -> Tensor:
        """Nearest integer, halves to even; see :func:`ops.round`. `decimals` may be positional.

        Args:
            input (Tensor): any shape.
            decimals (int): digits after the point to keep; negative ones round before the point.
                Default: 0.
        """
        ...
    def round_(self) -> Tensor:
        """Rounded, halves to even, in place; gradients flow through it.

        Args:
            input (Tensor): this tensor.

        Returns:
            This tensor.
        """
        ...
    def rsqrt(self) -> Tensor:
        r"""Reciprocal square root, element by element: :math:`out = 1 / \sqrt{x}`.

        Args:
            input (Tensor): :math:`x`, of any shape.

        Returns:
            Tensor of the same shape; floating types are kept, integers and bool give float32.
        """
        ...
    def rsqrt_(self) -> Tensor:
        """Reciprocal square root, in place; gradients flow through it.

        Args:
            input (Tensor): this tensor.

        Returns:
            This tensor.
        """
        ...
    def scatter(self, dim: int | None = None, index: Tensor | None = None, src: Tensor | Number | None = None, reduce: str = 'none', *, axis: int | None = None) -> Tensor:
        """Write elements along an axis; `axis` means `dim`. See :func:`ops.scatter`.

        With `reduce` ``"add"`` or ``"multiply"`` they are added or multiplied instead.

        Args:
            input (Tensor): the tensor to start from; not changed.
            dim (int): the axis. Default: None, which is an error unless `axis` is given.
            index (Tensor): integers, of the rank of `input`. Default: None.
            src (Union[Tensor, number]): what to write, at least as large as `index`. Default: None.
            reduce (str): ``"none"`` replaces elements, ``"add"`` adds to them and ``"multiply"``
                multiplies them. Default: ``"none"``.
            axis (int): the axis. Default: None.
        """
        ...
    def scatter_(self, dim: int, index: Tensor, src: Tensor | Number = ..., *, reduce: str | None = None, value: Any = ...) -> Tensor:
        """Elements written along an axis, in place; see :func:`ops.scatter`.

        Args:
            input (Tensor): this tensor.
            dim (int): the axis.
            index (Tensor): integers, of the tensor's rank.
            src (Union[Tensor, number]): what to write, at least as large as `index`.
            reduce (str): ``"add"`` or ``"multiply"`` instead of writing. Default: None.
            value: another name of `src`.

        Returns:
            This tensor.
        """
        ...
    def scatter_add(self, dim: Tensor | Number = ..., index: Tensor = ..., src: Tensor | None = None, *, indices: Any = ..., updates: Any = ...) -> Tensor:
        """Add elements along an axis, ``scatter_add(dim, index, src)``, or slices.

        Args:
            input (Tensor): this tensor; not changed.
            dim (Union[int, Tensor]): the axis; or the places of slices, as in
                :func:`ops.tensor_scatter_add`.
            index (Tensor): the indices; or the slices.
            src (Tensor): what to add, in the first form. Default: None.
            indices: another name of `dim`.
            updates: another name of `index`.

        Returns:
            Tensor.
        """
        ...
    def scatter_add_(self, dim: int, index: Tensor, src: Tensor) -> Tensor:
        """Elements added along an axis, in place; see ``Tensor.scatter_add``.

        Args:
            input (Tensor): this tensor.
            dim (int): the axis.
            index (Tensor): integers, of the rank of `input`: where along the axis each element is
                added.
            src (Tensor): the elements, at least as large as `index` along every axis.

        Returns:
            This tensor.
        """
        ...
    def scatter_div(self, indices: Tensor, updates: Tensor) -> Tensor:
        """A copy of a tensor in which slices are divided.

        Args:
            input_x (Tensor): what to start from; it stays as it is.
            indices (Tensor): integers; the last axis holds the indices of the leading axes
                of `input_x`.
            updates (Tensor): the slices, of shape
                ``indices.shape[:-1] + input_x.shape[indices.shape[-1]:]``.

        Returns:
            Tensor of the shape and type of `input_x`. Of equal indices all count.
        """
        ...
    def scatter_max(self, indices: Tensor, updates: Tensor) -> Tensor:
        """A copy of a tensor in which slices are replaced where the update is larger.

        Args:
            input_x (Tensor): what to start from; it stays as it is.
            indices (Tensor): integers; the last axis holds the indices of the leading axes
                of `input_x`.
            updates (Tensor): the slices, of shape
                ``indices.shape[:-1] + input_x.shape[indices.shape[-1]:]``.

        Returns:
            Tensor of the shape and type of `input_x`. Of equal indices all count.
        """
        ...
    def scatter_min(self, indices: Tensor, updates: Tensor) -> Tensor:
        """A copy of a tensor in which slices are replaced where the update is smaller.

        Args:
            input_x (Tensor): what to start from; it stays as it is.
            indices (Tensor): integers; the last axis holds the indices of the leading axes
                of `input_x`.
            updates (Tensor): the slices, of shape
                ``indices.shape[:-1] + input_x.shape[indices.shape[-1]:]``.

        Returns:
            Tensor of the shape and type of `input_x`. Of equal indices all count.
        """
        ...
    def scatter_mul(self, indices: Tensor, updates: Tensor) -> Tensor:
        """A copy of a tensor in which slices are multiplied.

        Args:
            input_x (Tensor): what to start from; it stays as it is.
            indices (Tensor): integers; the last axis holds the indices of the leading axes
                of `input_x`.
            updates (Tensor): the slices, of shape
                ``indices.shape[:-1] + input_x.shape[indices.shape[-1]:]``.

        Returns:
            Tensor of the shape and type of `input_x`. Of equal indices all count.
        """
        ...
    def scatter_sub(self, indices: Tensor, updates: Tensor) -> Tensor:
        """A copy of a tensor in which slices are subtracted from.

        Args:
            input_x (Tensor): what to start from; it stays as it is.
            indices (Tensor): integers; the last axis holds the indices of the leading axes
                of `input_x`.
            updates (Tensor): the slices, of shape
                ``indices.shape[:-1] + input_x.shape[indices.shape[-1]:]``.

        Returns:
            Tensor of the shape and type of `input_x`. Of equal indices all count.
        """
        ...
    def searchsorted(self, v: Tensor | Number, side: str = 'left', sorter: Tensor | None = None) -> Tensor:
        """Where to insert values so that this tensor stays sorted; see :func:`ops.searchsorted`.

        Args:
            input (Tensor): ascending along the last axis.
            v (Union[Tensor, number]): the values; their leading axes are those of the sequence
                unless it has one axis.
            side (str): ``"left"`` or ``"right"``, the same as `right`. Default: 'left'.
            sorter (Tensor): places that sort the sequence, if it is not sorted. Default: None.
        """
        ...
    def select(self, condition: Tensor | int = ..., y: Tensor | Number = ..., *, dim: Any = ..., index: Any = ...) -> Tensor:
        """One slice along an axis, or this tensor where a condition is true.

        Args:
            input (Tensor): this tensor.
            condition (Union[int, Tensor]): the axis; or a bool Tensor.
            y (Union[int, number, Tensor]): the index on the axis; or the values where the condition is
                false.
            dim: another name of `condition`.
            index: another name of `y`.

        Returns:
            Tensor; a slice is a view.
        """
        ...
    def select_scatter(self, src: Tensor, axis: int, index: int) -> Tensor:
        """A copy in which one slice along an axis is replaced.

        Args:
            input (Tensor): the tensor to start from.
            src (Tensor): the slice.
            axis (int): the axis.
            index (int): which slice.

        Returns:
            Tensor of the shape and type of `input`.
        """
        ...
    def sgn(self) -> Tensor:
        """Sign; of complex numbers the direction, element by element: :math:`out = x / |x|`.

        Args:
            input (Tensor): :math:`x`, of any shape.

        Returns:
            Tensor of the same shape; the type is kept.
        """
        ...
    def short(self) -> Tensor:
        """The tensor converted to int16.

        Returns:
            Tensor of the same shape; over the same memory if it has that type already.
        """
        ...
    def sigmoid(self) -> Tensor:
        """Logistic function: :math:`out_i = 1 / (1 + e^{-input_i})`.

        Args:
            input (Tensor): floating point or complex, any shape.

        Returns:
            Tensor of the input's shape and dtype.
        """
        ...
    def sigmoid_(self) -> Tensor:
        """Logistic function, in place; gradients flow through it.

        Args:
            input (Tensor): this tensor.

        Returns:
            This tensor.
        """
        ...
    def sign(self) -> Tensor:
        r"""Sign, of complex numbers the direction, element by element: :math:`out = -1, 0 \text{ or } 1`.

        Args:
            input (Tensor): :math:`x`, of any shape.

        Returns:
            Tensor of the same shape; the type is kept.
        """
        ...
    def sign_(self) -> Tensor:
        """Sign, in place; gradients flow through it.

        Args:
            input (Tensor): this tensor.

        Returns:
            This tensor.
        """
        ...
    def signbit(self) -> Tensor:
        """Whether the sign of an element is minus, element by element: :math:`out = x < 0`.

        Args:
            input (Tensor): :math:`x`, of any shape.

        Returns:
            Tensor of the same shape; bool.
        """
        ...
    def sin(self) -> Tensor:
        r"""Sine of radians, element by element: :math:`out = \sin x`.

        Args:
            input (Tensor): :math:`x`, of any shape.

        Returns:
            Tensor of the same shape; floating types are kept, integers and bool give float32.
        """
        ...
    def sin_(self) -> Tensor:
        """Sine, in place; gradients flow through it.

        Args:
            input (Tensor): this tensor.

        Returns:
            This tensor.
        """
        ...
    def sinc(self) -> Tensor:
        r"""Normalized sinc function, element by element: :math:`out = \sin(\pi x) / (\pi x)`.

        Args:
            input (Tensor): :math:`x`, of any shape.

        Returns:
            Tensor of the same shape; floating types are kept, integers and bool give float32.
        """
        ...
    def sinh(self) -> Tensor:
        """Hyperbolic sine, element by element: :math:`out = (e^x - e^{-x}) / 2`.

        Args:
            input (Tensor): :math:`x`, of any shape.

        Returns:
            Tensor of the same shape; floating types are kept, integers and bool give float32.
        """
        ...
    def slice_scatter(self, src: Tensor, axis: int = 0, start: int | None = None, end: int | None = None, step: int = 1) -> Tensor:
        """A copy in which a range along an axis is replaced.

        Args:
            input (Tensor): the tensor to start from.
            src (Tensor): the range.
            axis (int): the axis. Default: 0.
            start (int): where the range begins. Default None: 0.
            end (int): where it ends. Default None: the end.
            step (int): its steps. Default: 1.

        Returns:
            Tensor of the shape and type of `input`.
        """
        ...
    def slogdet(self) -> tuple[Tensor, Tensor]:
        """Sign and logarithm of the absolute value of the determinant.

        Args:
            input (Tensor): shape :math:`(.., N, N)`.

        Returns:
            Tuple of two Tensors of shape :math:`(..)`.
        """
        ...
    def soft_shrink(self, lambd: float = 0.5) -> Tensor:
        r"""Shrink elements toward zero: :math:`out_i = sign(x_i) \max(|x_i| - \lambda, 0)`.

        Args:
            input (Tensor): floating point, any shape.
            lambd (Union[int, float]): :math:`\lambda`, not negative. Default: 0.5.

        Returns:
            Tensor of the input's shape and dtype.
        """
        ...
    def softmax(self, axis: int, dtype: Any = None) -> Tensor:
        """Softmax along an axis; see ``ops.softmax``. Here `axis` has no default.

        Args:
            input (Tensor): floating point, rank 1 or more.
            axis (int): the axis whose elements sum to one.
            dtype (mindspore.dtype): the input is cast to it first. Default: None.
        """
        ...
    def sort(self, axis: int = -1, descending: bool = False, stable: bool = False, *, dim: int | None = None) -> tuple[Tensor, Tensor]:
        """Sort along an axis; `dim` means `axis`, `stable` is always so. See :func:`ops.sort`.

        Args:
            input (Tensor): any shape.
            axis (int): the axis. Default: -1.
            descending (bool): whether the largest come first. Default: False.
            stable (bool): accepted: equal elements always keep their order. Default: False.
            dim: another name of `axis`.
        """
        ...
    def split(self, split_size_or_sections: Any = None, axis: int = 0, *, dim: int | None = None, split_size: Any = None) -> tuple[Tensor, ...]:
        """Cut into parts along an axis; `dim` and `split_size` mean the same. See :func:`ops.split`.

        Args:
            input (Tensor): any shape.
            split_size_or_sections (Union[int, tuple, list]): the size of each part, the last may be
                smaller; or the sizes of all parts. Default: None.
            axis (int): the axis. Default: 0.
            dim: another name of `axis`.
            split_size (Union[int, tuple, list]): another name of `split_size_or_sections`.
                Default: None.
        """
        ...
    def sqrt(self) -> Tensor:
        r"""Square root, element by element: :math:`out_i = \sqrt{x_i}`.

        Args:
            x (Tensor): any shape; negative elements give nan.

        Returns:
            Tensor of the same shape; floating types are kept, integers and bool give float32.
        """
        ...
    def sqrt_(self) -> Tensor:
        """Square root, in place; gradients flow through it.

        Args:
            input (Tensor): this tensor.

        Returns:
            This tensor.
        """
        ...
    def square(self) -> Tensor:
        """Square, element by element: :math:`out_i = input_i^2`.

        Args:
            input (Tensor): any shape.

        Returns:
            Tensor of the same shape and type (bool gives int64).
        """
        ...
    def square_(self) -> Tensor:
        """Square, in place; gradients flow through it.

        Args:
            input (Tensor): this tensor.

        Returns:
            This tensor.
        """
        ...
    def squeeze(self, axis: Any = None) -> Tensor:
        """Remove axes of size 1.

        Args:
            input (Tensor): any shape.
            axis (Union[int, tuple, list]): the axes to leave out, where their size is 1; None or an
                empty tuple for all of size 1. Default: None.

        Returns:
            Tensor, a view.
        """
        ...
    def std(self, axis: Any = None, ddof: Any = 0, keepdims: bool = False, *, dim: Any = None, correction: int | None = None, keepdim: bool = False) -> Tensor:
        """Standard deviation along axes; see :func:`ops.std`.

        Args:
            input (Tensor): this tensor.
            axis (Union[None, int, tuple, list]): the axes. Default None: all.
            ddof (Union[int, bool]): what is taken from N in the divisor. Default: 0.
            keepdims (bool): whether the axes stay; `keepdim` means the same.
                Default: False.
            dim (Union[None, int, tuple, list]): as `axis`. Default: None.
            correction (int): as `ddof`. Default None: 0.
            keepdim (bool): see `keepdims`. Default: False.

        Returns:
            Tensor.
        """
        ...
    def storage_offset(self) -> int:
        """The place in its memory, in elements, of a tensor.

        Args:
            input (Tensor): any tensor.

        Returns:
            int.
        """
        ...
    def stride(self, dim: int | None = None) -> Any:
        """The strides: the number of elements to step over along each axis, or along one.

        Args:
            input (Tensor): this tensor.
            dim (int): the axis. Default None: all.

        Returns:
            List of ints, or an int.
        """
        ...
    def sub(self, other: Tensor | Number = ..., *, alpha: float = 1, y: Any = ...) -> Tensor:
        r"""Subtract a multiple, element by element: :math:`out_i = input_i - alpha \cdot other_i`.

        Args:
            input (Union[Tensor, number]): the minuend.
            other (Union[Tensor, number]): the subtrahend; shapes broadcast.
            alpha (number): the factor. Default: 1.
            y: another name of `other`.

        Returns:
            Tensor of the broadcast shape and the common type.
        """
        ...
    def sub_(self, other: Any = ..., alpha: Any = 1, *, y: Any = ...) -> Tensor:
        """A value subtracted, in place; gradients flow through it.

        Args:
            input (Tensor): this tensor.
            other: see ``Tensor.sub``.
            alpha: see ``Tensor.sub``.
            y: another name of `other`.

        Returns:
            This tensor.
        """
        ...
    def subtract(self, other: Tensor | Number = ..., *, alpha: float = 1, y: Any = ...) -> Tensor:
        r"""Subtract a multiple, element by element: :math:`out_i = input_i - alpha \cdot other_i`.

        Args:
            input (Union[Tensor, number]): the minuend.
            other (Union[Tensor, number]): the subtrahend; shapes broadcast.
            alpha (number): the factor. Default: 1.
            y: another name of `other`.

        Returns:
            Tensor of the broadcast shape and the common type.
        """
        ...
    def sum(self, axis: Any = None, second: Any = None, keepdims: bool = False, initial: Any = None, *, dtype: Any = None, dim: Any = None, keepdim: bool = False) -> Tensor:
        """Sum over axes.

        Args:
            input (Tensor): this tensor.
            axis (Union[None, int, tuple, list]): the axes; `dim` means the same. Default None: all.
            second (Union[Type, bool]): in the second place, `dtype` or `keepdim`. Default: None.
            keepdims (bool): whether the axes stay, with size 1; `keepdim` means the same.
                Default: False.
            initial (number): what is added to the sum. Default: None.
            dtype (Type): the type of the result. Default: None.
            dim (Union[None, int, tuple, list]): see `axis`. Default: None.
            keepdim (bool): see `keepdims`. Default: False.

        Returns:
            Tensor.
        """
        ...
    def sum_to_size(self, *sizes: Any, size: Any = ...) -> Tensor:
        """Sum over the axes along which a tensor of the given size would be broadcast.

        Args:
            input (Tensor): this tensor.
            sizes (Union[int, tuple[int]]): the shape, as numbers or as one tuple; also as `size`.
            size: another name of `sizes`.

        Returns:
            Tensor of that shape.
        """
        ...
    def svd(self, full_matrices: bool = False, compute_uv: bool = True) -> Any:
        r"""Singular value decomposition: :math:`input = U \operatorname{diag}(S) V^H`.

        Args:
            input (Tensor): shape :math:`(.., M, N)`.
            full_matrices (bool): whether U and V are square. Default: False.
            compute_uv (bool): whether to give U and V too. Default: True.

        Returns:
            Tuple of S, U and V; S alone if `compute_uv` is False.
        """
        ...
    def swapaxes(self, axis0: int, axis1: int) -> Tensor:
        """Swap two axes.

        Args:
            input (Tensor): any shape.
            axis0 (int): one axis.
            axis1 (int): the other.

        Returns:
            Tensor, a view.
        """
        ...
    def swapdims(self, dim0: int, dim1: int) -> Tensor:
        """Swap two axes.

        Args:
            input (Tensor): any shape.
            dim0 (int): one axis.
            dim1 (int): the other.

        Returns:
            Tensor, a view.
        """
        ...
    def t(self) -> Tensor:
        """Swap the two axes of a matrix; other tensors are returned as they are.

        Args:
            input (Tensor): any shape.

        Returns:
            Tensor, a view.
        """
        ...
    def take(self, indices: Tensor = ..., axis: int | None = None, mode: str = 'clip', *, index: Any = ...) -> Tensor:
        """Elements of the flattened tensor, or slices along an axis.

        Args:
            input (Tensor): this tensor.
            indices (Tensor): integers, any shape.
            axis (int): the axis. Default None: the tensor is flattened first.
            mode (str): what to do with indices out of range: ``"clip"`` takes the nearest, ``"wrap"``
                counts on from the start, ``"raise"`` raises. Negative indices count from the end.
                Default: ``"clip"``.
            index: another name of `indices`.

        Returns:
            Tensor.
        """
        ...
    def tan(self) -> Tensor:
        r"""Tangent of radians, element by element: :math:`out = \tan x`.

        Args:
            input (Tensor): :math:`x`, of any shape.

        Returns:
            Tensor of the same shape; floating types are kept, integers and bool give float32.
        """
        ...
    def tanh(self) -> Tensor:
        r"""Hyperbolic tangent, element by element: :math:`out = \tanh x`.

        Args:
            input (Tensor): :math:`x`, of any shape.

        Returns:
            Tensor of the same shape; floating types are kept, integers and bool give float32.
        """
        ...
    def tanh_(self) -> Tensor:
        """Hyperbolic tangent, in place; gradients flow through it.

        Args:
            input (Tensor): this tensor.

        Returns:
            This tensor.
        """
        ...
    def tensor_split(self, indices_or_sections: Any, axis: int = 0) -> tuple[Tensor, ...]:
        """Cut into a number of nearly equal parts, or at given indices.

        Args:
            input (Tensor): any shape.
            indices_or_sections (Union[int, tuple, list]): the number of parts, or the indices to cut
                at.
            axis (int): the axis. Default: 0.

        Returns:
            Tuple of Tensors, views.
        """
        ...
    def tile(self, *counts: Any, dims: Any = ..., reps: Any = ...) -> Tensor:
        """Repeat the whole tensor along its axes, counts as ints or one tuple; see :func:`ops.tile`.

        Args:
            input (Tensor): any shape.
            *counts (Union[int, tuple]): how often along each axis, counted from the last; or one tuple.
            dims: another name of `counts`.
            reps: another name of `counts`.
        """
        ...
    def to(self, first: Tensor | Any = None, second: Any = None, *flags: bool, device: Any = None, dtype: Any = None, other: Tensor | None = None, non_blocking: bool = False, copy: bool = False) -> Tensor:
        """Convert to another type, or move to another device, or both.

        ``to(dtype)``, ``to(device)``, ``to(device, dtype)`` and ``to(other)`` are the forms.

        Args:
            input (Tensor): this tensor.
            first (Union[Type, str, Tensor]): a type, a device or another tensor. Default: None.
            second (Type): the type behind a device. Default: None.
            flags (bool): `non_blocking` and `copy` by position.
            device (str): for example ``"CPU"``, ``"GPU"`` or ``"GPU:1"``. Default: None.
            dtype (Type): the new type. Default: None.
            other (Tensor): a tensor whose type and device to take. Default: None.
            non_blocking (bool): whether a copy between devices may run beside the program.
                Default: False.
            copy (bool): whether to copy where nothing changes. Default: False.

        Returns:
            Tensor; over the same memory if nothing changes and `copy` is False.
        """
        ...
    def top_k(self, k: Any, sorted: bool = True) -> tuple[Tensor, Tensor]:
        """The k largest elements along the last axis; see :func:`ops.topk`.

        Args:
            input_x (Tensor): any shape.
            k (Union[int, Tensor]): how many.
            sorted (bool): whether they come in order. Default: True.

        Returns:
            Tuple of values and indices (int32).
        """
        ...
    def topk(self, k: Any, dim: int | None = None, largest: bool = True, sorted: bool = True) -> tuple[Tensor, Tensor]:
        """The k largest or smallest elements along an axis; see :func:`ops.topk`.

        Args:
            input (Tensor): any shape.
            k (Union[int, Tensor]): how many; it may depend on the data.
            dim (int): the axis. Default None: the last.
            largest (bool): the largest, else the smallest. Default: True.
            sorted (bool): whether they come in order. Default: True.
        """
        ...
    def trace(self, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None) -> Tensor:
        """Sum of a diagonal of the plane of two axes.

        Args:
            input (Tensor): this tensor.
            offset (int): which diagonal. Default: 0.
            axis1 (int): the first axis. Default: 0.
            axis2 (int): the second axis. Default: 1.
            dtype (Type): the type of the result. Default None: int64 for integers and bool, that of the
                tensor otherwise.

        Returns:
            Tensor.
        """
        ...
    def transpose(self, *order: Any, axes: Any = ..., dim0: Any = ..., dim1: Any = ...) -> Tensor:
        """Arrange the axes in another order.

        Args:
            input (Tensor): this tensor.
            order (Union[int, tuple, list]): nothing reverses the axes; two ints swap these two; more,
                or one tuple or list, name for each axis of the result the axis it is. Also as `axes`,
                or as `dim0` and `dim1`.
            axes: another name of `order`.
            dim0: another name of `order`.
            dim1: another name of `order`.

        Returns:
            Tensor, a view.
        """
        ...
    def triangular_solve(self, A: Tensor, upper: bool = True, transpose: bool = False, unitriangular: bool = False) -> tuple[Tensor, Tensor]:
        r"""Solution of triangular equations, and the matrix: :math:`A \cdot out = b`.

        Args:
            b (Tensor): shape :math:`(.., N, K)`.
            A (Tensor): shape :math:`(.., N, N)`, of the same type; the other triangle does not count.
            upper (bool): whether the upper triangle is meant, else the lower. Default: True.
            transpose (bool): whether the transpose of `A` is meant. Default: False.
            unitriangular (bool): whether the diagonal is taken as ones. Default: False.

        Returns:
            Tuple of the solution and `A`.
        """
        ...
    def tril(self, diagonal: int = 0) -> Tensor:
        """The lower triangle of matrices, zeros above.

        Args:
            input (Tensor): two axes or more.
            diagonal (int): the last diagonal that is kept, 0 the main one, 1 the one above it.
                Default: 0.

        Returns:
            Tensor of the same shape.
        """
        ...
    def triu(self, diagonal: int = 0) -> Tensor:
        """The upper triangle of matrices, zeros below.

        Args:
            input (Tensor): two axes or more.
            diagonal (int): the first diagonal that is kept, 0 the main one, 1 the one above it.
                Default: 0.

        Returns:
            Tensor of the same shape.
        """
        ...
    def true_divide(self, other: Tensor | Number) -> Tensor:
        """Divide, element by element: :math:`out_i = dividend_i / divisor_i`.

        Args:
            dividend (Union[Tensor, number, bool]): the dividend.
            other (Union[Tensor, number, bool]): the divisor; shapes broadcast.

        Returns:
            Tensor of the broadcast shape; integers give float32.
        """
        ...
    def trunc(self) -> Tensor:
        r"""Integer part, element by element: :math:`out = \operatorname{sign}(x) \lfloor |x| \rfloor`.

        Args:
            input (Tensor): :math:`x`, of any shape.

        Returns:
            Tensor of the same shape; the type is kept.
        """
        ...
    def trunc_(self) -> Tensor:
        """Rounded toward zero, in place; gradients flow through it.

        Args:
            input (Tensor): this tensor.

        Returns:
            This tensor.
        """
        ...
    def type(self, dtype: Any = None) -> Any:
        """Convert to another type, or return the name of the type.

        Args:
            input (Tensor): this tensor.
            dtype (Union[Type, str]): the new type. Default: None.

        Returns:
            Tensor of the new type; without `dtype` the type's name as a str, such as
            ``"Float32"``.
        """
        ...
    def type_as(self, other: Tensor) -> Tensor:
        """Convert to the type of another tensor.

        Args:
            input (Tensor): what to convert.
            other (Tensor): whose type to take.

        Returns:
            Tensor of the shape of `input`.
        """
        ...
    def unbind(self, dim: int = 0) -> tuple[Tensor, ...]:
        """The slices along an axis, which disappears.

        Args:
            input (Tensor): one axis or more.
            dim (int): the axis. Default: 0.

        Returns:
            Tuple of Tensors, views.
        """
        ...
    def unfold(self, kernel_size: int | Sequence[int], dilation: int | Sequence[int] = 1, padding: int | Sequence[int] = 0, stride: int | Sequence[int] = 1) -> Tensor:
        r"""Patches of images as columns.

        Args:
            input (Tensor): shape :math:`(N, C, H, W)`.
            kernel_size (Union[int, tuple[int], list[int]]): size of a patch.
            dilation (Union[int, tuple[int], list[int]]): distance between its elements. Default: 1.
            padding (Union[int, tuple[int], list[int]]): zeros on both sides. Default: 0.
            stride (Union[int, tuple[int], list[int]]): step from patch to patch. Default: 1.

        Returns:
            Tensor of shape :math:`(N, C \cdot K_h K_w, patches)`.
        """
        ...
    def uniform(self, from_: Any = 0.0, to: Any = 1.0, generator: Any = None) -> Tensor:
        """Draw uniform numbers in [from_, to) in the shape of a tensor, which keeps its values.

        Args:
            input (Tensor): gives shape, type and device; of a floating type.
            from_ (number): lower bound. Default: 0.0.
            to (number): upper bound. Default: 1.0.
            generator (Generator): the generator to draw from. Default None: the default generator.

        Returns:
            Tensor like `input`.
        """
        ...
    def uniform_(self, from_: Any = 0, to: Any = 1, *, generator: Any = None) -> Tensor:
        """Fill a tensor with uniform numbers in [from_, to).

        Args:
            input (Tensor): what is filled, of a floating type.
            from_ (Union[number, Tensor]): lower bound. Default: 0.
            to (Union[number, Tensor]): upper bound. Default: 1.
            generator (Generator): the generator to draw from. Default None: the default generator.

        Returns:
            Tensor, `input` itself.
        """
        ...
    def unique(self, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None) -> Any:
        """The unique elements, or slices along an axis.

        Args:
            input (Tensor): any shape.
            sorted (bool): whether they come in ascending order; they always do. Default: True.
            return_inverse (bool): whether to tell the place of every element. Default: False.
            return_counts (bool): whether to tell how often each occurs. Default: False.
            dim (int): the axis. Default None: single elements.

        Returns:
            Tensor, or a tuple with the further tensors (int64).
        """
        ...
    def unique_consecutive(self, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None) -> Any:
        """The elements without consecutive duplicates.

        Args:
            input (Tensor): any shape.
            return_inverse (bool): whether to tell the place of every element. Default: False.
            return_counts (bool): whether to tell how long each run is. Default: False.
            dim (int): the axis. Default None: the flattened tensor.

        Returns:
            Tensor, or a tuple with the further tensors (int64).
        """
        ...
    def unique_with_pad(self, pad_num: int) -> tuple[Tensor, Tensor]:
        """The unique elements in order of first occurrence, filled up to the input's size.

        Args:
            x (Tensor): integers, 1-D.
            pad_num (int): what to fill with.

        Returns:
            Tuple of the elements and, for each element of `x`, its place among them; both of the
            type of `x`.
        """
        ...
    def unsorted_segment_max(self, segment_ids: Tensor, num_segments: Any) -> Tensor:
        """Largest element of the rows of each segment: :math:`out_s` over the i with :math:`ids_i = s`.

        Args:
            x (Tensor): the rows.
            segment_ids (Tensor): integers whose shape is that of the first axes of
                `x`; a negative number leaves its row out.
            num_segments (Union[int, Tensor]): the number of segments.

        Returns:
            Tensor of the type of `x` with `num_segments` rows. A segment without
            rows gives the smallest number of the type.
        """
        ...
    def unsorted_segment_min(self, segment_ids: Tensor, num_segments: Any) -> Tensor:
        """Smallest element of the rows of each segment: :math:`out_s` over the i with :math:`ids_i = s`.

        Args:
            x (Tensor): the rows.
            segment_ids (Tensor): integers whose shape is that of the first axes of
                `x`; a negative number leaves its row out.
            num_segments (Union[int, Tensor]): the number of segments.

        Returns:
            Tensor of the type of `x` with `num_segments` rows. A segment without
            rows gives the largest number of the type.
        """
        ...
    def unsorted_segment_prod(self, segment_ids: Tensor, num_segments: Any) -> Tensor:
        """Product of the rows of each segment: :math:`out_s` over the i with :math:`ids_i = s`.

        Args:
            x (Tensor): the rows.
            segment_ids (Tensor): integers whose shape is that of the first axes of
                `x`; a negative number leaves its row out.
            num_segments (Union[int, Tensor]): the number of segments.

        Returns:
            Tensor of the type of `x` with `num_segments` rows. A segment without
            rows gives 1.
        """
        ...
    def unsqueeze(self, dim: int = ..., *, axis: Any = ...) -> Tensor:
        """Insert an axis of size 1.

        Args:
            input (Tensor): any shape.
            dim (int): where the new axis goes.
            axis: another name of `dim`.

        Returns:
            Tensor with one axis more, a view.
        """
        ...
    def var(self, axis: Any = None, ddof: Any = 0, keepdims: bool = False, *, dim: Any = None, correction: int | None = None, keepdim: bool = False) -> Tensor:
        """Variance along axes; see :func:`ops.var`.

        Args:
            input (Tensor): this tensor.
            axis (Union[None, int, tuple, list]): the axes. Default None: all.
            ddof (Union[int, bool]): what is taken from N in the divisor. Default: 0.
            keepdims (bool): whether the axes stay; `keepdim` means the same.
                Default: False.
            dim (Union[None, int, tuple, list]): as `axis`. Default: None.
            correction (int): as `ddof`. Default None: 1 with `dim` or `keepdim`, else 0.
            keepdim (bool): see `keepdims`. Default: False.

        Returns:
            Tensor.
        """
        ...
    def view(self, *sizes: Any, shape: Any = ..., dtype: Any = ...) -> Tensor:
        """Change the shape of a tensor, or read their bytes as another type.

        Args:
            input (Tensor): this tensor.
            sizes (Union[int, tuple, list, Type]): the new shape, or a type; also as `shape` and
                `dtype`.
            shape: another name of `sizes`.
            dtype: another name of `sizes`.

        Returns:
            Tensor of that shape or type; a view where the layout allows.
        """
        ...
    def view_as(self, other: Tensor) -> Tensor:
        """Change the shape to that of another tensor.

        Args:
            input (Tensor): any shape.
            other (Tensor): the tensor whose shape is used.

        Returns:
            Tensor of that shape, a view where the layout allows.
        """
        ...
    def vsplit(self, indices_or_sections: Any) -> tuple[Tensor, ...]:
        """Cut along the first axis; see :func:`ops.tensor_split`.

        Args:
            input (Tensor): 1 axis or more.
            indices_or_sections (Union[int, tuple, list]): the number of parts, or the
                places to cut.

        Returns:
            Tuple of Tensors, views.
        """
        ...
    def where(self, condition: Tensor, y: Tensor | Number = ..., *, other: Any = ...) -> Tensor:
        """This tensor where the condition is true, else `y`; see :func:`ops.where`.

        Args:
            input (Union[Tensor, number]): the values where the condition is true.
            condition (Tensor): bool.
            y (Union[Tensor, number]): the values where it is false; shapes broadcast.
            other: another name of `y`.
        """
        ...
    def xdivy(self, y: Tensor | Number) -> Tensor:
        """Quotient, 0 where the dividend is 0; see :func:`ops.xdivy`.

        Args:
            input (Union[Tensor, number]): the dividend.
            y (Union[Tensor, number]): the divisor; shapes broadcast.
        """
        ...
    def xlogy(self, other: Tensor | Number) -> Tensor:
        r"""Product with a logarithm: :math:`input_i \ln other_i`, 0 where `input` is 0.

        Args:
            input (Union[Tensor, number]): the factor.
            other (Union[Tensor, number]): the logarithm's argument; shapes broadcast.

        Returns:
            Tensor of the broadcast shape; integers give float32.
        """
        ...
    def zero_(self) -> Tensor:
        """Set to zero, in place; gradients flow through it.

        Args:
            input (Tensor): this tensor.

        Returns:
            This tensor.
        """
        ...
    @property
    def H(self) -> Tensor:
        """The matrix with its axes swapped and its values conjugated."""
        ...
    @property
    def T(self) -> Tensor:
        """The tensor with its axes in reverse order, a view."""
        ...
    @property
    def mH(self) -> Tensor:
        """The tensor with its last two axes swapped and its values conjugated."""
        ...
    @property
    def mT(self) -> Tensor:
        """The tensor with its last two axes swapped, a view."""
        ...
