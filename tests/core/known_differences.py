"""Recorded cases in which agar differs from MindSpore 2.10 on purpose, each group with its reason.

`test_oracle_core.py` replays all recorded cases: those listed here must differ, all others agree.
A case is listed by its whole id.
"""

from __future__ import annotations

import importlib.util
from typing import NamedTuple

import numpy as np


class Difference(NamedTuple):
    """Cases that differ for one reason; `here` is False where this environment has no such case."""

    data: str
    reason: str
    cases: tuple[str, ...]
    here: bool = True


DIFFERENCES = (
    Difference(
        "tensor",
        "Wide unsigned integers are added to numbers, which MindSpore's kernel refuses.",
        ("Tensor(np.array([1],np.uint64))+1",),
    ),
    Difference(
        "tensor",
        "A copy stays a copy: writing into the result of an advanced index leaves the indexed "
        "tensor alone.",
        (
            "x=f32(1,2,3,4) ;; v=x[[0,1]] ;; v[0]=9 ;; x",
            "x=f32(1,2,3,4) ;; v=x[i32(0,1)] ;; v[0]=9 ;; x",
            "x=f32(1,2,3,4) ;; v=x[b1(1,1,0,0)] ;; v[0]=9 ;; x",
            "x=f32(1,2,3,4) ;; v=x[::-1] ;; v[0]=9 ;; x",
            "x=f32(1,2,3,4) ;; v=x[[2,3]] ;; v[0]=9 ;; (x,v)",
            "x=f32(1,2,3,4) ;; v=x[i32(2,3)] ;; v[0]=9 ;; (x,v)",
            "x=f32(1,2,3,4) ;; v=x[b1(0,0,1,1)] ;; v[0]=9 ;; (x,v)",
            "x=f32(1,2,3,4) ;; v=x[b1(0,0,1,1)] ;; v[:]=9 ;; (x,v)",
            "x=f32(1,2,3,4) ;; v=x[[2,3]] ;; v[:]=9 ;; (x,v)",
            "x=f32(1,2,3,4) ;; v=x[[2,3]] ;; v[i32(0)]=9 ;; (x,v)",
            "x=f32(1,2,3,4) ;; v=x[::-1] ;; v[0]=9 ;; (x,v)",
            "x=ar(2,3) ;; v=x[[1,0]] ;; v[0,0]=9 ;; (x,v)",
            "x=ar(2,3) ;; v=x[:,[1,2]] ;; v[0,0]=9 ;; (x,v)",
            "x=ar(2,3) ;; x[[0]][0]=9 ;; x",
        ),
    ),
    Difference(
        "tensor",
        "Tensors share memory only where it is asked for: deepcopy copies, and set_data copies "
        "into the parameter's memory, which the optimizer and compiled code refer to.",
        (
            "x=f32(1,2) ;; y=copy.deepcopy(x) ;; y[0]=9 ;; x",
            "x=f32(1,2,3,4) ;; v=copy.deepcopy(x) ;; v[0]=9 ;; (x,v)",
            "x=f32(1,2) ;; p=Parameter(f32(0,0),name='w') ;; p.set_data(x) ;; p[0]=9 ;; x",
            "x=f32(1,2) ;; p=Parameter(f32(0,0),name='w') ;; p.set_data(x) ;; x[0]=9 ;; p",
        ),
    ),
    Difference(
        "tensor",
        "A defect of MindSpore: of several axes with a negative step only the first is reversed, "
        "and assignments to reversed axes fail or land elsewhere.",
        (
            "x=ar(4,3) ;; x[::-2,::-1]",
            "x=ar(2,3) ;; x[::-1]=f32(1,2,3) ;; x",
            "x=ar(2,3) ;; x[0,::-1]=f32(1,2,3) ;; x",
        ),
    ),
    Difference(
        "tensor",
        "A defect of MindSpore: numpy and complex numbers never equal an element.",
        ("f32(1,2)==np.float32(1)", "f32(1,2)==1j"),
    ),
    Difference(
        "tensor",
        "Defects of MindSpore: any() of float tensors looks at their bytes, and std() of integers "
        "divides by n - 1 where that of floats divides by n.",
        (
            "x=ar(2,3) ;; x.any(axis=0)",
            "x=ar(2,3) ;; x.any(axis=0,keep_dims=True)",
            "x=ar(2,3) ;; x.any(dim=0,keepdim=True)",
            "i32(1,2).std()",
        ),
    ),
    Difference(
        "tensor",
        "stack promotes types as cat and the arithmetic do.",
        ("ops.stack((f32(1,2),f16(1,2)))", "ops.stack((f32(1,2),i32(1,2)))"),
    ),
    Difference(
        "tensor",
        "The mean of truth values is a fault of the type, so a TypeError.",
        ("b1(1,0).mean()",),
    ),
    Difference(
        "tensor",
        "agar accepts numpy's arrays, integers and ranges as indices and values.",
        (
            "x=ar(4,3) ;; x[np.array([0,2])]",
            "x=ar(4,3) ;; x[np.array([True,False,True,False])]",
            "x=ar(4,3) ;; x[np.int64(1)]",
            "x=ar(4,3) ;; x[np.int64(1):np.int64(3)]",
            "x=ar(4,3) ;; x[range(2)]",
            "x=ar(4,3) ;; x[slice(None,None,None),np.array(1)]",
            "x=ar(4,3) ;; x[0,np.array([0,1])]",
            "x=ar(2,3) ;; x[0]=np.array([7,8,9]) ;; x",
        ),
    ),
    Difference(
        "tensor",
        "agar accepts every spelling of a type: names, numpy's and Python's types.",
        (
            "Tensor([1,2],'float32')",
            "Tensor([1,2],np.float32)",
            "Tensor([1,2],dtype=float)",
            "x=f32(1.6,-1.6) ;; x.astype(np.dtype('int32'))",
        ),
    ),
    Difference(
        "tensor",
        "agar computes what MindSpore refuses: complex scalars, rounding to decimals, DLPack, any "
        "sequence as a shape, methods that MindSpore lacks.",
        (
            "f32(1)+1j",
            "i32(1)+1j",
            "x=f32(1.25,2.5,-0.5) ;; x.round(decimals=1)",
            "f32(1).__dlpack__()",
            "x=f32(1) ;; x.shape=(1,1) ;; x.shape",
            "x=ar(2,2) ;; x.new_tensor([1,2])",
            "f32(1).element_size()",
            "x=f32(1.6,-1.6) ;; (x.int(),x.long(),x.half(),x.bool(),x.double(),x.bfloat16(),"
            "x.byte(),x.short(),x.char())",
        ),
    ),
    Difference(
        "tensor",
        "A tensor holds numbers; text in an array is refused.",
        ("Tensor(np.array(['a']))",),
    ),
    Difference(
        "tensor",
        "Classes have agar's module path (D8 of the design).",
        ("f32(1).__class__.__module__",),
    ),
    Difference(
        "tensor",
        "numpy 2 promotes its scalars by type and names its boolean bool; the record has numpy 1.",
        ("np.float64(2)*f32(1,2)", "ms.dtype_to_nptype(ms.bool_).__name__"),
        here=int(np.__version__.split(".")[0]) >= 2,
    ),
    Difference(
        "tensor",
        "numpy has a bfloat16 type only through the package ml_dtypes, which is optional.",
        ("bf16(1,2).asnumpy()", "bf16(1,2).asnumpy().dtype"),
        here=importlib.util.find_spec("ml_dtypes") is None,
    ),
    Difference(
        "grad",
        "Integers and booleans have no gradient: zeros, where MindSpore passes real numbers off "
        "as integers.",
        ("int-input", "int64-input", "int-times-float", "bool-mask", "cast-int-out"),
    ),
    Difference(
        "grad",
        "Weights may be any tensors; MindSpore silently gives zeros for those that are no "
        "Parameters.",
        ("weights-tensors-position-None", "value-weights-tensors"),
    ),
    Difference(
        "grad",
        "A defect of MindSpore: a single position other than 0 loses its id.",
        ("grad-ids-1", "value_and_grad-ids-1"),
    ),
    Difference(
        "grad",
        "The norm of a zero vector has the gradient zero, a subgradient, where MindSpore has nan.",
        ("norm-zero",),
    ),
    Difference(
        "grad",
        "The error says that no ids were kept, as for a single gradient; MindSpore fails by "
        "comparing tensors.",
        ("get_grad-without-ids",),
    ),
    Difference(
        "cell",
        "agar accepts truth values and tuples as data, and tensors and names of types for an "
        "initializer.",
        (
            "parameter: from-bool",
            "parameter: from-tuple",
            "initializer: f32(1,2)",
            "error: initializer-dtype",
        ),
    ),
    Difference(
        "amp",
        "Losses of half-precision inputs are computed in float32 (limit L17 of the design).",
        (
            "half-input: nn.CrossEntropyLoss()",
            "half-input: nn.SoftmaxCrossEntropyWithLogits(sparse=True)",
            "half-input: nn.MSELoss()",
            "half-input: nn.L1Loss()",
            "half-input: nn.BCELoss()",
            "half-input: nn.BCEWithLogitsLoss()",
            "half-input: nn.NLLLoss()",
            "half-input: nn.SmoothL1Loss()",
            "half-input: nn.KLDivLoss()",
        ),
    ),
    Difference(
        "cell",
        "agar takes labels of any integer type, and channels last on the CPU.",
        ("error: CrossEntropy-int64", "error: Conv2d-NHWC"),
    ),
    Difference(
        "cell",
        "agar refuses a wrong argument when the layer is made, not when it runs.",
        ("error: LeakyReLU-alpha", "error: Flatten-float"),
    ),
    Difference(
        "cell",
        "agar checks the argument and names it; MindSpore fails inside with another type.",
        (
            "error: CrossEntropy-weight",
            "error: LSTM-rank",
            "error: MHA-heads",
            "error: cat-mixed-type",
        ),
    ),
    Difference(
        "cell",
        "Reading a slice of a CellList does not rename the parameters of the list, as it does not "
        "in a SequentialCell.",
        ("naming: celllist-slice",),
    ),
    Difference(
        "cell",
        "recompute returns its cell, like the other setters.",
        ("attribute: param-recompute",),
    ),
)
