"""The page of HTML, looked at by a browser after its script ran."""

from __future__ import annotations

import base64
import json
import re
import time

import pytest

from agar.migrate.report import page
from agar.migrate.result import Report, Source, Stats
from migrate.chromium import Chromium
from migrate.report_samples import cell, compared, failing, large, passing


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    chromium = Chromium(tmp_path_factory.mktemp("profile"))
    yield chromium
    chromium.close()


@pytest.fixture
def shown(browser, tmp_path):
    """Open a report's page; in the end nothing on it may have failed."""

    def show(report, fragment="", size=(1300, 900)):
        browser.open(report.to_html(tmp_path / "report.html"), fragment, size)
        return browser

    yield show
    assert browser.messages == []


def visible(browser):
    return browser.ask(
        "[...document.querySelectorAll('.row')].filter(r => !r.hidden).map(r => r.dataset.path)"
    )


def text(browser, selector):
    return browser.ask(f"document.querySelector({json.dumps(selector)}).innerText")


def test_summary_problems_and_suggestion(shown):
    browser = shown(failing())
    assert text(browser, ".verdict") == "not equal"
    tiles = text(browser, ".tiles")
    assert "0 %" in tiles
    assert "83.3 %" in tiles
    assert "inf" in tiles
    assert "head raised ValueError" in text(browser, "#problems")
    assert "pad_mode is 'same' by default" in text(browser, "#divergence")
    assert "nn.Conv2d(1, 8, 4, pad_mode='pad'" in text(browser, "#divergence pre")
    assert text(browser, "#details h2").startswith("conv1")  # the first divergence is open
    assert browser.ask("document.querySelectorAll('#curve svg path').length") == 2
    assert "leaves the band" in text(browser, "#curve")
    # problems come first
    assert browser.ask(
        "document.getElementById('problems').compareDocumentPosition("
        "document.getElementById('tree')) & Node.DOCUMENT_POSITION_FOLLOWING"
    )


def test_passing_report(shown):
    browser = shown(passing())
    assert text(browser, ".verdict") == "equal"
    assert browser.ask("document.getElementById('problems').hidden")
    assert browser.ask("document.getElementById('divergence').hidden")
    assert "dropout masks were shared" in text(browser, "#notes")
    assert "float32" in text(browser, "#settings")


def test_a_click_shows_comparisons_statistics_histograms_and_sources(shown):
    browser = shown(passing())
    browser.click('.row[data-path="features.0"] .name')
    assert text(browser, "#details h2").startswith("features.0")
    assert browser.ask("location.hash") == "#cell=features.0"
    assert browser.ask("document.querySelectorAll('#details tr.pick').length") == 3
    assert browser.ask("document.querySelectorAll('#details svg path').length") == 2
    statistics = text(browser, "#details .stats table")
    assert "(2, 8, 9, 9)" in statistics
    assert "float32" in statistics
    assert "class Net(nn.Cell)" in text(browser, "#details .pair div:last-child pre")
    assert "class Net(torch.nn.Module)" in text(browser, "#details .pair div:first-child pre")
    browser.click("#details tr.pick:nth-child(3)")
    assert text(browser, "#details .stats th") == "gradient of weight"


def test_hash_opens_a_cell(shown):
    browser = shown(failing(), "#cell=norm")
    assert text(browser, "#details h2").startswith("norm")
    assert browser.ask("document.querySelector('[aria-selected=true]').dataset.path") == "norm"


def test_search_and_filters(shown):
    browser = shown(passing())
    browser.ask("document.getElementById('search').focus()")
    for letter in "batchnorm":
        browser.press(letter)
    assert visible(browser) == ["", "features", "features.1"]  # with what lies above it
    browser.press("Enter")
    assert text(browser, "#details h2").startswith("features.1")
    browser.ask("document.getElementById('search').focus()")
    browser.press("Escape")
    assert len(visible(browser)) == 5

    browser = shown(failing())
    browser.click('#filters button[data-status="failed"]')
    assert visible(browser) == ["", "head"]
    browser.click('#filters button[data-status="failed"]')
    assert len(visible(browser)) == 7
    browser.ask("document.getElementById('search').value = 'nothing like this'")
    browser.ask("document.getElementById('search').dispatchEvent(new Event('input'))")
    assert visible(browser) == []
    assert text(browser, "#none") == "No cell fits."


def test_keyboard(shown):
    browser = shown(failing())
    browser.ask("document.getElementById('tree').focus()")
    browser.press("ArrowDown")
    assert text(browser, "#details h2").startswith("norm")
    browser.press("n")
    assert text(browser, "#details h2").startswith("head")
    browser.press("ArrowLeft")  # to the row above it in the tree
    assert text(browser, "#details h2").startswith("Net")
    browser.press("ArrowLeft")
    assert visible(browser) == [""]
    browser.press("ArrowRight")
    assert len(visible(browser)) == 7
    browser.press("/")
    assert browser.ask("document.activeElement.id") == "search"


def test_worst_first(shown):
    browser = shown(large(10))
    browser.ask("document.getElementById('order').value = 'worst'")
    browser.ask("document.getElementById('order').dispatchEvent(new Event('change'))")
    errors = browser.ask(
        "[...document.querySelectorAll('.row')].filter(r => !r.hidden)"
        ".map(r => parseFloat(r.querySelector('.err').textContent))"
    )
    assert len(errors) == 82
    assert errors == sorted(errors, reverse=True)


def test_copy_button(shown):
    browser = shown(failing())
    browser.send("Browser.grantPermissions", permissions=["clipboardReadWrite"])
    browser.ask(
        """window.said = [];
        const copier = document.querySelector("#divergence .copier");
        const watch = new MutationObserver(() => said.push(copier.innerText));
        watch.observe(copier, {childList: true});"""
    )
    browser.click("#divergence .copier")
    deadline = time.monotonic() + 20
    while not browser.ask("said.length") and time.monotonic() < deadline:
        time.sleep(0.02)
    assert browser.ask("said[0]") == "copied"


def test_a_thousand_cells_stay_fluent(shown):
    browser = shown(large())
    # what is equal is folded, what is not is open
    paths = visible(browser)
    assert len(paths) < 150
    assert "layers.62.1" in paths
    assert "layers.61.1" not in paths
    assert browser.ask("document.querySelectorAll('.row').length") == 1002
    milliseconds = browser.ask(
        """(() => {
            const start = performance.now();
            const search = document.getElementById("search");
            for (const words of ["c", "co", "con", "conv", ""]) {
                search.value = words;
                search.dispatchEvent(new Event("input"));
                document.body.getBoundingClientRect();
            }
            return (performance.now() - start) / 5;
        })()"""
    )
    assert milliseconds < 400, "a key stroke in the search takes too long"
    browser.click("#unfold")
    assert len(visible(browser)) == 1002


HOSTILE = "</script><img src=x onerror=\"document.title='owned'\">&amp;\u2028'\"`${1}\x1b[31m@DATA@"


def test_names_and_sources_are_text(shown):
    entry = cell("block." + HOSTILE.replace(".", "_"), HOSTILE, HOSTILE, error=0.5, reason=HOSTILE)
    entry.cell_source = entry.module_source = Source(HOSTILE, 1, HOSTILE)
    report = Report(HOSTILE, "PYNATIVE_MODE", [cell("", "Net", leaf=False), entry])
    report.problems = [HOSTILE, "lone \ud800 surrogate", "__proto__"]
    report.network = [compared("output", 0.5, "eval", reason=HOSTILE)]
    report.settings = {HOSTILE: HOSTILE}
    browser = shown(report)
    assert browser.ask("document.title") != "owned"
    assert browser.ask("document.querySelectorAll('img').length") == 0
    assert "</script><img" in text(browser, "#problems")
    assert "</script><img" in text(browser, "#details pre")
    assert browser.ask("document.scripts.length") == 2


@pytest.mark.parametrize("path", ["__proto__", "constructor", "a/b c%", "weiß.✓"])
def test_odd_paths_can_be_chosen(shown, path):
    report = Report("Net", "PYNATIVE_MODE", [cell("", "Net", leaf=False), cell(path, "Dense")])
    browser = shown(report)
    browser.click(".row:last-child .name")
    assert text(browser, "#details h2").startswith(path)


def test_empty_and_incomplete_reports(shown):
    browser = shown(Report("Net", "PYNATIVE_MODE"))
    assert visible(browser) == [""]
    odd = cell("a.b.c", "Dense", comparisons=[], cell_source=None, module_source=None)
    constant = Stats((), "float32", 1.0, 1.0, 1.0, 0.0, nans=2, infinities=1, counts=[1])
    empty = Stats((0, 3), "float32")
    odd.comparisons = [
        compared("output", None, reason="no output"),
        compared("x", 0.0),
        compared("y", float("nan")),
    ]
    odd.comparisons[1].original = odd.comparisons[1].migrated = constant
    odd.comparisons[2].original, odd.comparisons[2].migrated = empty, None
    browser = shown(Report("Net", "PYNATIVE_MODE", [odd]), "#cell=a.b.c")
    assert visible(browser) == ["", "a", "a.b", "a.b.c"]
    for row in (1, 2, 3):
        browser.click(f"#details tr.pick:nth-child({row})")
    assert "(0, 3)" in text(browser, "#details .stats")
    browser.click('.row[data-path="a.b"] .name')
    assert "part of the tree" in text(browser, "#details")


@pytest.mark.parametrize("size", [(390, 844), (800, 900), (1600, 900)])
def test_nothing_is_wider_than_the_window(shown, size):
    report = failing()
    report.cells[1].reason = "x" * 500
    report.first_divergence.line = "self.conv1 = nn.Conv2d(" + "1, " * 200 + ")"
    browser = shown(report, size=size)
    assert browser.ask("document.documentElement.scrollWidth") <= size[0]


def test_dark_and_print(shown, tmp_path):
    browser = shown(failing())
    light = browser.ask("getComputedStyle(document.body).backgroundColor")
    browser.send(
        "Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}]
    )
    try:
        dark = browser.ask("getComputedStyle(document.body).backgroundColor")
    finally:
        browser.send("Emulation.setEmulatedMedia", features=[])
    assert light != dark
    printed = base64.b64decode(browser.send("Page.printToPDF")["data"])
    assert printed.startswith(b"%PDF")


def test_the_file_needs_nothing_else(tmp_path):
    path = failing().to_html(tmp_path / "new" / "report.html")
    written = path.read_text(encoding="utf-8")
    assert re.findall(r"(?:src|href)\s*=\s*[\"']?(?!#)[\w:/.]+", written) == []
    assert "@import" not in written
    assert not re.search(r"https?://(?!www\.w3\.org)", written)
    assert list(path.parent.iterdir()) == [path]


def test_data_are_the_report(tmp_path):
    report = failing()
    found = re.search(r'id="data">(.*?)</script>', page.render(report), re.DOTALL)
    assert found is not None
    data = json.loads(found[1])
    assert [c["path"] for c in data["cells"]] == [c.path for c in report.cells]
    assert data["report"]["passed"] is False
    assert data["cells"][1]["error"] == "inf"
    assert len(data["sources"]) == 2  # each once
