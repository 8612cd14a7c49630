"""Builds the wheel and the sdist, checks them, and tries the wheel in a fresh environment.

    make package                  all of it; the files are left in dist/
    python scripts/package.py --no-try

The trial installs the wheel as a user would, into an environment of its own and in a folder
outside the repository, asks for its version and runs the blocks of the quick start, each of which
must print what the page says. Versions of dependencies are those of requirements/base.txt.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
#: What each file must have, beside the package: a missing one is seen by users only.
IN_WHEEL = ("agar/py.typed", "agar/__init__.pyi", "agar/migrate/report/assets/page.html")
IN_SDIST = ("pyproject.toml", "Makefile", "conftest.py", "README.md", "CHANGELOG.md", "LICENSE")
IN_SDIST += ("tests/test_docs.py", "scripts/stubs.py", "benchmarks/RESULTS.md", "docs/conf.py")


def run(*command: str | Path, cwd: Path = ROOT) -> str:
    """What a command prints; its failure ends the script with its output."""
    # the environment that calls must not lend its packages to the one that is tried
    env = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")}
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=env,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{done.stdout}")
    return done.stdout


def build(folder: Path) -> tuple[Path, Path]:
    """The wheel and the sdist, built from nothing."""
    shutil.rmtree(folder, ignore_errors=True)
    run(sys.executable, "-m", "build", "--outdir", folder)
    (wheel,) = folder.glob("*.whl")
    (sdist,) = folder.glob("*.tar.gz")
    return wheel, sdist


def check(wheel: Path, sdist: Path) -> None:
    """What they hold, and whether an index takes them."""
    run(sys.executable, "-m", "twine", "check", "--strict", wheel, sdist)
    with zipfile.ZipFile(wheel) as file:
        names = file.namelist()
    missing = [name for name in IN_WHEEL if name not in names]
    packaged = {name for name in names if name.startswith("agar/")}
    tracked = run("git", "ls-files", "src").splitlines()
    missing += [name for name in tracked if name.removeprefix("src/") not in packaged]
    odd = [name for name in names if not name.startswith("agar") or "__pycache__" in name]
    if missing or odd:
        sys.exit(f"{wheel.name} lacks {missing[:5]}, and should not have {odd[:5]}")
    with tarfile.open(sdist) as file:
        names = [name.partition("/")[2] for name in file.getnames()]
    missing = [name for name in IN_SDIST if name not in names]
    if missing:
        sys.exit(f"{sdist.name} lacks {missing}")


def attempt(wheel: Path, folder: Path) -> tuple[float, float]:
    """Install the wheel and run what a newcomer runs; seconds for both."""
    venv.create(folder / "env", with_pip=True)
    python = folder / "env" / ("Scripts" if os.name == "nt" else "bin") / "python"
    start = time.monotonic()
    run(python, "-m", "pip", "install", "-q", "-c", ROOT / "requirements/base.txt", wheel)
    installed = time.monotonic()
    version = run(python.with_name("agar"), "--version", cwd=folder).strip()
    expected = f"agar {wheel.name.split('-')[1]}"
    if version != expected:
        sys.exit(f"agar --version says {version!r}, the wheel is {expected!r}")
    place = run(python, "-c", "import agar; print(agar.__file__)", cwd=folder).strip()
    if not Path(place).is_relative_to(folder.resolve()):
        sys.exit(f"the trial imported {place}, which is not the installed package")
    page = ROOT / "docs" / "quickstart.md"
    run(python, ROOT / "scripts" / "run_page.py", page, cwd=folder)
    return installed - start, time.monotonic() - installed


def main() -> None:
    """Build, check, try."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--no-try", action="store_true", help="leave out the fresh environment")
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="folder of the files")
    options = parser.parse_args()
    wheel, sdist = build(options.out)
    for file in (wheel, sdist):
        print(f"{file.name}: {file.stat().st_size / 1e6:.1f} MB")
    check(wheel, sdist)
    print("twine check --strict: passed")
    if not options.no_try:
        with tempfile.TemporaryDirectory() as folder:
            install, use = attempt(wheel, Path(folder))
        print(
            f"installed in a fresh environment: {install:.0f} s; version, quick start: {use:.0f} s"
        )


if __name__ == "__main__":
    main()
