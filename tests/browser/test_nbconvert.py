"""nbconvert's HTML of notebook 01, opened from a file with no network: the table is there, with every number."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

from lab import NOTEBOOK, ROOT
from playwright.sync_api import Browser, expect

#: the command that the README gives
COMMAND = re.compile(r"^jupyter (nbconvert .*)$", re.M)


def test_the_command_in_the_readme_gives_a_page_that_shows_the_table_offline(
    browser: Browser, tmp_path: Path
) -> None:
    found = COMMAND.search((ROOT / "README.md").read_text(encoding="utf-8"))
    assert found
    command = shlex.split(found[1])
    command = [str(ROOT / NOTEBOOK) if word.endswith(".ipynb") else word for word in command]
    subprocess.run(
        [sys.executable, "-m", "jupyter", *command, f"--output-dir={tmp_path}"],
        check=True,
        capture_output=True,
    )
    (page_file,) = tmp_path.glob("*.html")
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.goto(page_file.as_uri())
    table = page.get_by_role("table").filter(has_text="routed experts").first
    expect(table).to_be_visible()
    expect(page.locator("body")).to_contain_text("5,711,982,912")
    page.screenshot(path=ROOT / "test-results" / "nbconvert.png")
    context.close()
