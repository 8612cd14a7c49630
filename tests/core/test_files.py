"""Files that take their place whole or not at all, and what killed processes leave."""

import os
import stat
import time

import pytest

import forked
from agar._core import files
from agar._core.files import FileWriteError, replacing, replacing_together, sweep

pytestmark = [
    pytest.mark.skipif(os.name == "nt", reason="signals, links and permission bits"),
    pytest.mark.pynative,  # files are written in the same way in both modes
]


def _temporary(folder):
    return sorted(n for n in os.listdir(folder) if n.endswith(".agar-tmp"))


def _left_by_dead_process(folder, base="x.ckpt"):
    """A file as a killed process leaves it."""
    code = (
        "import os, sys\nfrom agar._core.files import Unfinished\n"
        "Unfinished(sys.argv[1])\nos.kill(os.getpid(), 9)"
    )
    assert forked.run(code, str(folder / base)).returncode == -9
    (name,) = _temporary(folder)
    return folder / name


def _renamed(path, **parts):
    """The file under the name of another process; `parts` replaces kernel, space, pid, start."""
    match = files._NAME.fullmatch(path.name)
    fields = dict(zip(("kernel", "space", "pid", "start"), match.groups(), strict=True))
    owner = "-".join({**fields, **parts}[k] for k in fields)
    return path.rename(path.with_name(f".x.{owner}-{'0' * 12}.agar-tmp"))


def test_what_a_killed_process_left_goes_with_the_next_write(tmp_path):
    left = _left_by_dead_process(tmp_path)
    with replacing(tmp_path / "other") as new:  # of any target in the folder
        assert _temporary(tmp_path) == [os.path.basename(new)]
    assert os.listdir(tmp_path) == ["other"]
    assert not left.exists()


def test_another_thread_or_process_keeps_its_file(tmp_path):
    with replacing(tmp_path / "a") as first:
        with replacing(tmp_path / "a") as second:
            assert os.path.exists(first)
            (tmp_path / os.path.basename(second)).write_text("second")
        (tmp_path / os.path.basename(first)).write_text("first")
    assert (tmp_path / "a").read_text() == "first"
    assert os.listdir(tmp_path) == ["a"]


@pytest.mark.parametrize(
    ("parts", "age", "goes"),
    [
        ({}, 0, True),
        ({"pid": str(os.getppid()), "start": "1"}, 0, True),  # the number was used again
        ({"pid": "living"}, 1e6, False),
        ({"kernel": "0" * 8}, 0, False),  # another machine: it may be writing
        ({"kernel": "0" * 8}, 2 * files.STALE, True),
        ({"space": "1"}, 0, False),  # another container
        ({"space": "1"}, 2 * files.STALE, True),
    ],
)
def test_who_may_still_write(tmp_path, parts, age, goes):
    left = _left_by_dead_process(tmp_path)
    if parts.get("pid") == "living":
        pid = os.getppid()
        parts = {"pid": str(pid), "start": str(files._start_of(pid) or 0)}
    left = _renamed(left, **parts)
    os.utime(left, (time.time() - age, time.time() - age))
    sweep(tmp_path)
    assert left.exists() is not goes


@pytest.mark.skipif(files.fcntl is None, reason="no locks")
def test_a_file_that_is_locked_stays(tmp_path):
    left = _renamed(_left_by_dead_process(tmp_path), kernel="0" * 8)
    os.utime(left, (0, 0))
    with open(left, "rb") as file:
        files.fcntl.flock(file, files.fcntl.LOCK_EX)
        sweep(tmp_path)
        assert left.exists()
    sweep(tmp_path)
    assert not left.exists()


def test_foreign_names_links_and_folders_stay(tmp_path):
    left = _left_by_dead_process(tmp_path)
    target = tmp_path / "thesis"
    target.write_text("mine")
    name = left.name
    left.rename(tmp_path / "kept")
    (tmp_path / name).symlink_to(target)
    (tmp_path / name.replace(".x", ".y")).mkdir()
    for other in (".net.ckpt.0123456789ab.tmp", ".mine.agar-tmp", "x.agar-tmp"):
        (tmp_path / other).write_text("mine")
    before = sorted(os.listdir(tmp_path))
    sweep(tmp_path)
    assert sorted(os.listdir(tmp_path)) == before
    assert target.read_text() == "mine"


def test_modes(tmp_path):
    file = tmp_path / "a"
    for mode in (0o400, 0o600, 0o640, 0o444):
        file.write_text("old") if not file.exists() else None
        file.chmod(mode)
        with replacing(file) as new:
            assert stat.S_IMODE(os.stat(new).st_mode) & ~(mode | 0o600) == 0  # private meanwhile
            with open(new, "w") as stream:
                stream.write("new")
        assert stat.S_IMODE(file.stat().st_mode) == mode
    assert file.read_text() == "new"


def test_targets_that_are_no_files(tmp_path):
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "circle").symlink_to("circle")
    for name, error in (
        ("folder", IsADirectoryError),
        ("pipe", FileWriteError),
        ("circle", FileWriteError),
        ("no/x", FileNotFoundError),
    ):
        with pytest.raises(error), replacing(tmp_path / name):
            raise AssertionError("never")
    assert sorted(os.listdir(tmp_path)) == ["circle", "folder", "pipe"]
    with pytest.raises(FileWriteError, match="special file"), replacing("/dev/null"):
        raise AssertionError("never")
    real = tmp_path / "folder" / "real"
    (tmp_path / "link").symlink_to(real)
    with replacing(tmp_path / "link") as new:
        assert os.path.dirname(new) == str(real.parent)
    assert real.exists()
    assert (tmp_path / "link").is_symlink()


def _write(path, text):
    with open(path, "w") as file:
        file.write(text)


def test_several_files_take_their_places_together(tmp_path):
    (tmp_path / "a").write_text("old")
    with replacing_together() as begin:
        _write(begin(tmp_path / "a"), "new")
        _write(begin(tmp_path / "x/y/b"), "new")
        assert (tmp_path / "a").read_text() == "old"
        assert not (tmp_path / "x/y/b").exists()
    assert [(tmp_path / name).read_text() for name in ("a", "x/y/b")] == ["new", "new"]
    assert _temporary(tmp_path) == _temporary(tmp_path / "x/y") == []


def test_of_several_files_none_takes_its_place_after_an_error(tmp_path):
    (tmp_path / "a").write_text("old")
    (tmp_path / "kept").mkdir()

    def write(*names, error=None):
        with replacing_together() as begin:
            for name in names:
                _write(begin(tmp_path / name), "new")
            if error is not None:
                raise error

    for error in (ValueError("on purpose"), KeyboardInterrupt()):
        with pytest.raises(type(error)):
            write("a", "x/y/b", "kept/z/c", error=error)
        assert sorted(os.listdir(tmp_path)) == ["a", "kept"]
        assert os.listdir(tmp_path / "kept") == []
        assert (tmp_path / "a").read_text() == "old"
    with pytest.raises(ValueError, match="would be written twice"):
        write("b", "kept/../b")
    with pytest.raises(IsADirectoryError):
        write("b", "kept")
    assert sorted(os.listdir(tmp_path)) == ["a", "kept"]


def test_an_error_of_the_disk_names_the_target(tmp_path):
    def write():
        with replacing_together() as begin, replacing(begin(tmp_path / "target")):
            raise OSError(28, "full")

    with pytest.raises(
        FileWriteError, match=r"The file '.*/target' could not be written: full"
    ) as e:
        write()
    assert e.value.filename == str(tmp_path / "target")
    assert os.listdir(tmp_path) == []


def test_many_files_do_not_use_up_the_handles(tmp_path):
    code = (
        "import resource, sys\nfrom agar._core.files import replacing_together\n"
        "limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]\n"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (64, limit))\n"
        "with replacing_together() as begin:\n"
        "    [begin(f'{sys.argv[1]}/{i}/x') for i in range(100)]\n"
    )
    done = forked.run(code, str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert len(list(tmp_path.glob("*/x"))) == 100


def test_the_folder_may_change_meanwhile(tmp_path, monkeypatch):
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)
    with replacing("a"):
        os.chdir("elsewhere")
    assert sorted(os.listdir(tmp_path)) == ["a", "elsewhere"]
    assert os.listdir() == []


FULL = """
import os, resource, signal, sys
import agar as ms, numpy as np
from agar.mindrecord import FileWriter
from agar.train import save_checkpoint, save_training_state
what, name = sys.argv[1:]
net = ms.nn.Dense(300, 300)
sys.dont_write_bytecode = True  # Python would leave the beginnings of modules
resource.setrlimit(resource.RLIMIT_FSIZE, (50000, 50000))
try:
    if what == "export":
        ms.export(net, ms.Tensor(np.ones((1, 300), np.float32)), file_name=name,
                  file_format="MINDIR")
    elif what == "state":
        save_training_state(name, net)
    elif what == "write_file":
        ms.dataset.vision.write_file(name, np.zeros(100000, np.uint8))
    else:
        save_checkpoint(net, name, format=what, async_save=False)
except RuntimeError as error:
    print(f"{error}")
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("what", "name"),
    [
        ("export", "a.mindir"),
        ("ckpt", "a.ckpt"),
        ("safetensors", "a.safetensors"),
        ("state", "a.ckpt"),
        ("write_file", "a.bin"),
    ],
)
def test_a_full_disk(tmp_path, what, name):
    (tmp_path / name).write_text("old")
    done = forked.run(FULL, what, str(tmp_path / name))
    assert done.returncode == 0, done.stderr
    assert f"{name}' could not be written" in done.stdout
    assert "File too large" in done.stdout
    assert os.listdir(tmp_path) == [name]
    assert (tmp_path / name).read_text() == "old"


@pytest.mark.parametrize(
    "text",
    [
        "Error while serializing: I/O error: No space left on device (os error 28)",
        "[enforce fail at inline_container.cc] . PytorchStreamWriter failed writing file data/0",
        "database or disk is full",
    ],
)
def test_errors_of_libraries_are_translated(tmp_path, text):
    class Strange(Exception):
        pass

    (tmp_path / "a").write_text("old")
    with (
        pytest.raises(FileWriteError, match=r"a' could not be written.*unchanged") as caught,
        replacing(tmp_path / "a"),
    ):
        raise Strange(text)
    assert isinstance(caught.value, RuntimeError)
    assert isinstance(caught.value, OSError)
    assert os.listdir(tmp_path) == ["a"]
    with pytest.raises(Strange, match="a fault"), replacing(tmp_path / "a"):
        raise Strange("a fault of the program")


KILLED = """
import os, random, sys, time
import agar as ms
from agar.mindrecord import FileWriter
from agar.train import save_checkpoint, save_training_state
from agar._core.graph.backends import inductor

folder, kills = sys.argv[1], int(sys.argv[2])
net = ms.nn.Dense(600, 600)

def save(rounds):
    for _ in range(rounds):
        save_checkpoint(net, f"{folder}/a.ckpt")
        save_checkpoint(net, f"{folder}/a.safetensors", format="safetensors")
        save_training_state(f"{folder}/state.ckpt", net)
        inductor.write_file(f"{folder}/b.o1", b"x" * 1000000)
        writer = FileWriter(f"{folder}/c.mindrecord", overwrite=True)
        writer.set_header_size(16384)
        writer.add_schema({"n": {"type": "int32"}})
        writer.write_raw_data([{"n": 1}])
        writer.commit()

dice = random.Random(kills)
save(1)  # what it imports
most = left = 0
for _ in range(kills):
    pid = os.fork()
    if not pid:
        try:
            save(10**9)
        finally:
            os._exit(1)
    time.sleep(dice.random() * 0.1)
    os.kill(pid, 9)
    assert os.waitpid(pid, 0)[1] == 9
    names = [n for n in os.listdir(folder) if n.endswith("-tmp") or "part" in n or "journal" in n]
    left += bool(names)
    targets = [n.split(".")[1] + n.split(".")[2] for n in names]
    most = max([most, *map(targets.count, targets)])
net2 = ms.nn.Dense(600, 600)
if os.path.exists(f"{folder}/a.ckpt"):
    ms.load_checkpoint(f"{folder}/a.ckpt", net2)
print(most, left, len(names))
"""


@pytest.mark.slow
def test_kills_during_saves_leave_one_file_per_target(tmp_path):
    """`AGAR_KILLS=500` makes it the long trial."""
    kills = os.environ.get("AGAR_KILLS", "30")
    done = forked.run(KILLED, str(tmp_path), kills, timeout=60 + int(kills))
    assert done.returncode == 0, done.stderr
    most, left, last = map(int, done.stdout.split()[-3:])
    print(f"{kills} kills: {left} left a file, at most {most} per target, {last} at the end")
    assert left > 0  # else nothing was tried
    assert most <= 1
