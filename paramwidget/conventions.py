"""Ways to count: conventions, the documented ones as presets, and the bridge from one to another."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from .breakdown import Breakdown
from .roles import DEFAULT_OUT, ROLES, TOGGLES, check_basis, check_toggles, out_set


@dataclass(frozen=True, slots=True)
class Convention:
    """A basis and the departures from its default.

    citation, url  who counts so, and where that is written
    model_types    the families it is documented for; empty for any
    needs          toggles that a model must have for it to say anything
    """

    key: str
    label: str
    basis: str
    off: tuple[str, ...] = ()
    on: tuple[str, ...] = ()
    citation: str = ""
    url: str = ""
    model_types: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_basis(self.basis)
        object.__setattr__(self, "off", check_toggles(self.off))
        object.__setattr__(self, "on", check_toggles(self.on))
        out_set(self.basis, self.off, self.on)

    def of(self, b: Breakdown) -> int:
        """The count of a model under this convention."""
        return b.total(self.basis, self.off, self.on)


PRESETS: tuple[Convention, ...] = (
    Convention(
        "full_forward_pass",
        "full forward pass",
        "active",
        citation="Both tables in: so Mistral AI counts the 12.9B of Mixtral-8x7B, and Qwen the 2.7B of Qwen1.5-MoE.",
        url="https://mistral.ai/news/mixtral-of-experts/",
    ),
    Convention(
        "gpt_oss_card",
        "gpt-oss model card",
        "active",
        off=("embedding",),
        citation="gpt-oss model card, Table 1, caption: “Unembedding parameters are counted towards active, "
        "but not embeddings.”",
        url="https://arxiv.org/abs/2508.10925",
        model_types=("gpt_oss",),
    ),
    Convention(
        "active_without_tables",
        "active, both tables out",
        "active",
        off=("embedding", "lm_head"),
        citation="GLM-4.5 report, Table 1, caption: MTP layers in, “but not word embeddings and the output layer”.",
        url="https://arxiv.org/abs/2508.06471",
        needs=("embedding", "router"),
    ),
    Convention(
        "non_embedding",
        "non-embedding",
        "stored",
        off=("embedding", "lm_head"),
        citation="“Number of Parameters (Non-Embedding)” on the cards of Qwen: everything but the two tables.",
        url="https://huggingface.co/Qwen/Qwen2.5-0.5B",
        needs=("embedding",),
    ),
    Convention(
        "without_mtp",
        "stored, MTP out",
        "stored",
        off=("mtp",),
        citation="DeepSeek-V3, README: “671B of the Main Model weights”, the MTP module counted apart.",
        url="https://github.com/deepseek-ai/DeepSeek-V3/blob/9b4e9788e4a3a731f7567338ed15d3ec549ce03b/README.md",
        needs=("mtp",),
    ),
    Convention(
        "hub_until_2026_07",
        "Hub count until July 2026",
        "stored",
        on=("scale",),
        citation="The Hub counted MXFP4 block scales as parameters until July 2026: 120.4B for gpt-oss-120b.",
        url="https://github.com/huggingface/huggingface.js/blob/fe42e68017ffc76d09922ea8f9b38a6964345710/"
        "packages/hub/src/lib/parse-safetensors-metadata.spec.ts",
        model_types=("gpt_oss",),
        needs=("scale",),
    ),
)


def presets_for(b: Breakdown) -> list[Convention]:
    """The presets that say something about a model."""
    has = {t.key for t in b.toggles}
    return [
        p
        for p in PRESETS
        if (not p.model_types or b.model_type in p.model_types) and all(need in has for need in p.needs)
    ]


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a bridge: the part (a toggle, or ``basis:<role>``), and what it adds or takes away."""

    key: str
    label: str
    delta: int


def bridge(b: Breakdown, start: Convention, end: Convention) -> list[Step]:
    """How one count becomes another: steps whose sum is exactly ``end.of(b) - start.of(b)``.

    A change of basis comes first, role by role, with the departures of ``start``; then one toggle after another, in
    the order of TOGGLES. Steps of 0 are left out.
    """
    steps: list[Step] = []
    if start.basis != end.basis:
        before = b.by_role(start.basis, start.off, start.on)
        after = b.by_role(end.basis, start.off, start.on)
        steps += [Step(f"basis:{role}", ROLES[role], after[role] - before[role]) for role in after]
    out = set(out_set(end.basis, start.off, start.on))
    target = out_set(end.basis, end.off, end.on)
    at = sum_without(b, end.basis, out)
    for key, (label, _) in TOGGLES.items():
        if (key in out) != (key in target):
            out ^= {key}
            now = sum_without(b, end.basis, out)
            steps.append(Step(key, label, now - at))
            at = now
    return [step for step in steps if step.delta]


def sum_without(b: Breakdown, basis: str, out: Iterable[str]) -> int:
    """The count with exactly these roles and kinds left out."""
    default, out = DEFAULT_OUT[basis], set(out)
    return b.total(basis, off=out - default, on=default - out)
