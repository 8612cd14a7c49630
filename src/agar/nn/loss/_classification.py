"""Losses of classes: scores or probabilities against labels."""

from __future__ import annotations

from typing import Any

from agar import ops
from agar._core.random import Stream
from agar._core.random.index_draws import uniform_candidates
from agar._core.tensor import Tensor
from agar.nn._checks import boolean, integer
from agar.nn.loss._base import LossBase
from agar.ops._layers import layer_binding
from agar.ops.nn import loss_layers
from agar.ops.nn.loss_classification import KL_REDUCTIONS

__all__ = [
    "BCELoss",
    "BCEWithLogitsLoss",
    "CTCLoss",
    "CrossEntropyLoss",
    "KLDivLoss",
    "MultiLabelSoftMarginLoss",
    "NLLLoss",
    "SampledSoftmaxLoss",
    "SoftmaxCrossEntropyWithLogits",
]

_sampled_softmax = layer_binding(
    "SampledSoftmaxLoss", loss_layers.sampled_softmax, "SampledSoftmaxLoss"
)


_softmax_cross_entropy = layer_binding(
    "SoftmaxCrossEntropyWithLogits",
    loss_layers.softmax_cross_entropy,
    "SoftmaxCrossEntropyWithLogits",
)


class CrossEntropyLoss(LossBase):
    r"""Cross entropy between logits and class indices or class probabilities.

    With indices :math:`y`: :math:`l_n = -w_{y_n} \log \mathrm{softmax}(x_n)_{y_n}`; the mean
    divides by the weights of the samples that are not ignored. With probabilities :math:`p`:
    :math:`l_n = -\sum_c w_c p_{n,c} \log \mathrm{softmax}(x_n)_c`.

    Args:
        weight (Tensor): a factor per class, shape :math:`(C,)`. Default: None.
        ignore_index (int): an index whose samples are ignored. Default: -100.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.
        label_smoothing (float): the fraction of the target that is spread evenly over all classes.
            Default: 0.0.

    Inputs:
        - **logits** (Tensor) - scores, shape :math:`(C,)`, :math:`(N, C)` or
          :math:`(N, C, d_1, ...)`.
        - **labels** (Tensor) - indices of an integer type, shape :math:`()`, :math:`(N,)` or
          :math:`(N, d_1, ...)`; or probabilities of the shape of `logits`.

    Outputs: Tensor: a number, or with ``"none"`` the shape of the indices.

    Raises:
        TypeError: `weight` is not a Tensor, or `ignore_index` is not an int.
        ValueError: the reduction or smoothing is not allowed, or shapes do not fit.
        RuntimeError: a class index does not exist.

    Difference from PyTorch: the indices may have any integer type.

    Source: behavior observed in MindSpore 2.10, which wants int32 indices here.

    Examples:
        >>> import agar as ms
        >>> logits = ms.Tensor([[1.0, 2.0], [0.0, 0.0]])
        >>> print(ms.nn.CrossEntropyLoss()(logits, ms.Tensor([1, 0])))
        0.5032044
    """

    def __init__(
        self,
        weight: Tensor | None = None,
        ignore_index: int = -100,
        reduction: str = "mean",
        label_smoothing: float = 0.0,
    ) -> None:
        super().__init__(reduction)
        self._keep("weight", weight)
        self.ignore_index = integer("CrossEntropyLoss", "ignore_index", ignore_index)
        if not isinstance(label_smoothing, (int, float)) or not 0 <= label_smoothing <= 1:
            raise ValueError(
                "For 'CrossEntropyLoss', the 'label_smoothing' must be in range of [0.0, 1.0], "
                f"but got {label_smoothing!r}."
            )
        self.label_smoothing = label_smoothing

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        return ops.cross_entropy(
            logits, labels, self.weight, self.ignore_index, self.reduction, self.label_smoothing
        )


class NLLLoss(LossBase):
    r"""Negative log likelihood of classes: :math:`l_n = -w_{y_n} x_{n, y_n}`.

    Args:
        weight (Tensor): a factor per class, shape :math:`(C,)`. Default: None.
        ignore_index (int): an index whose samples are ignored. Default: -100.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Inputs:
        - **logits** (Tensor) - log probabilities x, shape :math:`(C,)`, :math:`(N, C)` or
          :math:`(N, C, d_1, ...)`.
        - **labels** (Tensor) - class indices y of an integer type, shape :math:`()`,
          :math:`(N,)` or :math:`(N, d_1, ...)`.

    Outputs: Tensor: a number, or with ``"none"`` the shape of `labels`.

    Raises:
        TypeError: `weight` is not a Tensor, `ignore_index` is not an int, or `labels` not of an
            integer type.
        ValueError: the reduction is unknown, or shapes do not fit.
        RuntimeError: a class index does not exist.

    Difference from PyTorch: the indices may have any integer type.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.NLLLoss()(ms.Tensor([[-1.0, -2.0]]), ms.Tensor([1])))
        2.0
    """

    def __init__(
        self, weight: Tensor | None = None, ignore_index: int = -100, reduction: str = "mean"
    ) -> None:
        super().__init__(reduction)
        self._keep("weight", weight)
        self.ignore_index = integer("NLLLoss", "ignore_index", ignore_index)

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        return ops.nll_loss(logits, labels, self.weight, self.ignore_index, self.reduction)


class SoftmaxCrossEntropyWithLogits(LossBase):
    r"""Cross entropy between scores and one-hot labels, or with `sparse` class indices.

    .. math::
        l_n = -\sum_c y_{n,c} \log \mathrm{softmax}(x_n)_c

    Args:
        sparse (bool): whether the labels are class indices. Default: False.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"none"``.

    Inputs:
        - **logits** (Tensor) - scores x, shape :math:`(N, C)`; the classes are on the last axis.
        - **labels** (Tensor) - probabilities y of the same shape and a float type, or with `sparse`
          class indices of an integer type, shape :math:`(N,)`. An index outside of the classes adds
          no loss with the reductions ``"none"`` and ``"sum"``.

    Outputs: Tensor: a number, or with ``"none"`` shape :math:`(N,)`.

    Raises:
        TypeError: `sparse` is not a bool, or the labels are of the wrong kind.
        ValueError: the reduction is unknown, or shapes do not fit.
        RuntimeError: with `sparse` and the mean, a class index does not exist.

    Difference from PyTorch: ``torch.nn.CrossEntropyLoss`` takes both kinds of labels, has classes
    on axis 1, and its default reduction is the mean.

    Source: behavior observed in MindSpore 2.10, whose gradient assumes labels that sum to one.

    Examples:
        >>> import agar as ms
        >>> loss = ms.nn.SoftmaxCrossEntropyWithLogits(sparse=True)
        >>> print(loss(ms.Tensor([[1.0, 2.0], [0.0, 0.0]]), ms.Tensor([1, 0])))
        [0.31326166 0.6931472 ]
    """

    def __init__(self, sparse: bool = False, reduction: str = "none") -> None:
        super().__init__(reduction)
        self.sparse = boolean("SoftmaxCrossEntropyWithLogits", "sparse", sparse)

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        return _softmax_cross_entropy(logits, labels, self.sparse, self.reduction)


class BCELoss(LossBase):
    r"""Binary cross entropy between probabilities and targets.

    .. math::
        l_i = -w_i (y_i \log(x_i + 10^{-12}) + (1 - y_i) \log(1 - x_i + 10^{-12}))

    Args:
        weight (Tensor): factors w of a shape that broadcasts with the inputs. Default: None.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Inputs:
        - **logits** (Tensor) - probabilities x in [0, 1], of any shape.
        - **labels** (Tensor) - targets y of the same shape.

    Outputs: Tensor: a number, or with ``"none"`` the shape of `logits`.

    Raises:
        TypeError: `weight` is not a Tensor.
        ValueError: the reduction is unknown, or the shapes differ.
        RuntimeError: a probability is not between 0 and 1.

    Difference from PyTorch: the largest loss of an element is 27.63; in PyTorch, 100.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.BCELoss()(ms.Tensor([0.2, 0.7]), ms.Tensor([1.0, 0.0])))
        1.4067054
    """

    def __init__(self, weight: Tensor | None = None, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self._keep("weight", weight)

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        return ops.binary_cross_entropy(logits, labels, self.weight, self.reduction)


class BCEWithLogitsLoss(LossBase):
    r"""Binary cross entropy between logits and targets.

    .. math::
        l_i = -w_i (p_i y_i \log \sigma(x_i) + (1 - y_i) \log(1 - \sigma(x_i)))

    Args:
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.
        weight (Tensor): factors w of a shape that broadcasts with the inputs. Default: None.
        pos_weight (Tensor): factors p of the positive class. Default: None.

    Inputs:
        - **input** (Tensor) - scores (logits) x of any shape.
        - **target** (Tensor) - targets y of the same shape.

    Outputs: Tensor: a number, or with ``"none"`` the shape of `input`.

    Raises:
        TypeError: `weight` or `pos_weight` is not a Tensor.
        ValueError: the reduction is unknown, or the shapes do not fit.

    Difference from PyTorch: `reduction` comes first.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.BCEWithLogitsLoss("none")(ms.Tensor([0.0, 2.0]), ms.Tensor([1.0, 0.0])))
        [0.6931472 2.126928 ]
    """

    def __init__(
        self,
        reduction: str = "mean",
        weight: Tensor | None = None,
        pos_weight: Tensor | None = None,
    ) -> None:
        super().__init__(reduction)
        self._keep("weight", weight)
        self._keep("pos_weight", pos_weight)

    def construct(self, input: Tensor, target: Tensor) -> Tensor:
        return ops.binary_cross_entropy_with_logits(
            input, target, self.weight, self.pos_weight, self.reduction
        )


class KLDivLoss(LossBase):
    r"""Kullback-Leibler divergence: :math:`l_i = y_i (\log y_i - x_i)`.

    Args:
        reduction (str): ``"mean"``, ``"sum"``, ``"none"``, or ``"batchmean"`` (the sum divided by
            the first size). Default: ``"mean"``.

    Inputs:
        - **logits** (Tensor) - log probabilities x of any shape.
        - **labels** (Tensor) - probabilities y of the same shape.

    Outputs: Tensor: a number, or with ``"none"`` the shape of `logits`.

    Raises:
        ValueError: the reduction is unknown, or the shapes differ.

    Difference from PyTorch: ``"mean"`` does not warn; there is no `log_target`.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.KLDivLoss("sum")(ms.Tensor([-1.0, -2.0]), ms.Tensor([1.0, 1.0])))
        3.0
    """

    def __init__(self, reduction: str = "mean") -> None:
        super().__init__()
        self._set_reduction(reduction, KL_REDUCTIONS)

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        return ops.kl_div(logits, labels, self.reduction)


class MultiLabelSoftMarginLoss(LossBase):
    r"""Binary cross entropies of several labels, averaged per sample.

    .. math::
        l_n = -\frac{1}{C} \sum_c w_c (y_{n,c} \log \sigma(x_{n,c})
            + (1 - y_{n,c}) \log(1 - \sigma(x_{n,c})))

    Args:
        weight (Tensor): a factor per class, shape :math:`(C,)`. Default: None.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Inputs:
        - **x** (Tensor) - scores, shape :math:`(N, C)`.
        - **target** (Tensor) - targets y of the same shape, 0 or 1.

    Outputs: Tensor: a number, or with ``"none"`` shape :math:`(N,)`.

    Raises:
        TypeError: `weight` is not a Tensor.
        ValueError: the reduction is unknown, or the shapes differ.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> loss = ms.nn.MultiLabelSoftMarginLoss()
        >>> print(loss(ms.Tensor([[0.0, 2.0]]), ms.Tensor([[1.0, 1.0]])))
        0.41004
    """

    def __init__(self, weight: Tensor | None = None, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self._keep("weight", weight)

    def construct(self, x: Tensor, target: Tensor) -> Tensor:
        return ops.multilabel_soft_margin_loss(x, target, self.weight, self.reduction)


class CTCLoss(LossBase):
    r"""Connectionist temporal classification (CTC): the likelihood of unaligned label sequences.

    Sums the probabilities of all alignments: sequences of classes that give the labels when
    repetitions are merged and blanks removed.

    Args:
        blank (int): the class of the blank label. Default: 0.
        reduction (str): ``"mean"`` (each loss is divided by its number of labels first), ``"sum"``
            or ``"none"``. Default: ``"mean"``.
        zero_infinity (bool): whether samples that cannot be aligned have loss and gradient 0,
            not infinity. Default: False.

    Inputs:
        - **log_probs** (Tensor) - log probabilities, shape :math:`(T, N, C)` or :math:`(T, C)`.
        - **targets** (Tensor) - labels of an integer type, shape :math:`(N, S)` or :math:`(S,)`.
        - **input_lengths** (Union[Tensor, list[int]]) - time steps of each sample, at most T.
        - **target_lengths** (Union[Tensor, list[int]]) - labels of each sample, at most S.

    Outputs: Tensor: a number, or with ``"none"`` shape :math:`(N,)` or :math:`()`.

    Raises:
        ValueError: the reduction is unknown, or the blank or a shape is not allowed.
        RuntimeError: a length is too large.
        TypeError: an argument has the wrong type.

    Difference from PyTorch: targets are padded, not concatenated.

    Source: Graves et al. 2006, "Connectionist Temporal Classification". In MindSpore 2.10,
    `zero_infinity` changes the gradient only.

    Examples:
        >>> import agar as ms
        >>> log_probs = ms.ops.log_softmax(ms.Tensor([[[0.0, 0.0]], [[0.0, 0.0]]]), -1)
        >>> print(ms.nn.CTCLoss()(log_probs, ms.Tensor([[1]]), ms.Tensor([2]), ms.Tensor([1])))
        0.2876821
    """

    def __init__(
        self, blank: int = 0, reduction: str = "mean", zero_infinity: bool = False
    ) -> None:
        super().__init__(reduction)
        self.blank = integer("CTCLoss", "blank", blank, 0)
        self.zero_infinity = boolean("CTCLoss", "zero_infinity", zero_infinity)

    def construct(
        self,
        log_probs: Tensor,
        targets: Tensor,
        input_lengths: Any,
        target_lengths: Any,
    ) -> Tensor:
        single = log_probs.ndim == 2 and targets.ndim == 1
        if single:
            log_probs, targets = log_probs.expand_dims(1), targets.expand_dims(0)
        loss, _ = ops.ctc_loss(
            log_probs,
            targets,
            input_lengths,
            target_lengths,
            self.blank,
            self.reduction,
            self.zero_infinity,
        )
        return loss.squeeze(0) if single and loss.ndim else loss


class SampledSoftmaxLoss(LossBase):
    r"""Cross entropy over the true classes and a random sample of the others.

    For inputs :math:`x`, the scores of the classes are :math:`w_c \cdot x + b_c - \log q_c`, with
    q the expected number of draws; the true classes share the probability 1.

    Args:
        num_sampled (int): the number of classes that are sampled.
        num_classes (int): the number of all classes.
        num_true (int): the number of true classes of each sample. Default: 1.
        sampled_values (Union[list, tuple]): the drawn classes, and the expected numbers of draws
            of the true and of the drawn classes, as Tensors; None to draw. Default: None.
        remove_accidental_hits (bool): whether true classes are not drawn. Default: True.
        seed (int): the seed of the sample; 0 stands for another one in each process. Default: 0.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"none"``.

    Inputs:
        - **weights** (Tensor) - shape :math:`(C, D)`.
        - **biases** (Tensor) - shape :math:`(C,)`.
        - **labels** (Tensor) - class indices, shape :math:`(N, num\_true)` or :math:`(N,)`.
        - **logits** (Tensor) - inputs x, shape :math:`(N, D)`.

    Outputs: Tensor: a number, or with ``"none"`` shape :math:`(N,)`.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: a number is too small or too large, or the reduction is unknown.

    Difference from PyTorch: none (no counterpart).

    Source: Jean et al. 2015, "On Using Very Large Target Vocabulary for Neural Machine
    Translation"; behavior observed in MindSpore 2.10, which ignores the reduction.

    Examples:
        >>> import agar as ms
        >>> loss = ms.nn.SampledSoftmaxLoss(num_sampled=1, num_classes=2)
        >>> w, b = ms.Tensor([[0.0], [0.0]]), ms.Tensor([0.0, 0.0])
        >>> print(loss(w, b, ms.Tensor([[0]]), ms.Tensor([[1.0]])))
        [0.6931472]
    """

    def __init__(
        self,
        num_sampled: int,
        num_classes: int,
        num_true: int = 1,
        sampled_values: Any = None,
        remove_accidental_hits: bool = True,
        seed: int = 0,
        reduction: str = "none",
    ) -> None:
        super().__init__(reduction)
        op_name = "SampledSoftmaxLoss"
        self.num_sampled = integer(op_name, "num_sampled", num_sampled, 1)
        self.num_classes = integer(op_name, "num_classes", num_classes, 1)
        self.num_true = integer(op_name, "num_true", num_true, 1)
        for name, value in (("num_sampled", num_sampled), ("num_true", num_true)):
            if value > num_classes:
                raise ValueError(
                    f"For '{op_name}', the '{name}' must be smaller than or equal to "
                    f"'num_classes', but got '{name}': {value} and 'num_classes': {num_classes}."
                )
        if sampled_values is not None:
            if not isinstance(sampled_values, (list, tuple)):
                raise TypeError(
                    f"For '{op_name}', the type of 'sampled_values' must be a list or tuple, but "
                    f"got {type(sampled_values).__name__}."
                )
            if len(sampled_values) != 3:
                raise ValueError(
                    f"For '{op_name}', the length of 'sampled_values' must be equal to 3, but got "
                    f"{len(sampled_values)}."
                )
        self.sampled_values = sampled_values
        self.remove_accidental_hits = boolean(
            op_name, "remove_accidental_hits", remove_accidental_hits
        )
        self.seed = integer(op_name, "seed", seed, 0)
        self.stream = Stream(seed, 0, "UniformCandidateSampler")

    def construct(self, weights: Tensor, biases: Tensor, labels: Tensor, logits: Tensor) -> Tensor:
        if labels.ndim == 1:
            labels = labels.expand_dims(1)
        sampled, true_expected, sampled_expected = self.sampled_values or self._draw(labels)
        loss = _sampled_softmax(
            weights, biases, labels, logits, sampled, true_expected, sampled_expected
        )
        return self.get_loss(loss)

    def _draw(self, labels: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        avoided = set(labels.asnumpy().ravel().tolist()) if self.remove_accidental_hits else set()
        if self.num_sampled > self.num_classes - len(avoided):
            raise ValueError(
                f"For 'SampledSoftmaxLoss', {self.num_sampled} classes cannot be drawn from "
                f"{self.num_classes} without the {len(avoided)} true ones; pass "
                "remove_accidental_hits=False or draw fewer."
            )
        engine = self.stream.engine("lcg", (labels.shape, str(labels.dtype)))
        drawn, _ = uniform_candidates(self.num_sampled, self.num_classes, True, avoided, engine)
        # all classes are expected equally often, and an equal term changes no softmax
        one = Tensor(1.0, device=labels.device)
        return Tensor(drawn, device=labels.device), one, one
