"""What one decoded token uses, held against the gradients of small models that transformers builds.

The reference (tests/reference/active.jsonl) is made by ``make conformance``: of each config the parameters that receive
a gradient from one token, and those that steer a selection and so have none.
"""

from __future__ import annotations

from typing import Any

import pytest
from sweep import read

import paramwidget as pw
from paramwidget.architectures import TABLE

ROWS = {":".join(filter(None, (r["type"], r["variant"]))): r for r in read("active.jsonl")}

#: what is counted beyond what the token at hand uses, and why
BEYOND = {
    # the token chose two experts that compute nothing; the count is the most that a token can use
    "longcat_flash": 2 * 3 * 48 * 24,
    # a token behind no image passes the two layers of cross-attention by: q and o, k and v, the norms of q and k,
    # the MLP, two norms, two gates
    "mllama": 2 * (2 * 48 * 48 + 2 * 48 * 24 + 2 * 12 + 3 * 48 * 40 + 2 * 48 + 2),
}

#: biases that balance the router, a router that only chooses, indexers that choose the keys to attend to
SELECTING = ("expert_bias", "e_score_correction_bias", "mlp.router", "indexer")


def steering(row: dict[str, Any]) -> int:
    return sum(row["steering"].values())


def test_the_reference_covers_the_kinds_of_models_that_use_a_part_of_themselves() -> None:
    types = {r["type"] for r in ROWS.values()}
    assert len(types) >= 80
    assert types <= TABLE.keys()
    assert sum(bool(r["experts"]) for r in ROWS.values()) >= 50
    assert sum(bool(r["config"].get("is_encoder_decoder")) for r in ROWS.values()) >= 10


@pytest.mark.parametrize("name", ROWS)
def test_active_is_what_one_token_gives_a_gradient_to_or_is_steered_by(name: str) -> None:
    row = ROWS[name]
    # the models have no MTP layers, and a buffer gets no gradient
    active = pw.count(row["config"]).total("active", off={"mtp", "buffer"})
    assert active - row["active"] - steering(row) == BEYOND.get(name, 0)


@pytest.mark.parametrize("name", [name for name, r in ROWS.items() if r["experts"]])
def test_the_routed_experts_of_a_token_are_those_that_receive_a_gradient(name: str) -> None:
    row = ROWS[name]
    b = pw.count(row["config"])
    routed = b.by_role("active")["routed_expert"]
    if (
        name == "jetmoe"
    ):  # its attention has experts too, two of each layer; all experts of a layer have one bias
        routed += 4 * 2 * (2 * 48 * 24) - 4 * 48
    beyond = BEYOND.get(name, 0)
    assert routed - row["routed"] == beyond
    assert beyond == 0 or b.total_range("active")[0] <= b.active - beyond


def test_what_has_no_gradient_and_counts_all_the_same_takes_part_in_a_selection() -> None:
    names = {name for r in ROWS.values() for name in r["steering"]}
    assert names
    for name in names:
        assert any(part in name for part in SELECTING), name
