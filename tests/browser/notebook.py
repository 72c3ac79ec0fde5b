"""A notebook in JupyterLab, by what a reader sees and does there."""

import json
import re
from pathlib import Path

from lab import NOTEBOOK, Server
from playwright.sync_api import Browser, FloatRect, Locator, ViewportSize, expect

FILE = Path(__file__).parent.parent.parent / NOTEBOOK
CODE_CELLS = sum(
    cell["cell_type"] == "code" for cell in json.loads(FILE.read_text(encoding="utf-8"))["cells"]
)

# A busy machine is slow, not wrong.
WAIT_MILLISECONDS = 60_000

# What a picture shows around the view; the gap between a cell and what it shows is about as wide.
MARGIN = 8

# Resolves when an element has kept its place for half a second of frames.
STAND_STILL = """
element => new Promise(resolve => {
  let last = "", frames = 0;
  const look = () => {
    const { x, y, width, height } = element.getBoundingClientRect();
    const place = [x, y, width, height].join();
    frames = place === last ? frames + 1 : 0;
    last = place;
    frames < 30 ? requestAnimationFrame(look) : resolve();
  };
  look();
})
"""


def ask_for_more(view: Locator) -> None:
    """What the second module does in a view of gpt-oss-120b: memory, and a claim that is typed; back to the bridge."""
    view.get_by_role("tab", name="memory").click()
    expect(view.get_by_role("tabpanel", name="memory")).to_contain_text("73,728 bytes a token")
    box = view.get_by_role("textbox", name="A number that somebody printed")
    box.fill("116.8B parameters in total")
    box.press("Enter")
    expect(view.locator(".pw-verdict")).to_contain_text("116.8B: match")
    view.get_by_role("tab", name="bridge").click()


class Notebook:
    """Notebook 01, open in a page of its own."""

    def __init__(self, browser: Browser, server: Server, width: int = 1400, height: int = 1000) -> None:
        #: every address that the page has asked
        self.requests: list[str] = []
        #: every exception that nothing in the page caught
        self.errors: list[str] = []
        self.page = browser.new_page(viewport={"width": width, "height": height})
        self.page.set_default_timeout(WAIT_MILLISECONDS)
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("websocket", lambda socket: self.requests.append(socket.url))
        self.page.on("pageerror", lambda error: self.errors.append(error.stack or str(error)))
        self.page.goto(server.page(NOTEBOOK))
        self.page.get_by_role("heading", name="5.13B or 5.71B?").wait_for()

    @property
    def view_cell(self) -> Locator:
        """The cell that makes the view, with what it shows."""
        return self.page.locator(".jp-CodeCell").filter(has_text="view = pw.ParamView(")

    @property
    def view(self) -> Locator:
        return self.view_cell.get_by_role("region", name="Parameters of openai/gpt-oss-120b")

    @property
    def embedding(self) -> Locator:
        """The toggle of the embedding."""
        return self.view.get_by_role("checkbox", name=re.compile(r"^count embedding\b"))

    @property
    def active(self) -> Locator:
        """The switch to the active basis, whose name says how many parameters are active."""
        return self.view.get_by_role("radio", name=re.compile(r"^active\b"))

    def run_all(self) -> None:
        """Run every cell, until the last one has run."""
        cells = self.page.locator(".jp-CodeCell")
        # Without the saved outputs and numbers, what is there afterwards is new.
        self.menu("Edit", "Clear Outputs of All Cells")
        expect(cells.locator(".jp-OutputArea-output")).to_have_count(0)
        self.menu("Run", "Run All Cells")
        # As the file has them: JupyterLab draws the cells that are out of sight later.
        expect(self.prompt(cells.last)).to_have_text(f"[{CODE_CELLS}]:")

    def run(self, code: str) -> Locator:
        """Type code into a new cell under the view and run it; what it shows."""
        self.prompt(self.view_cell).click()
        self.page.keyboard.press("b")
        cell = self.view_cell.locator("xpath=following-sibling::*[1]")
        expect(self.prompt(cell)).to_have_text("[ ]:")
        self.page.keyboard.press("Enter")
        # At once, as a paste: JupyterLab would close brackets that are typed one by one.
        self.page.keyboard.insert_text(code)
        expect(cell.get_by_role("textbox")).to_have_text(code)
        self.page.keyboard.press("Shift+Enter")
        expect(self.prompt(cell)).to_have_text(re.compile(r"\[\d+\]:"))
        return cell.locator(".jp-OutputArea-output")

    def photograph(self, path: Path) -> None:
        """Take a picture of the view, all of it and with a margin, once it has stopped moving."""
        box = self.box()
        # Tall enough for the view and what JupyterLab has above and below.
        self.page.set_viewport_size({"width": self.window()["width"], "height": round(box["height"]) + 400})
        self.view.evaluate("view => view.scrollIntoView({ block: 'center' })")
        self.view.evaluate(STAND_STILL)
        box = self.box()
        self.page.screenshot(
            path=path,
            clip={
                "x": box["x"] - MARGIN,
                "y": box["y"] - MARGIN,
                "width": box["width"] + 2 * MARGIN,
                "height": box["height"] + 2 * MARGIN,
            },
        )

    def theme(self, name: str) -> None:
        """Make the browser prefer a "light" or a "dark" page, which JupyterLab follows."""
        self.page.emulate_media(color_scheme="dark" if name == "dark" else "light")
        light = "false" if name == "dark" else "true"
        expect(self.page.locator("body")).to_have_attribute("data-jp-theme-light", light)
        # JupyterLab covers the page while it changes the theme.
        expect(self.page.locator("#jupyterlab-splash")).to_have_count(0)

    def widen(self, width: int) -> None:
        """Make the window as wide as it takes for the view to have this width."""
        window = self.window()
        more = width - self.box()["width"]
        self.page.set_viewport_size({"width": round(window["width"] + more), "height": window["height"]})
        self.page.wait_for_function(
            "([view, width]) => Math.abs(view.getBoundingClientRect().width - width) < 1",
            arg=[self.view.element_handle(), width],
        )

    def window(self) -> ViewportSize:
        size = self.page.viewport_size
        assert size
        return size

    def box(self) -> FloatRect:
        box = self.view.bounding_box()
        assert box
        return box

    def menu(self, menu: str, item: str) -> None:
        self.page.get_by_role("menuitem", name=menu, exact=True).click()
        self.page.get_by_role("menuitem", name=item, exact=True).click()

    @staticmethod
    def prompt(cell: Locator) -> Locator:
        """The number in brackets beside a cell's code."""
        return cell.locator(".jp-InputPrompt")
