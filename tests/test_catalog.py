"""The bundled models: one small JSON each, offline, every claim with its source."""

from __future__ import annotations

import json
import re
import socket
from pathlib import Path

import pytest

import paramwidget as pw
from paramwidget.architectures import TABLE
from paramwidget.roles import BASES
from paramwidget.sources import catalog

IDS = pw.catalog()

# the models of the published tables, by the section that speaks of them
PUBLISHED = {
    "three counts in one checkpoint": (
        "Qwen/Qwen2.5-0.5B",
        "HuggingFaceTB/SmolLM2-135M",
        "Qwen/Qwen2.5-7B",
        "microsoft/Phi-3-mini-4k-instruct",
        "Qwen/Qwen1.5-MoE-A2.7B",
        "mistralai/Mixtral-8x7B-v0.1",
    ),
    "gpt-oss": ("openai/gpt-oss-120b", "openai/gpt-oss-20b"),
    "a lesson on config.json": ("meta-llama/Llama-3.1-8B", "Qwen/Qwen3-8B", "Qwen/Qwen3-0.6B"),
    "a step-by-step verification": ("Qwen/Qwen3.8-2.4T-A95B",),
    "671B or 685B": ("deepseek-ai/DeepSeek-V3",),
    "how vendors count": (
        "Qwen/Qwen3-30B-A3B",
        "deepseek-ai/DeepSeek-V2-Lite",
        "Qwen/Qwen3-Next-80B-A3B-Instruct",
    ),
}


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("the network was asked")

    for name in ("socket", "create_connection", "getaddrinfo"):
        monkeypatch.setattr(socket, name, refuse)


def test_at_least_twenty_models_are_bundled() -> None:
    assert len(IDS) >= 20


@pytest.mark.parametrize("section", PUBLISHED)
def test_every_model_of_the_published_tables_is_bundled(section: str) -> None:
    assert set(PUBLISHED[section]) <= set(IDS)


@pytest.mark.parametrize("name", IDS)
def test_an_entry_has_these_fields_and_no_others(name: str) -> None:
    entry = catalog.read(name)
    assert set(entry) == {"id", "revision", "config", "claims", "sources"}
    assert entry["id"] == name
    assert set(entry["sources"]) == {"config", "how"}
    assert entry["sources"]["config"]
    assert entry["sources"]["how"] in ("verbatim", "reserialized", "derived")


@pytest.mark.parametrize("name", IDS)
def test_a_revision_is_a_whole_commit_or_not_known(name: str) -> None:
    revision = catalog.read(name)["revision"]
    assert revision is None or re.fullmatch(r"[0-9a-f]{40}", revision)


@pytest.mark.parametrize("name", IDS)
def test_a_config_names_a_known_type_and_its_class(name: str) -> None:
    config = catalog.read(name)["config"]
    assert config["model_type"] in TABLE
    assert len(config["architectures"]) == 1


@pytest.mark.parametrize("name", IDS)
def test_every_claim_is_a_text_with_a_source(name: str) -> None:
    for claim in catalog.read(name)["claims"]:
        assert set(claim) <= {"text", "basis", "source", "url", "quote", "off", "on", "headline"}
        assert claim["source"]
        assert claim.get("basis", "stored") in BASES
        assert claim.get("url", "https://").startswith("https://")


@pytest.mark.parametrize("name", IDS)
def test_a_model_has_one_headline_at_the_most(name: str) -> None:
    assert sum(claim.get("headline", False) for claim in catalog.read(name)["claims"]) <= 1


@pytest.mark.parametrize("name", IDS)
def test_a_bundled_model_is_counted_with_no_network(name: str, no_network: None) -> None:
    b = pw.count(name)
    assert b.model == name
    assert b.stored > 0
    assert (b.provenance.kind, b.provenance.repo) == ("catalog", name)


@pytest.mark.parametrize("name", IDS)
def test_an_entry_is_small(name: str) -> None:
    file = catalog.FOLDER / f"{name.replace('/', '--', 1)}.json"
    assert file.stat().st_size < 4_000
    json.loads(file.read_text(encoding="utf-8"))


def test_a_bundled_model_says_what_it_is() -> None:
    p = pw.count("openai/gpt-oss-120b").provenance
    assert p.label == "bundled snapshot, not pinned"
    assert p.note.startswith("The fields of config.json that decide the count, bundled; from a copy in the ")


@pytest.mark.parametrize("name", IDS)
def test_where_a_bundled_model_was_read_is_said_in_plain_words(name: str) -> None:
    note = pw.count(name).provenance.note
    assert "==" not in note
    assert "@" not in note
    forms = (
        r"from a copy in the (Python package \S+ \d|repository \S+ at commit [0-9a-f]{40}, file )",
        r"from https://",
        r"put together, not copied from a file: ",
        r"from NVIDIA/TensorRT-LLM test_modeling",
    )
    assert [form for form in forms if re.search(form, note)] != []


def test_the_case_of_an_id_does_not_matter(no_network: None) -> None:
    b = pw.count("OPENAI/GPT-OSS-120B")
    assert (b.model, b.stored) == ("openai/gpt-oss-120b", 116_829_156_672)


def test_an_unknown_id_is_not_looked_for_among_near_names() -> None:
    assert catalog.lookup("openai/gpt-oss-121b") is None


def test_a_search_finds_every_word_in_any_case() -> None:
    assert pw.catalog("gpt-oss") == ["openai/gpt-oss-120b", "openai/gpt-oss-20b"]
    assert pw.catalog("QWEN next") == ["Qwen/Qwen3-Next-80B-A3B-Instruct"]
    assert pw.catalog("qwen llama") == []


def test_the_catalog_is_sorted_whatever_the_case() -> None:
    assert sorted(IDS, key=str.lower) == IDS


@pytest.mark.parametrize(
    ("asked", "nearest"),
    [
        ("openai/gpt-oss-120", "openai/gpt-oss-120b"),
        ("gpt-oss-120b", "openai/gpt-oss-120b"),
        ("qwen/qwen2.5-05b", "Qwen/Qwen2.5-0.5B"),
        ("meta/Llama-3.1-8B", "meta-llama/Llama-3.1-8B"),
    ],
)
def test_a_misspelled_id_finds_the_one_that_was_meant(asked: str, nearest: str) -> None:
    assert nearest in catalog.nearest(asked)


def test_the_folder_holds_nothing_but_entries() -> None:
    assert {p.suffix for p in Path(catalog.FOLDER).iterdir()} == {".json"}
    assert len(list(Path(catalog.FOLDER).iterdir())) == len(IDS)
