"""Checks at MindSpore's path `_checkparam`: results and errors are those of MindSpore 2.10."""

from __future__ import annotations

import pytest

import agar as ms
from agar import _checkparam as constants
from agar.compat import _shape_checks as checks

RIGHT = [
    ("_check_binary_rel(1, 2, 3)", True),
    ("_check_binary_rel(1, [1], 11)", True),
    ("_check_binary_rel(1, 2, 13)", False),
    ("[_check_inc_rel(v, 1, 3, 8) for v in (0, 1, 3)]", [False, True, False]),
    ("[_check_inc_rel(v, 1, 3, 10) for v in (0, 1, 3)]", [False, True, True]),
    ("twice_sequence(3)", (3, 3)),
    ("twice_sequence([1, 2])", (1, 2)),
    ("check_axis_type((1, 2))", True),
    ("check_swapaxes_axis((0, -1), 3)", (0, 2)),
    ("check_swapaxes_axis(-1, 3)", 2),
    ("check_transpose_axis((), 2)", (1, 0)),
    ("check_transpose_axis(((1, 0),), 2)", (1, 0)),
    ("check_transpose_axis((0, 1), 2)", (0, 1)),
    ("check_reshape_shp(([2, 3],))", (2, 3)),
    ("check_reshape_shp((2, 3))", (2, 3)),
    ("expanded_shape(3, 5, 1)", (1, 5, 1)),
    ("prepare_shape_for_squeeze((1, 3, 1), (0, -1))", (3,)),
    ("check_astype_dtype('Float16')", ms.float16),
    ("check_astype_dtype(int)", ms.int64),
    ("check_astype_dtype('bool')", ms.bool_),
    ("check_input_dataset(dataset_type=int)", False),
    ("check_input_dataset(1, 2, dataset_type=int)", True),
    ("check_str_and_none_by_regular('a_1')", True),
    ("(max_(1, 2), min_(1, 2), tuple_slice((1, 2, 3), 1, 3))", (2, 1, (2, 3))),
    ("check_reduce_shape((2, 3), (2,), 1, 'p', 'a', 'b')", None),
]
WRONG = [
    ("_check_dup([1, 1])", ValueError, "duplicate"),
    ("twice_sequence((1,))", TypeError, "2 elements"),
    ("twice_sequence(True)", TypeError, "integer or"),
    ("_expand_tuple(2)([1, 2])", TypeError, "tuple"),
    ("check_axis_type('a')", TypeError, "int, tuple of int, list of int"),
    ("check_axis_type((1,), True, False)", TypeError, "int, list of int"),
    ("check_swapaxes_axis(5, 3)", ValueError, r"\[-3, 3\)"),
    ("check_swapaxes_axis('a', 3)", TypeError, "integer"),
    ("check_transpose_axis((1,), 2)", ValueError, "number of axes"),
    ("check_transpose_axis(('a',), 2)", TypeError, "series of integer"),
    ("check_reshape_shp(('a',))", TypeError, "tuple/list"),
    ("check_flatten_order('K')", ValueError, "'C' or 'F'"),
    ("check_flatten_order(1)", TypeError, "string"),
    ("check_reduce_shape((2, 3), (3,), 1, 'p', 'a', 'b')", ValueError, "'a' reduce"),
    ("prepare_shape_for_squeeze((1, 3, 1), 1)", ValueError, "must be 1, but got 3"),
    ("prepare_shape_for_squeeze((1, 3, 1), 'a')", TypeError, "int, tuple, list"),
    ("check_astype_dtype('x')", TypeError, "'x'"),
    ("check_astype_dtype(ms.string)", TypeError, "astype"),
    ("check_input_format('NHWC')", ValueError, "NCHW"),
    ("check_sparse_tensor_input(ms.Tensor([1]), 1, (1,))", TypeError, "'values'"),
    ("check_str_and_none_by_regular('a b')", ValueError, "illegal"),
]
SPACE = {name: getattr(checks, name) for name in checks.__all__} | {"ms": ms}


@pytest.mark.parametrize(("call", "expected"), RIGHT, ids=[case[0] for case in RIGHT])
def test_results(call, expected):
    assert eval(call, SPACE) == expected


@pytest.mark.parametrize(("call", "error", "words"), WRONG, ids=[case[0] for case in WRONG])
def test_errors(call, error, words):
    with pytest.raises(error, match=words):
        eval(call, SPACE)


def test_the_numbers_of_relations():
    assert checks._check_binary_rel(2, 2, constants.EQ)
    assert checks._check_inc_rel(3, 1, 3, constants.INC_RIGHT)
