"""The site's versions and links to what is to be edited."""

from __future__ import annotations

import json

import pytest

from agar import nn
from file_modules import ROOT, load

publish_site = load("scripts/publish_site.py")
edit_links = load("docs/_ext/edit_links.py")


def site(folder, text):
    (folder / "api").mkdir(parents=True)
    (folder / "searchindex.js").write_text(text)
    (folder / "api" / "index.html").write_text(text)
    return folder


def test_versions_lie_side_by_side(tmp_path):
    out = tmp_path / "out"
    for version in ("0.9.0", "0.10.0", "0.9.0"):
        publish_site.publish(
            site(tmp_path / f"{version}-{len(list(tmp_path.iterdir()))}", version), out, version
        )
    (out / "notes").mkdir()
    assert json.loads((out / "versions.json").read_text()) == ["0.10.0", "0.9.0"]
    assert "url=0.10.0/" in (out / "index.html").read_text()
    assert (out / "0.9.0" / "api" / "index.html").read_text() == "0.9.0"


def test_what_is_no_site_stays(tmp_path):
    with pytest.raises(SystemExit, match="make docs"):
        publish_site.publish(tmp_path, tmp_path / "out", "1.0")
    (tmp_path / "out" / "1.0").mkdir(parents=True)
    with pytest.raises(SystemExit, match="stays as it is"):
        publish_site.publish(site(tmp_path / "site", ""), tmp_path / "out", "1.0")


def test_sources_of_pages():
    assert edit_links.source("tutorials/data") == "docs/tutorials/data.py"
    assert edit_links.source("tutorials/index") == "docs/tutorials/index.md"
    assert edit_links.source("guide/graph") == "docs/guide/graph.md"
    assert edit_links.source("performance") == "benchmarks/RESULTS.md"
    assert edit_links.source("genindex") is None
    assert edit_links.file_of(nn.Dense) == "src/agar/nn/layer/basic.py"
    assert edit_links.file_of(len, nn) == "src/agar/nn/__init__.py"
    assert edit_links.file_of(len) is None


def test_losses_of_examples(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "docs" / "_ext")
    losses_in = load("docs/_ext/example_runs.py").losses_in
    text = "epoch: 1 step: 25, loss is 0.5\nprocess 0, epoch 2: loss 0.25, overlap 1.5\n"
    assert losses_in(text) == ([1, 2], [0.5, 0.25])
    assert losses_in("loss 1.4 -> 0.2\naccuracy 0.9\nepochs 3: lossless 0.1") == ([], [])


def test_formulas():
    pytest.importorskip("latex2mathml", reason="the site's packages are not installed")
    mathml = load("docs/_ext/mathml.py")
    assert "<mfrac>" in mathml.formula(r"\frac{x}{n}")
    for source in ("a &= b \\\\\nc &= d", "a &= b\n\nc &= d"):
        assert mathml.formula(source, block=True).count("<mtr>") == 2
    cases = mathml.formula(r"y = \begin{cases} 1 & x > 0 \\ 0 & x \le 0 \end{cases}")
    assert cases.count("<mtr>") == 2
    for source in (r"a \nothing b", "a & b"):
        with pytest.raises(mathml.ExtensionError, match="is not known"):
            mathml.formula(source)
