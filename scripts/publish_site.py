"""Puts the site that `make docs` built beside those of other versions.

    python scripts/publish_site.py FOLDER

FOLDER/VERSION becomes the site, FOLDER/versions.json lists all versions there, the newest first,
for the switch in the sidebar, and FOLDER/index.html leads to the newest.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from pathlib import Path

from packaging.version import InvalidVersion, Version

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))


def versions(folder: Path) -> list[str]:
    """The versions whose sites lie in a folder, the newest first."""
    names = []
    for site in folder.iterdir():
        try:
            Version(site.name)
        except InvalidVersion:
            continue
        if (site / "searchindex.js").is_file():
            names.append(site.name)
    return sorted(names, key=Version, reverse=True)


def publish(site: Path, folder: Path, version: str) -> list[str]:
    """Copy a site to its version's folder, and write the list."""
    if not (site / "searchindex.js").is_file():
        sys.exit(f"there is no site in {site}: `make docs` builds it")
    folder.mkdir(parents=True, exist_ok=True)
    place = folder / version
    if place.exists() and not (place / "searchindex.js").is_file():
        sys.exit(f"{place} is something else than a site, and stays as it is")
    shutil.copytree(site, place, dirs_exist_ok=True)
    names = versions(folder)
    (folder / "versions.json").write_text(json.dumps(names), encoding="utf-8")
    start = f'<meta http-equiv="refresh" content="0; url={names[0]}/">\n'
    (folder / "index.html").write_text(start, encoding="utf-8")
    return names


def main() -> None:
    """Publish the site of this version."""
    import agar

    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    names = publish(ROOT / "site", parser.parse_args().folder, agar.__version__)
    print("versions:", ", ".join(names))


if __name__ == "__main__":
    main()
