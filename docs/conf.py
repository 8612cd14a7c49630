"""How Sphinx builds the site: `make docs`."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
# tests/ has the definition of the public surface, which the API pages follow
sys.path[:0] = [str(HERE / "_ext"), str(HERE.parent / "src"), str(HERE.parent / "tests")]

import agar

project = "agar"
author = "The agar authors"
project_copyright = "2026, The agar authors"
release = agar.__version__

extensions = [
    "myst_parser",
    "mathml",
    "sphinx_copybutton",
    "api_pages",
    "notebook_pages",
    "example_runs",
    "edit_links",
]
exclude_patterns = ["_ext", "_templates"]
html_math_renderer = "mathml"
source_suffix = {".md": "markdown"}
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 2

html_theme = "furo"
html_title = f"agar {release}"
html_copy_source = False
html_static_path = ["_static"]
html_css_files = ["agar.css"]
html_js_files = ["versions.js"]
templates_path = ["_templates"]
# the theme's own, with the switch of versions under the name
html_sidebars = {
    "**": [
        "sidebar/brand.html",
        "sidebar/versions.html",
        "sidebar/search.html",
        "sidebar/scroll-start.html",
        "sidebar/navigation.html",
        "sidebar/scroll-end.html",
    ]
}

# what is copied of an example is what is typed
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
copybutton_exclude = ".linenos, .gp, .go"
