"""The public surface, what importing it loads, and the one direction of imports within."""

from __future__ import annotations

import ast
import doctest
import inspect
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import paramwidget as pw

PACKAGE = Path(pw.__file__).parent
MODULES = sorted(
    ".".join(("paramwidget", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__")
    for path in PACKAGE.rglob("*.py")
)

PUBLIC = [
    "AccessDenied",
    "BadCheckpoint",
    "Breakdown",
    "Claim",
    "ClaimError",
    "CompareView",
    "Comparison",
    "ConfigError",
    "Convention",
    "ConventionError",
    "Dim",
    "Incomplete",
    "LayerSpec",
    "Memory",
    "NotFound",
    "OptionError",
    "PRESETS",
    "ParamView",
    "ParamWidgetError",
    "Provenance",
    "SourceError",
    "TOGGLES",
    "TensorSpec",
    "Toggle",
    "UnknownArchitecture",
    "Unreachable",
    "Verdict",
    "bridge",
    "catalog",
    "compare",
    "count",
    "load_ipython_extension",
    "memory",
    "reconcile",
]

HEAVY = (
    "anywidget",
    "huggingface_hub",
    "ipywidgets",
    "matplotlib",
    "numpy",
    "torch",
    "traitlets",
    "transformers",
)


# ------------------------------------------------------------------ the public surface


def test_the_public_names_are_these() -> None:
    assert sorted(pw.__all__) == PUBLIC


@pytest.mark.parametrize("first", ["", "pw.catalog; "])
def test_the_data_folder_does_not_take_the_place_of_the_function_of_its_name(first: str) -> None:
    code = (
        f"import paramwidget as pw; {first}import paramwidget.catalog; from importlib.resources import files;"
        "assert (files('paramwidget.catalog') / 'openai--gpt-oss-20b.json').is_file();"
        "assert (files('paramwidget') / 'catalog' / 'openai--gpt-oss-20b.json').is_file();"
        "print(pw.catalog('gpt-oss-20b'), pw.count('openai/gpt-oss-20b').stored)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=PACKAGE.parent, capture_output=True, text=True, check=True
    )
    assert done.stdout == "['openai/gpt-oss-20b'] 20914757184\n"


@pytest.mark.parametrize("name", PUBLIC)
def test_a_public_name_resolves_and_is_documented(name: str) -> None:
    value = getattr(pw, name)
    if inspect.isclass(value) or inspect.isfunction(value):
        assert inspect.getdoc(value), name
        assert not (inspect.getdoc(value) or "").startswith(f"{name}("), "a generated docstring says nothing"


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'paramwidget' has no attribute 'conut'"):
        pw.conut  # noqa: B018


def test_every_public_name_is_listed_by_dir() -> None:
    assert set(PUBLIC) <= set(dir(pw))


def test_the_names_for_a_type_checker_are_the_public_names() -> None:
    tree = ast.parse((PACKAGE / "__init__.py").read_text(encoding="utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    names = [alias.asname for node in block.body if isinstance(node, ast.ImportFrom) for alias in node.names]
    assert sorted(str(name) for name in names) == PUBLIC


@pytest.mark.parametrize(
    "name", ["count", "Breakdown", "ParamView", "Dim", "catalog", "compare", "CompareView"]
)
def test_what_a_user_starts_with_has_an_example(name: str) -> None:
    assert ">>> " in (inspect.getdoc(getattr(pw, name)) or "")


@pytest.mark.parametrize("module", [m for m in MODULES if not m.endswith("__main__")])
def test_every_module_and_what_it_offers_says_what_it_knows(module: str) -> None:
    found = import_module(module)
    assert found.__doc__, module
    for name, value in vars(found).items():
        own = getattr(value, "__module__", None) == module and not name.startswith("_")
        if own and inspect.isclass(value):
            assert value.__doc__, f"{module}.{name}"


@pytest.mark.parametrize("module", [m for m in MODULES if not m.endswith("__main__")])
def test_the_examples_of_a_module_run(module: str) -> None:
    failed, _ = doctest.testmod(import_module(module))
    assert failed == 0


def test_there_are_examples_to_run() -> None:
    tests = doctest.DocTestFinder(exclude_empty=True)
    with_examples = {
        m for m in MODULES if not m.endswith("__main__") for t in tests.find(import_module(m)) if t.examples
    }
    assert with_examples >= {
        "paramwidget",
        "paramwidget.counting",
        "paramwidget.breakdown",
        "paramwidget.dim",
    }


# ------------------------------------------------------------------ what importing loads


def loaded_after(code: str) -> set[str]:
    """The top-level modules that a fresh interpreter has loaded after running ``code``."""
    path = os.pathsep.join([str(PACKAGE.parent), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys; print(*{{m.split('.')[0] for m in sys.modules}})"],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.split())


def test_importing_the_package_loads_nothing_heavy() -> None:
    assert not loaded_after("import paramwidget") & set(HEAVY)


def test_importing_the_package_loads_none_of_its_own_modules_either() -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "import paramwidget, sys; print([m for m in sys.modules if 'paramwidget.' in m])",
        ],
        cwd=PACKAGE.parent,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"


def test_counting_a_bundled_model_loads_nothing_but_the_standard_library() -> None:
    code = (
        "import paramwidget as pw; b = pw.count('openai/gpt-oss-120b'); b.to_dict(); b.to_markdown(); b._repr_html_();"
        "c = pw.compare([b, 'openai/gpt-oss-20b']); c.to_dict(); c.to_markdown(); c._repr_html_();"
        "pw.reconcile(b, '5.1B active'); pw.bridge(b, '5.1B active', '117B');"
        "from paramwidget.wire import to_wire; to_wire(b)"
    )
    plain = loaded_after("")
    third_party = {
        m for m in loaded_after(code) - plain - {"paramwidget"} if m not in sys.stdlib_module_names
    }
    assert third_party == set()


def test_only_the_family_asked_for_is_imported() -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "import paramwidget as pw, sys; pw.count('openai/gpt-oss-120b');"
            "print(*sorted(m for m in sys.modules if m.startswith('paramwidget.architectures.')))",
        ],
        cwd=PACKAGE.parent,
        capture_output=True,
        text=True,
        check=True,
    )
    families = [m.split(".")[2] for m in done.stdout.split()]
    assert "gpt_oss" in families
    assert not {"deepseek", "gpt2", "llama", "mixtral", "qwen_moe"} & set(families)


def test_what_reads_files_and_the_hub_is_not_loaded_for_a_bundled_model() -> None:
    code = (
        "import paramwidget as pw, sys; pw.count('openai/gpt-oss-120b');"
        "print(*sorted(m for m in sys.modules if m.startswith('paramwidget.sources.')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=PACKAGE.parent, capture_output=True, text=True, check=True
    )
    assert {m.split(".")[2] for m in done.stdout.split()} == {"catalog", "data", "files", "local", "opened"}


# ------------------------------------------------------------------ the direction of imports
#
# dim, roles <- tensors <- breakdown <- {conventions, claims, architectures, sources, render, wire} <- {widget, cli};
# in the middle: conventions <- presets; claims <- grammar <- reading; these, totals <- departures; verdict <- reconcile
# <- bridge

FLOOR = {
    "errors": 0,
    "dim": 1,
    "roles": 1,
    "class_defaults": 1,
    "tensors": 2,
    "inventory": 2,
    "words": 1,
    "aliases": 3,
    "unpacking": 1,
    "packing_methods": 2,
    "residual": 4,
    "layers": 2,
    "config_names": 1,
    "config_lookup": 2,
    "config": 2,
    "breakdown": 3,
    "conventions": 4,
    "presets": 4,
    "claims": 4,
    "grammar": 4,
    "reading": 4,
    "totals": 4,
    "departures": 4,
    "verdict": 4,
    "reconcile": 4,
    "bridge": 4,
    "architectures": 4,
    "sources": 4,
    "memory": 4,
    "render": 4,
    "counting": 4,
    "wire": 4,
    "config_difference": 5,
    "more": 4,
    "kernel": 5,
    "traits": 4,
    "convention_widget": 5,
    "compare": 5,
    "compare_wire": 6,
    "widget": 6,
    "compare_view": 6,
    "cli": 6,
    "magic": 7,
    "__main__": 7,
}
NOT_CORE = ("widget", "more", "traits", "convention_widget", "compare_view", "sources.hub", "render.figures.")
CORE = sorted(m for m in MODULES if not f"{m}.".startswith(tuple(f"paramwidget.{n}" for n in NOT_CORE)))


def top_level_imports(module: str) -> list[str]:
    """The absolute names of what a module imports when it is imported: not inside functions, not for types only."""
    path = PACKAGE.parent.joinpath(*module.split("."))
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    package = module if path.is_dir() else module.rpartition(".")[0]
    found = []
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package.rsplit(".", node.level - 1)[0] if node.level else ""
            name = ".".join(filter(None, [base, node.module]))
            whole = [f"{name}.{alias.name}" for alias in node.names]
            found += whole if not node.module else [w if w in MODULES else name for w in whole]
    return found


def part_of(module: str) -> str:
    return [*module.split("."), ""][1]


@pytest.mark.parametrize("module", [m for m in MODULES if m != "paramwidget"])
def test_a_module_imports_nothing_above_itself(module: str) -> None:
    for imported in top_level_imports(module):
        if imported in MODULES and imported != "paramwidget":
            assert FLOOR[part_of(imported)] <= FLOOR[part_of(module)], f"{module} imports {imported}"


def test_every_part_of_the_package_has_its_floor() -> None:
    assert {part_of(m) for m in MODULES} - {""} <= set(FLOOR)


def test_no_two_parts_of_the_package_import_each_other() -> None:
    uses = {
        (part_of(m), part_of(i))
        for m in MODULES
        for i in top_level_imports(m)
        if i in MODULES and i != "paramwidget"
    }
    both = {tuple(sorted(pair)) for pair in uses if pair[::-1] in uses and pair[0] != pair[1]}
    assert both == set()


@pytest.mark.parametrize("module", CORE)
def test_the_core_imports_the_standard_library_alone(module: str) -> None:
    for imported in top_level_imports(module):
        top = imported.split(".")[0]
        assert top == "paramwidget" or top in sys.stdlib_module_names, f"{module} imports {imported}"


def test_no_module_looks_for_what_it_imports_by_torch_or_transformers() -> None:
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names = [node.module]
            assert not {n.split(".")[0] for n in names} & {"torch", "transformers", "numpy"}, path
