"""Sources, operations and iterators, with what MindSpore 2.10 answers to the same calls."""

from __future__ import annotations

import inspect
import json
import re

import numpy as np
import pytest

import agar as ms
import agar.dataset as ds
from agar.mindrecord import FileReader


@pytest.fixture(autouse=True)
def _seed():
    held = ds.config.get_seed()
    ds.config.set_seed(1)
    yield
    ds.config.set_seed(held)


class Rows:
    """A source with random access."""

    def __init__(self, rows):
        self.rows = rows

    def __getitem__(self, index):
        return self.rows[index]

    def __len__(self):
        return len(self.rows)


def source(rows, names=("a",), **kwargs):
    return ds.GeneratorDataset(Rows(rows), list(names), shuffle=False, **kwargs)


def two():
    columns = {"a": [1, 2, 3, 4, 5], "b": [4.0, 5.0, 6.0, 7.0, 8.0]}
    return ds.NumpySlicesDataset(columns, shuffle=False)


def ragged():
    return source([np.arange(n) for n in (1, 3, 2, 5, 4)], ["x"])


def listed(data, epochs=1):
    rows = data.create_dict_iterator(num_epochs=epochs, output_numpy=True)
    items = [[{k: v.tolist() for k, v in row.items()} for row in rows] for _ in range(epochs)]
    return items[0] if epochs == 1 else items


@pytest.mark.parametrize(
    ("row", "dtype", "shape"),
    [
        (1, "int64", ()),
        (1.5, "float64", ()),
        (True, "bool", ()),
        (np.float16(1), "float16", ()),
        (([1, 2],), "int64", (2,)),
        (ms.Tensor([1, 2], ms.int32), "int32", (2,)),
        ("hi", "<U2", ()),
        (b"hi", "|S2", ()),
        (np.array(["a", "bcd"]), "<U3", (2,)),
    ],
)
def test_values_become_arrays_of_their_types(row, dtype, shape):
    (value,) = next(iter(source([row]).create_tuple_iterator(num_epochs=1, output_numpy=True)))
    assert (value.dtype, value.shape) == (np.dtype(dtype), shape)
    (given,) = next(iter(source([row])))
    assert isinstance(given, np.ndarray if value.dtype.kind in "US" else ms.Tensor)


def test_a_dict_stays_a_dict():
    (value,) = next(iter(source([{"k": 1}])))
    assert isinstance(value, dict)
    assert isinstance(value["k"], ms.Tensor)


@pytest.mark.parametrize(
    ("row", "names", "match"),
    [
        (None, ["a"], "sample 0.*NoneType"),
        (([[1], [1, 2]],), ["a"], "sample 0.*list"),
        (np.complex64(1), ["a"], "complex64"),
        ((1, 2), ["a"], "returned 2 for sample 0"),
        ((1,), ["a", "b"], "returned 1 for sample 0"),
    ],
)
def test_rows_that_do_not_fit(row, names, match):
    with pytest.raises(RuntimeError, match=match):
        list(source([row], names))


def test_column_types_are_checked():
    assert listed(source([1], column_types=[ms.int64])) == [{"a": 1}]
    with pytest.raises(RuntimeError, match="column_types"):
        list(source([1], column_types=[ms.float32]))


def generated():
    for i in range(3):
        yield (i,)


@pytest.mark.parametrize("given", [generated, generated(), [0, 1, 2]])
def test_kinds_of_sources(given):
    data = ds.GeneratorDataset(given, ["a"], shuffle=None if callable(given) else False)
    assert listed(data, 2) == [[{"a": 0}, {"a": 1}, {"a": 2}]] * 2
    assert data.get_dataset_size() == 3


@pytest.mark.parametrize("name", ["sampler", "num_shards", "batch_sampler"])
def test_what_needs_random_access(name):
    given = {"sampler": ds.SequentialSampler(), "num_shards": 2, "batch_sampler": [[0]]}[name]
    extra = {"shard_id": 0} if name == "num_shards" else {}
    with pytest.raises(ValueError, match=f"{name}.*__getitem__"):
        ds.GeneratorDataset(generated, ["a"], **{name: given}, **extra)


@pytest.mark.parametrize(
    ("call", "kind", "match"),
    [
        (lambda: ds.GeneratorDataset([1]), ValueError, "neither column_names nor schema"),
        (lambda: ds.GeneratorDataset(5, ["a"]), TypeError, "must be a function"),
        (lambda: ds.GeneratorDataset([1], ["a", "a"]), ValueError, "differ"),
        (lambda: ds.GeneratorDataset([1], [3]), TypeError, r"column_names\[0\]"),
        (
            lambda: ds.GeneratorDataset([1], ["a"], num_parallel_workers=0),
            ValueError,
            "num_parallel_workers",
        ),
        (lambda: ds.GeneratorDataset([1], ["a"], num_shards=2), ValueError, "together"),
        (
            lambda: ds.GeneratorDataset([1], ["a"], num_shards=2, shard_id=2),
            ValueError,
            "less than num_shards",
        ),
        (
            lambda: ds.GeneratorDataset([1], ["a"], shuffle=True, sampler=ds.SequentialSampler()),
            ValueError,
            "same time",
        ),
        (
            lambda: ds.GeneratorDataset([1], ["a"], num_samples=1, sampler=ds.SequentialSampler()),
            ValueError,
            "Conflicting",
        ),
        (lambda: ds.GeneratorDataset([1], ["a"], sampler=1), TypeError, "Unsupported sampler"),
        (lambda: ds.GeneratorDataset([1], ["a"], collate_fn=len), ValueError, "batch_sampler"),
        (lambda: ds.GeneratorDataset([], ["a"]).get_dataset_size(), RuntimeError, "at least one"),
        (lambda: ds.NumpySlicesDataset(3), TypeError, "data"),
        (lambda: ds.NumpySlicesDataset(([1, 2], [3])), ValueError, "not equal"),
        (lambda: ds.NumpySlicesDataset(([1], [3]), ["p"]), ValueError, "required is 2"),
        (lambda: two().batch(0), ValueError, "batch_size"),
        (lambda: two().batch("a"), TypeError, "batch_size"),
        (lambda: two().batch(2, "a"), TypeError, "drop_remainder"),
        (lambda: two().skip(-1), ValueError, "count"),
        (lambda: two().take(0), ValueError, "count"),
        (lambda: two().repeat(0), ValueError, "count"),
        (lambda: two().shuffle(1), ValueError, "buffer_size"),
        (lambda: ds.zip((two(),)), ValueError, "just one"),
        (lambda: ds.zip((two(), 3)), TypeError, "Dataset object"),
        (lambda: two() + 3, TypeError, "datasets"),
        (lambda: two().filter(3), TypeError, "predicate"),
        (lambda: two().project(3), TypeError, "columns"),
        (lambda: two().rename(["a", "b"], ["c"]), ValueError, "not equal"),
        (lambda: two().map(ds.SequentialSampler, "a"), ValueError, "parentheses"),
        (lambda: two().map(3, "a"), ValueError, "callable"),
        (lambda: two().split([1, 1]), RuntimeError, "Sum of split sizes 2"),
        (lambda: two().split([0.5, 0.6]), ValueError, "do not sum up to 1"),
        (lambda: two().split([0.5, 1]), ValueError, "list of int or list of float"),
        (lambda: two().split([0.01, 0.99]), RuntimeError, "too small"),
        (lambda: two().apply(lambda d: 3), TypeError, "return a dataset"),
        (lambda: two().flat_map(lambda *row: 3), TypeError, "Dataset object"),
        (lambda: two().create_dict_iterator(num_epochs=0), RuntimeError, "num_epochs"),
        (lambda: two().create_tuple_iterator(columns=["z"]), RuntimeError, "'z'"),
        (lambda: two().project("z").get_col_names(), RuntimeError, "'z'"),
        (lambda: ds.zip((two(), two())).get_col_names(), RuntimeError, "'a'"),
        (lambda: (two() + two().rename("a", "z")).get_col_names(), RuntimeError, "concat"),
        (lambda: ragged().bucket_batch_by_length("x", [3], [2]), ValueError, "one element more"),
        (lambda: ragged().bucket_batch_by_length("x", [6, 3], [1] * 3), ValueError, "increasing"),
    ],
)
def test_errors_name_the_call(call, kind, match):
    with pytest.raises(kind, match=match):
        call()


# --- map -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("operations", "inputs", "outputs", "expected"),
    [
        (lambda x: x + 1, "a", None, {"a": 2, "b": 4.0}),
        (lambda x: x + 10, None, None, {"a": 11, "b": 4.0}),
        (lambda x, y: x + y, ["a", "b"], ["c"], {"c": 5.0}),
        (lambda x: (x, x * 2), ["b"], ["c", "d"], {"c": 4.0, "d": 8.0, "a": 1}),
        (lambda x, y: (x, y), ["b", "a"], None, {"a": 1, "b": 4.0}),
        (lambda x: x, ["a"], ["z"], {"z": 1, "b": 4.0}),
        ([lambda x: (x, x + 1), lambda x, y: x * y], ["a"], None, {"a": 2, "b": 4.0}),
        (lambda x: [1, 2], ["a"], None, {"a": [1, 2], "b": 4.0}),
        (lambda x: "abc", ["a"], None, {"a": "abc", "b": 4.0}),
        (lambda x: ms.Tensor([1]), ["a"], None, {"a": [1], "b": 4.0}),
    ],
)
def test_map_places_columns(operations, inputs, outputs, expected):
    data = two().map(operations, inputs, outputs)
    entry = listed(data)[0]
    assert entry == expected
    assert list(entry) == list(expected) == data.get_col_names()


def boom(x):
    raise KeyError("zzz")


def test_errors_of_functions_show_the_line_and_the_sample():
    with pytest.raises(RuntimeError, match=r"boom of sample 0.*KeyError: 'zzz'.*line \d+, in boom"):
        listed(two().map(boom, "a"))
    with pytest.raises(RuntimeError, match=r"returned in 'map'.*but got 2"):
        listed(two().map(lambda x: (x, x), "a"))
    with pytest.raises(RuntimeError, match="missing return"):
        listed(two().map(lambda x: None, "a"))


def test_a_stop_iteration_in_a_function_ends_no_epoch():
    with pytest.raises(RuntimeError, match="StopIteration"):
        listed(two().map(lambda x: next(iter([])), "a"))


def test_data_of_the_program_is_never_changed():
    held = np.zeros((2, 3))

    def spoil(x):
        x += 1
        return x

    data = ds.NumpySlicesDataset(held, ["x"], shuffle=False)
    assert listed(data.map(spoil, "x"))[0] == {"x": [1.0, 1.0, 1.0]}
    for (row,) in data:
        row[0] = 7
    for (row,) in data.create_tuple_iterator(num_epochs=1, output_numpy=True):
        row += 7
    assert not held.any()


# --- batches -------------------------------------------------------------------------------------


def test_batches():
    assert listed(two().batch(2)) == [
        {"a": [1, 2], "b": [4.0, 5.0]},
        {"a": [3, 4], "b": [6.0, 7.0]},
        {"a": [5], "b": [8.0]},
    ]
    assert len(listed(two().batch(2, drop_remainder=True))) == 2
    assert [r["a"] for r in listed(two().repeat(2).batch(3, True))] == [
        [1, 2, 3],
        [4, 5, 1],
        [2, 3, 4],
    ]
    with pytest.raises(RuntimeError, match=r"different shapes.*\[1\].*\[3\].*padded_batch"):
        listed(ragged().batch(2))


def test_batches_of_strings_get_the_longest_width():
    data = ds.NumpySlicesDataset(["a", "bcd", "e"], ["s"], shuffle=False).batch(2)
    rows = list(data.create_tuple_iterator(num_epochs=1, output_numpy=True))
    assert [row[0].dtype for row in rows] == [np.dtype("<U3"), np.dtype("<U1")]


def test_batch_size_as_a_function():
    sizes = two().batch(lambda info: info.get_batch_num() + 1)
    assert [r["a"] for r in listed(sizes)] == [[1], [2, 3], [4, 5]]
    assert (sizes.get_dataset_size(), sizes.get_batch_size()) == (3, -1)
    by_epoch = two().batch(lambda info: 2 + info.get_epoch_num())
    assert [[len(r["a"]) for r in rows] for rows in listed(by_epoch, 2)] == [[2, 2, 1], [3, 2]]
    with pytest.raises(RuntimeError, match="positive int"):
        listed(two().batch(lambda info: 0))


def test_per_batch_map():
    seen = []

    def double(a, b, info):
        seen.append((type(a), type(a[0]), info.get_batch_num(), info.get_epoch_num()))
        return [x * 2 for x in a], b

    assert [r["a"] for r in listed(two().batch(2, per_batch_map=double))] == [[2, 4], [6, 8], [10]]
    assert seen[1] == (list, np.ndarray, 1, 0)
    some = two().batch(
        2,
        per_batch_map=lambda a, info: (np.stack(a), np.stack(a) * 3),
        input_columns=["a"],
        output_columns=["c", "e"],
    )
    assert listed(some)[0] == {"c": [1, 2], "e": [3, 6], "b": [4.0, 5.0]}
    with pytest.raises(RuntimeError, match="should be 2, but got: 1"):
        listed(two().batch(2, per_batch_map=lambda a, b, info: (a,)))
    with pytest.raises(RuntimeError, match=r"expects 2 rows.*got: 4"):
        listed(two().batch(2, per_batch_map=lambda a, info: (a * 2,), input_columns="a"))


@pytest.mark.parametrize(
    ("info", "first"),
    [
        ({}, [[0, 0, 0], [0, 1, 2]]),
        ({"x": ([6], -1)}, [[0, -1, -1, -1, -1, -1], [0, 1, 2, -1, -1, -1]]),
        ({"x": ([None], 7)}, [[0, 7, 7], [0, 1, 2]]),
        ({"x": (None, 7)}, [[0, 7, 7], [0, 1, 2]]),
        ({"x": ([2], 7)}, [[0, 7], [0, 1]]),
    ],
)
def test_padded_batch(info, first):
    assert listed(ragged().padded_batch(2, pad_info=info))[0] == {"x": first}


def test_padded_batch_of_text():
    data = source([np.array(["a"]), np.array(["b", "c"])], ["x"])
    data = data.padded_batch(2, pad_info={"x": ([3], "z")})
    assert listed(data) == [{"x": [["a", "z", "z"], ["b", "c", "z"]]}]
    with pytest.raises(RuntimeError, match="'y'"):
        listed(ragged().padded_batch(2, pad_info={"y": ([3], 0)}))


def test_bucket_batch_by_length():
    data = ragged().bucket_batch_by_length("x", [3, 5], [2, 1, 1], len, {"x": ([None], 0)})
    assert [r["x"] for r in listed(data)] == [
        [[0, 1, 2]],
        [[0, 0], [0, 1]],
        [[0, 1, 2, 3, 4]],
        [[0, 1, 2, 3]],
    ]
    data = ragged().bucket_batch_by_length(
        "x", [3, 6], [2, 2, 2], None, {"x": ([None], 9)}, pad_to_bucket_boundary=True
    )
    assert [r["x"] for r in listed(data)] == [
        [[0, 9], [0, 1]],
        [[0, 1, 2, 9, 9], [0, 1, 2, 3, 4]],
        [[0, 1, 2, 3, 9]],
    ]
    assert data.get_dataset_size() == 3


# --- rows ----------------------------------------------------------------------------------------


def test_rows_are_filtered_cut_and_joined():
    assert [r["a"] for r in listed(two().filter(lambda a, b: b > 5))] == [3, 4, 5][0:3]
    assert two().filter(lambda x: x > 1, "a").get_dataset_size() == 4
    assert [r["a"] for r in listed(two().skip(3))] == [4, 5]
    assert [r["a"] for r in listed(two().take(2))] == [1, 2]
    assert [r["a"] for r in listed(two().take(2) + two().skip(4))] == [1, 2, 5]
    zipped = ds.zip((two(), two().rename(["a", "b"], ["c", "d"]).take(2)))
    assert listed(zipped)[1] == {"a": 2, "b": 5.0, "c": 2, "d": 5.0}
    assert listed(two().project(["b", "a"]))[0] == {"b": 4.0, "a": 1}


def test_sizes():
    pairs = [
        (two().batch(2), 3),
        (two().batch(2, True), 2),
        (two().repeat(3), 15),
        (two().repeat(), 5),
        (two().skip(9), 0),
        (two().take(9), 5),
        (two() + two(), 10),
        (two().shuffle(3), 5),
        (two().repeat(2).batch(2), 5),
    ]
    assert [data.get_dataset_size() for data, _ in pairs] == [size for _, size in pairs]


def test_questions():
    data = two().repeat(2).batch(2)
    assert data.output_types() == [np.dtype("int64"), np.dtype("float64")]
    assert data.output_shapes() == [[2], [2]]
    assert (data.get_batch_size(), data.get_repeat_count(), len(data)) == (2, 2, 5)
    assert (data.num_classes(), data.get_class_indexing(), data.input_indexs) == (None, {}, ())
    assert two().batch(2).output_shapes(estimate=True) == [[None], [None]]
    assert ragged().output_shapes(estimate=True) == [[None]]
    assert ds.NumpySlicesDataset(["a"]).output_types() == [np.dtype("<U")]
    assert (two().repeat().get_repeat_count(), two().repeat(2).repeat(3).get_repeat_count()) == (
        -1,
        3,
    )


def test_one_dataset_may_be_read_by_several():
    data = two()
    assert listed(data.map(lambda x: x + 1, "a"))[0]["a"] == 2
    assert listed(data.batch(5))[0]["a"] == [1, 2, 3, 4, 5]


def test_batch_sampler():
    data = ds.GeneratorDataset([1, 2, 3], ["a"], batch_sampler=[[0, 2], [1]])
    assert [r["a"] for r in listed(data)] == [[1, 3], [2]]
    data = ds.GeneratorDataset(
        [1, 2, 3], ["a"], batch_sampler=[[0, 2]], collate_fn=lambda a: (np.stack(a) * 2,)
    )
    assert listed(data) == [{"a": [2, 6]}]
    assert data.get_dataset_size() == 1


def test_indexing_follows_the_sampler():
    assert ds.GeneratorDataset([1, 2, 3], ["a"], sampler=[2, 1])[0] == 3
    with pytest.raises(RuntimeError, match="__getitem__"):
        ds.GeneratorDataset(generated, ["a"])[0]


def test_epochs_of_an_iterator():
    rows = two().create_tuple_iterator(num_epochs=2)
    assert [len(list(rows)) for _ in range(2)] == [5, 5]
    with pytest.raises(RuntimeError, match="beyond the specified number of epochs"):
        next(rows)
    endless = two().create_tuple_iterator()
    assert [len(list(endless)) for _ in range(4)] == [5] * 4
    endless.release()
    with pytest.raises(RuntimeError, match="stopped"):
        next(endless)


def test_schema(tmp_path):
    schema = ds.Schema()
    schema.add_column("c1", ms.int64, [2])
    schema.add_column("c2", "float32")
    assert json.loads(schema.to_json())["columns"][0] == {
        "name": "c1",
        "rank": 1,
        "shape": [2],
        "type": "int64",
    }
    schema.parse_columns([{"name": "image", "type": "int8", "shape": [3, 3]}])
    file = tmp_path / "schema.json"
    file.write_text(schema.to_json())
    assert ds.Schema(str(file)).columns == schema.columns
    rows = [(np.zeros((3, 3), np.int8),)]
    data = ds.GeneratorDataset(rows, schema=str(file), shuffle=False)
    assert data.get_col_names() == ["image"]
    assert data.output_shapes() == [[3, 3]]
    with pytest.raises(ValueError, match="must be one of"):
        schema.add_column("x", "int63")


def test_sync_wait_waits_for_the_program(monkeypatch):
    monkeypatch.setitem(vars(ds.config), "get_callback_timeout", lambda: 0.05)
    given = []
    data = two().sync_wait("used", callback=given.append).batch(2)
    for number, _ in enumerate(data.create_dict_iterator(num_epochs=1)):
        data.sync_update("used", data=number)
    assert given == [0, 1, 2]
    with pytest.raises(RuntimeError, match="Condition name not found"):
        data.sync_update("other")
    with pytest.raises(RuntimeError, match="already in use"):
        two().sync_wait("p").sync_wait("p")
    with pytest.raises(RuntimeError, match="before it"):
        two().sync_wait("p").shuffle(2)


def test_callbacks_are_told():
    told = []

    class Told(ds.DSCallback):
        def ds_begin(self, context):
            told.append("begin")

        def ds_epoch_begin(self, context):
            told.append(("epoch", context.cur_epoch_num))

        def ds_step_end(self, context):
            told.append((context.cur_step_num, context.cur_step_num_in_epoch))

    data = two().take(2).map(lambda x: x, "a", callbacks=[Told()])
    listed(data, 2)
    assert told == ["begin", ("epoch", 1), (1, 1), (2, 2), ("epoch", 2), (3, 1), (4, 2)]
    with pytest.raises(AttributeError, match="overrides none"):
        listed(two().map(lambda x: x, "a", callbacks=ds.DSCallback()))


def test_debug_mode_shows_values(capsys):
    from agar.dataset.debug import PrintMetaDataHook

    ds.config.set_debug_mode(True, [PrintMetaDataHook()])
    try:
        listed(two().take(1).map(lambda x: x, "a"))
    finally:
        ds.config.set_debug_mode(False)
    shown = capsys.readouterr().out
    assert "[INPUT] of the operation [<lambda>]" in shown
    assert "Column 0. The dtype is [int64]. The shape is [()]." in shown


def test_descriptions_of_pipelines(tmp_path):
    file = tmp_path / "a.txt"
    file.write_text("one\ntwo\n")
    data = ds.TextFileDataset(str(file), shuffle=False).repeat(2).rename("text", "t").batch(3)
    description = ds.serialize(data, str(tmp_path / "p.json"))
    assert description["op_type"] == "Batch"
    result = ds.deserialize(json_filepath=str(tmp_path / "p.json"))
    assert listed(result) == listed(data)
    assert ds.compare(data, data)
    assert not ds.compare(data, data.skip(1))
    with pytest.raises(NotImplementedError, match="Python"):
        ds.deserialize(ds.serialize(two()))


def test_save_writes_mindrecord(tmp_path):
    file = str(tmp_path / "x.mindrecord")
    two().save(file)
    reader = FileReader(file)
    assert list(reader.get_next()) == listed(two())
    reader.close()
    with pytest.raises(ValueError, match="file_type"):
        two().save(file, file_type="csv")


def test_a_training_gets_a_new_order_each_epoch():
    from agar.train._dataset_rows import Rows as Training

    data = ds.NumpySlicesDataset(list(range(10)), ["x"])
    expected = [
        [9, 0, 2, 5, 7, 4, 6, 3, 1, 8],
        [4, 9, 5, 0, 1, 7, 6, 2, 3, 8],
    ]
    for _ in range(2):
        rows = Training("Model.train", data)
        assert [[int(x) for (x,) in rows.epoch()] for _ in range(2)] == expected
    start = data.state_dict()
    third = [int(x) for (x,) in data.training_epoch()]
    assert third == [0, 9, 3, 7, 5, 6, 8, 2, 4, 1]
    data.load_state_dict(json.loads(json.dumps(start)))
    assert [int(x) for (x,) in data.training_epoch()] == third
    evaluation = Training("Model.eval", data)
    assert [[int(x) for (x,) in evaluation.epoch()] for _ in range(2)] == [expected[0]] * 2


def test_samples_that_fail_are_not_left_out_in_silence():
    ds.config.set_error_samples_mode(ds.config.ErrorSamplesMode.SKIP)
    try:
        with pytest.raises(NotImplementedError, match=r"SKIP.*in the source"):
            list(two())
    finally:
        ds.config.set_error_samples_mode(ds.config.ErrorSamplesMode.RETURN)


def test_settings_have_the_signatures_of_their_arguments():
    assert str(inspect.signature(ds.config.set_prefetch_size)) == "(size: int) -> None"
    ds.config.set_multiprocessing_start_method()
    assert ds.config.get_multiprocessing_start_method() == "fork"
    for wrong in ({}, {"number": 4}, {"num": 4, "size": 4}):
        with pytest.raises(TypeError, match=r"set_num_parallel_workers.*takes one argument, 'num'"):
            ds.config.set_num_parallel_workers(**wrong)


def test_results_of_methods_are_documented_as_the_methods_are():
    batch = type(two().batch(1)).__doc__
    entries = inspect.getdoc(ds.Dataset.batch).partition("Args:\n")[2]
    for name in ("batch_size", "per_batch_map", "max_rowsize"):
        entry = re.search(rf"^    {name} .*\n(?: {{8}}.*\n)*", entries, re.MULTILINE)
        assert entry is not None
        assert entry[0] in batch
    assert "kwargs" not in batch
