"""The alias and the command line, each in a process of its own."""

from __future__ import annotations

import subprocess
import sys
import textwrap

import pytest

import forked


def python(code, *args):
    return forked.run(textwrap.dedent(code), *args)


def agar(*args, cwd=None):
    return forked.run("from agar.cli import main; main()", *args, cwd=cwd)


def new_python(*args):
    """In an interpreter that has imported nothing."""
    command = [sys.executable, *(textwrap.dedent(arg) for arg in args)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_modules_and_classes_are_the_same_objects_under_both_names():
    done = new_python(
        "-c",
        """
        import agar
        agar.alias_mindspore()
        agar.alias_mindspore()  # again: nothing happens
        import mindspore as ms
        import mindspore.nn as nn
        from mindspore import Tensor, context, ops
        from mindspore.common.initializer import Normal
        from mindspore.nn.layer.conv import Conv2d
        from mindspore.ops import operations as P
        import mindspore.train.serialization
        assert nn is agar.nn and ops is agar.ops and Tensor is agar.Tensor
        assert Conv2d is agar.nn.Conv2d
        assert ms.nn.Dense is agar.nn.Dense
        print(ms.__version__, Conv2d, type(Tensor([1.0])), Normal.__module__)
        print(P.ReLU()(Tensor([-1.0])), [ms.float32])
        import agar.nn.layer.conv as own
        print(own.__spec__.name, own.__package__)
        """,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "2.10.0 <class 'mindspore.nn.layer.conv.Conv2d'> "
        "<class 'mindspore.common.tensor.Tensor'> mindspore.common.initializer",
        "[0.] [mindspore.float32]",
        "agar.nn.layer.conv agar.nn.layer",
    ]


def test_modules_are_attributes_without_being_imported():
    """MindSpore's own import loads them all, so programs reach them by their attributes."""
    done = python(
        """
        import types
        import agar
        agar.alias_mindspore()
        import mindspore
        for path in (
            "rewrite.common.namespace",
            "ops.operations.manually_defined.ops_def",
            "communication._comm_helper",
            "profiler.common.constant",
            "profiler.analysis.parser.timeline_event.base_event",
            "dataset.core.validator_helpers",
            "graph._parse.standard_method",
            "mint.optim.adamw",
            "parallel._utils",
        ):
            module = mindspore
            for part in path.split("."):
                module = getattr(module, part)
            assert isinstance(module, types.ModuleType), path
        print(mindspore.profiler.schedule.__module__)
        """
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("mindspore.profiler")


def test_without_the_alias_classes_keep_their_own_paths():
    done = python("import agar; print(agar.nn.Dense)")
    assert done.stdout.strip() == "<class 'agar.nn.layer.basic.Dense'>"


def test_missing_modules_and_private_parts_are_missing():
    done = python(
        """
        import agar
        agar.alias_mindspore()
        for name in ("mindspore.nonsense", "mindspore._core", "mindspore.cli"):
            try:
                __import__(name)
            except ModuleNotFoundError as error:
                print(error)
        import mindspore
        try:
            mindspore.nonsense
        except AttributeError as error:
            print(error)
        """
    )
    assert done.stdout.splitlines() == [
        "No module named 'mindspore.nonsense'",
        "No module named 'mindspore._core'",
        "No module named 'mindspore.cli'",
        "module 'mindspore' has no attribute 'nonsense'",
    ]


def test_refused_when_the_real_package_is_imported(tmp_path):
    (tmp_path / "mindspore.py").write_text("__version__ = 'real'\n")
    done = new_python(
        "-c",
        """
        import sys
        sys.path.insert(0, sys.argv[1])
        import mindspore, agar
        try:
            agar.alias_mindspore()
        except RuntimeError as error:
            print(error)
        print(mindspore.__version__)
        """,
        str(tmp_path),
    )
    assert "already imported" in done.stdout
    assert "agar run" in done.stdout
    assert done.stdout.strip().endswith("real")


def test_pickles_under_the_alias():
    done = python(
        """
        import agar, pickle
        agar.alias_mindspore()
        import mindspore as ms
        net = pickle.loads(pickle.dumps(ms.nn.Dense(2, 1)))
        print(type(net), pickle.loads(pickle.dumps(ms.Tensor([1.0]))))
        """
    )
    assert done.stdout.strip() == "<class 'mindspore.nn.layer.basic.Dense'> [1.]", done.stderr


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(
        textwrap.dedent(
            """
            import sys
            import mindspore as ms
            import beside
            print(__name__, sys.argv[1:], ms.get_context("mode"), beside.VALUE)
            """
        )
    )
    (tmp_path / "beside.py").write_text("VALUE = 7\n")
    return path


def test_run_a_program_with_its_own_arguments(program):
    done = new_python("-m", "agar", "run", str(program), "--epochs", "3", "-m", "x")
    assert done.stdout.strip() == "__main__ ['--epochs', '3', '-m', 'x'] 1 7", done.stderr


def test_run_with_options_and_modules(program):
    done = agar(
        "run", "--mode", "graph", "--device", "CPU", "-m", "program", "a", cwd=program.parent
    )
    assert done.stdout.strip() == "__main__ ['a'] 0 7", done.stderr


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("run", "nothing.py"), "there is no file"),
        (("run", "--device", "TPU", "x.py"), "must be one of"),
        (("run", "--mode", "fast", "x.py"), "must be pynative or graph"),
    ],
)
def test_run_explains_what_is_wrong(args, words):
    done = agar(*args)
    assert done.returncode == 2
    assert words in " ".join(done.stderr.replace("│", " ").split())


def test_an_error_in_the_program_shows_its_own_traceback(tmp_path):
    path = tmp_path / "broken.py"
    path.write_text("import mindspore as ms\nms.Tensor([1.0]) + 'x'\n")
    done = agar("run", str(path))
    assert done.returncode == 1
    assert 'broken.py", line 2' in done.stderr
    assert "TypeError" in done.stderr


@pytest.mark.parametrize("option", [(), ("--traceback",)])
def test_an_error_inside_agar_shows_the_lines_of_the_program(tmp_path, option):
    path = tmp_path / "broken.py"
    path.write_text(
        "import mindspore as ms\n"
        "class Net(ms.nn.Cell):\n"
        "    def construct(self, x):\n"
        "        return ms.ops.matmul(x, x)\n"
        "Net()(ms.ops.ones((2, 3)))\n"
    )
    done = agar("run", *option, str(path))
    assert done.returncode == 1
    lines = done.stderr.splitlines()
    files = [line for line in lines if line.startswith('  File "')]
    if option:
        assert any("optable.py" in line for line in files)
        return
    assert [line.partition(", ")[2] for line in files] == [
        "line 5, in <module>",
        "line 4, in construct",
    ]
    assert "RuntimeError: For 'matmul'" in done.stderr
    assert lines[-1] == "(agar run --traceback shows the lines inside agar as well)"


def test_a_program_that_exits_keeps_its_status(tmp_path):
    path = tmp_path / "ends.py"
    path.write_text("raise SystemExit(3)\n")
    assert agar("run", str(path)).returncode == 3


def test_doctor():
    done = agar("doctor")
    assert done.returncode == 0
    for word in ("agar", "torch", "device CPU", "available"):
        assert word in done.stdout


def test_the_command_says_its_version():
    import agar

    result = new_python("-m", "agar", "--version")
    assert result.stdout == f"agar {agar.__version__}\n"


def test_the_package_has_a_version_for_programs_that_ask():
    done = python(
        """
        import agar
        agar.alias_mindspore()
        from importlib import metadata
        print(metadata.version("mindspore"), metadata.metadata("mindspore")["Name"])
        assert "mindspore" in {d.metadata["Name"] for d in metadata.distributions()}
        assert metadata.version("numpy")
        try:
            metadata.version("mindspore-lite")
        except metadata.PackageNotFoundError:
            print("no other")
        """
    )
    assert done.stdout.split("\n")[:2] == ["2.10.0 mindspore", "no other"], done.stderr
