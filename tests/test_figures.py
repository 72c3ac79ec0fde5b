"""Figures: what is drawn is what is counted, labels do not touch, and nothing of the user's style is changed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import BytesIO
from itertools import combinations
from pathlib import Path

import matplotlib as mpl
import pytest
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle
from matplotlib.text import Text

import paramwidget as pw
from paramwidget.conventions import Convention
from paramwidget.render.colours import HUES
from paramwidget.render.figures import KINDS
from paramwidget.render.shape import layer_kinds, routings
from paramwidget.roles import ROLES

OSS = "openai/gpt-oss-120b"
#: experts at 32:1, a tie, MTP and one dense kind of layer, a hybrid, towers, an encoder-decoder, four kinds of layers
MODELS = (
    OSS,
    "Qwen/Qwen2.5-0.5B",
    "deepseek-ai/DeepSeek-V3",
    "nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16",
    "Qwen/Qwen3.6-35B-A3B",
    "MBZUAI/LaMini-Flan-T5-783M",
    "google/gemma-4-E2B-it",
)


@pytest.fixture(autouse=True)
def agg() -> Iterator[None]:
    plt.switch_backend("Agg")
    yield
    plt.close("all")


def picture(ax: Axes, label: str) -> Axes:
    return next(child for child in ax.child_axes if child.get_label() == label)


def stretches(ax: Axes) -> dict[str, tuple[float, float]]:
    """gid -> (left, right) of each stretch of a bar."""
    return {
        p.get_gid(): (p.get_x(), p.get_x() + p.get_width())
        for p in ax.patches
        if isinstance(p, Rectangle) and p.get_gid() and not p.get_gid().endswith(" hatch")
    }


def texts(ax: Axes) -> list[Text]:
    """The texts that a drawn figure shows."""
    ax.figure.canvas.draw()
    hidden = {
        text
        for axes in ax.figure.findobj(Axes)
        for axis in (axes.xaxis, axes.yaxis)
        for text in axis.findobj(Text)
        if not axes.axison
    }
    hidden |= {t for axes in ax.figure.findobj(Axes) if not axes.get_visible() for t in axes.findobj(Text)}
    return [
        t for t in ax.figure.findobj(Text) if t.get_visible() and t.get_text().strip() and t not in hidden
    ]


def said(ax: Axes) -> set[str]:
    return {t.get_text() for t in texts(ax)}


def assert_readable(ax: Axes) -> None:
    """No two texts touch, and none leaves the figure."""
    found = texts(ax)
    boxes = [(t.get_text(), Text.get_window_extent(t)) for t in found]
    for (a, one), (b, other) in combinations(boxes, 2):
        wide = min(one.x1, other.x1) - max(one.x0, other.x0)
        high = min(one.y1, other.y1) - max(one.y0, other.y0)
        # lines of text are taller than their letters: an empty pixel row is no touch
        assert wide < 0.5 or high < 2, f"{a!r} and {b!r} overlap by {wide:.1f} × {high:.1f} pixels"
    frame = ax.figure.bbox
    for text, box in boxes:
        assert box.x0 >= -1, text
        assert box.x1 <= frame.x1 + 1, text
        assert box.y0 >= -1, text
        assert box.y1 <= frame.y1 + 1, text


# ------------------------------------------------------------------ every kind of figure, every kind of model


#: every kind of every model; one of experts only where there are some
DRAWN = [(k, n) for n in MODELS for k in KINDS if k != "experts" or routings(pw.count(n))]


@pytest.mark.parametrize(("kind", "name"), DRAWN)
def test_no_labels_touch_and_none_leaves_the_figure(kind: str, name: str) -> None:
    assert_readable(pw.count(name).plot(kind))


def test_labels_do_not_touch_where_the_names_are_longest_and_the_departures_many() -> None:
    b = pw.count(OSS)
    for kind in KINDS:
        assert_readable(
            b.plot(kind, basis="stored", off={"embedding", "lm_head", "norm", "bias"}, on={"scale"})
        )


def test_a_comparison_of_twenty_models_is_readable() -> None:
    assert_readable(pw.compare(pw.catalog()[::10]).plot())


def test_a_comparison_of_two_models_is_readable() -> None:
    assert_readable(pw.compare(["openai/gpt-oss-20b", OSS]).plot())


@pytest.mark.parametrize("kind", KINDS)
def test_axes_that_are_given_are_drawn_on(kind: str) -> None:
    figure, (_, right) = plt.subplots(1, 2, figsize=(14, 4))
    assert pw.count(OSS).plot(kind, ax=right) is right
    assert plt.get_fignums() == [figure.number]
    assert_readable(right)


def test_in_one_column_of_two_numbers_are_short_and_nothing_touches() -> None:
    figure, axes = plt.subplots(5, 2, figsize=(7, 22), layout="constrained")
    for (left, right), kind in zip(axes, [*KINDS, None], strict=True):
        for ax, name in ((left, OSS), (right, "deepseek-ai/DeepSeek-V3")):
            if kind:
                pw.count(name).plot(kind, ax=ax)
            else:
                pw.compare(["openai/gpt-oss-20b", OSS]).plot(ax=ax)
    figure.canvas.draw()
    assert_readable(axes[0, 0])
    assert "114.70B" in said(axes[0, 0])


def test_in_axes_that_are_made_smaller_labels_give_way() -> None:
    ax = pw.count(OSS).plot("parts")
    ax.figure.set_size_inches(4.2, 5)
    bars = picture(ax, "bars")
    inside = [t for t in texts(ax) if t.axes is bars and str(t.get_gid()).endswith("label")]
    for text in inside:
        if hasattr(text, "span"):
            left, right = (bars.transData.transform((x, 0))[0] for x in text.span)
            assert Text.get_window_extent(text).width <= right - left, text.get_text()


# ------------------------------------------------------------------ what is drawn is what is counted


@pytest.mark.parametrize("name", MODELS)
def test_the_bars_of_the_parts_are_as_long_as_the_counts(name: str) -> None:
    b = pw.count(name)
    bars = picture(b.plot("parts"), "bars")
    active, stored = b.by_role("active"), b.by_role("stored")
    sparse = b.active != b.stored
    found: dict[str, set[int]] = {}
    for patch in bars.patches:
        gid = patch.get_gid() or ""
        if isinstance(patch, Rectangle) and gid.removeprefix("idle ") in ROLES:
            for whole in (b.active, b.stored):
                found.setdefault(gid, set()).add(round(patch.get_width() * whole))
    for role, n in active.items():
        if n:
            assert n in found[role], role
        if sparse and stored[role] > n:
            assert stored[role] - n in found[f"idle {role}"], role


def test_the_sizes_of_the_parts_are_the_exact_integers() -> None:
    sizes = picture(pw.count(OSS).plot("parts"), "sizes")
    dots = {line.get_gid(): line.get_xdata()[0] for line in sizes.lines}
    assert dots["routed_expert active"] == 3_584_424_960
    assert dots["routed_expert stored"] == 114_701_598_720
    assert dots["norm active"] == 210_240  # 0.004% of what is active, and still in view
    low, high = sizes.get_xlim()
    assert low < 210_240 < 114_701_598_720 < high
    assert sizes.get_xscale() == "log"


def test_the_parts_are_named_with_both_counts_and_the_share() -> None:
    ax = pw.count(OSS).plot("parts")
    assert {
        OSS,
        "116.83B stored, 5.71B active; 4 of 128 experts for a token",
        "routed experts",
        "114,701,598,720",
        "3,584,424,960",
        "62.8%",
        "0.004%",
        "5,711,982,912",
        "router and norms 13.5M",
        "active, × 20: what one token uses",
    } <= said(ax)


def test_a_part_that_is_left_out_is_said_to_be() -> None:
    ax = pw.count(OSS).plot("parts", off={"embedding"})
    assert {"left out", "5,132,849,472"} <= said(ax)
    assert any("embedding out" in text for text in said(ax))


def test_a_tied_head_is_said_to_be_tied() -> None:
    assert "tied" in said(pw.count("Qwen/Qwen2.5-0.5B").plot("parts"))


def test_a_dense_model_has_one_bar_and_one_column() -> None:
    ax = pw.count("meta-llama/Llama-3.1-8B").plot("parts")
    assert "active" not in said(ax)
    assert "idle mlp" not in stretches(picture(ax, "bars"))


# ------------------------------------------------------------------ bridge


def test_the_bridge_goes_from_the_card_to_the_count_by_exact_steps() -> None:
    ax = pw.count(OSS).plot("bridge")
    steps = picture(ax, "steps")
    assert stretches(steps)["step embedding"] == (5_132_849_472, 5_711_982_912)
    ends = {line.get_gid(): line.get_xdata()[0] for line in steps.lines if line.get_gid()}
    assert ends == {"start": 5_132_849_472, "end": 5_711_982_912}
    assert {
        "5.13B + 0.58B = 5.71B",
        "model card: 5.13B active, embedding out",
        "+ 579,133,440",
        "active: one token, tables in",
        "the scale does not start at 0",
    } <= said(ax)


def test_where_a_bridge_spans_a_change_of_basis_bars_start_at_0() -> None:
    ax = pw.count(OSS).plot("bridge", basis="stored", claim="5.13B active")
    steps = picture(ax, "steps")
    assert stretches(steps)["start"] == (0, 5_132_849_472)
    assert stretches(steps)["end"] == (0, 116_829_156_672)
    assert stretches(steps)["step basis:routed_expert"][0] == 5_132_849_472
    assert "the scale does not start at 0" not in said(ax)


@pytest.mark.parametrize(
    ("claim", "first"),
    [
        ("117B", 116_829_156_672),  # a claim's text
        ("non_embedding", 115_670_889_792),  # a preset's key
        (Convention("", "mine", "active", ("lm_head",)), 5_132_849_472),
    ],
)
def test_a_bridge_starts_at_a_claim_a_preset_or_a_convention(claim: str | Convention, first: int) -> None:
    assert f"{first:,}" in said(pw.count(OSS).plot("bridge", claim=claim))


def test_a_claim_that_is_typed_is_where_a_bridge_starts() -> None:
    ax = pw.count(OSS).plot("bridge", claim="5.1B active")
    assert {"5,132,849,472", "+ 579,133,440"} <= said(ax)


def test_a_number_that_nothing_gives_is_where_a_bridge_starts_too() -> None:
    ax = pw.count(OSS).plot("bridge", claim="9.9B active")
    assert "9,900,000,000" in said(ax)
    assert_readable(ax)


def test_bytes_become_parameters_step_by_step() -> None:
    # 16 GB in bfloat16 are 8,030,261,248 parameters of 2 bytes
    ax = pw.count("meta-llama/Llama-3.1-8B").plot("bridge", claim="16 GB", basis="stored")
    assert {"16,060,522,496", "− 8,030,261,248", "8,030,261,248"} <= said(ax)


def test_a_text_without_a_number_is_no_claim() -> None:
    with pytest.raises(pw.ClaimError):
        pw.count(OSS).plot("bridge", claim="large")


def test_a_bridge_between_equal_counts_says_so() -> None:
    ax = pw.count("Qwen/Qwen2.5-0.5B").plot("bridge")
    assert "0.49B either way: no step lies between them" in said(ax)


# ------------------------------------------------------------------ layer


def test_a_layer_of_llama_is_made_of_feed_forward_for_four_fifths() -> None:
    # 3 × 4,096 × 14,336 of 218,112,000
    ax = pw.count("meta-llama/Llama-3.1-8B").plot("layer")
    assert {"one of 32 layers: MLP 176.2M of 218.1M", "176,160,768", "80.8%", "218,112,000"} <= said(ax)
    bar = stretches(picture(ax, "layers"))
    mlp = next(ends for gid, ends in bar.items() if gid.endswith(" mlp"))
    assert round((mlp[1] - mlp[0]) * 218_112_000) == 176_160_768


def test_each_kind_of_layer_is_drawn_once() -> None:
    ax = pw.count("deepseek-ai/DeepSeek-V3").plot("layer")
    assert {
        "layers 0–2: latent attention, dense MLP",
        "layers 3–60: latent attention, experts",
        "11,507,286,272",
    } <= said(ax)


def test_layers_of_the_same_parts_are_one_kind_whatever_they_look_back_on() -> None:
    [kind] = layer_kinds(pw.count(OSS), frozenset({"scale"}))
    assert (len(kind.layers), kind.does) == (36, "sliding window or full attention, experts")


@pytest.mark.parametrize("name", MODELS)
def test_the_kinds_of_layers_add_up_to_what_is_in_layers(name: str) -> None:
    b = pw.count(name)
    roles = {
        "attention",
        "linear_attention",
        "ssm",
        "mlp",
        "router",
        "routed_expert",
        "shared_expert",
        "norm",
        "other",
    }
    in_layers = sum(t.stored for t in b.tensors if t.layers and t.role in roles and t.kind != "scale")
    kinds = layer_kinds(b, frozenset({"scale"}))
    assert sum(len(kind.layers) * kind.stored for kind in kinds) == in_layers


# ------------------------------------------------------------------ experts


def test_there_is_a_cell_for_each_expert_and_those_in_use_are_filled() -> None:
    ax = pw.count(OSS).plot("experts")
    cells = {c.get_gid(): len(c.get_paths()) for c in picture(ax, "cells").collections}
    assert cells == {"used": 4, "idle": 124}
    bars = stretches(picture(ax, "bars"))
    assert bars["routed experts stored"] == (0, 114_701_598_720)
    assert bars["routed experts active"] == (0, 3_584_424_960)
    assert {"36 layers, in each a token uses 4 of 128 experts", "98.2%", "62.8%"} <= said(ax)


def test_a_model_without_experts_says_what_to_draw_instead() -> None:
    with pytest.raises(pw.ConventionError, match=r"Qwen/Qwen2.5-0.5B has no routed experts.*plot\('parts'\)"):
        pw.count("Qwen/Qwen2.5-0.5B").plot("experts")


# ------------------------------------------------------------------ manners


def test_nothing_of_the_users_style_is_changed() -> None:
    before = dict(mpl.rcParams)
    for kind in KINDS:
        pw.count(OSS).plot(kind).figure.savefig(BytesIO(), format="pdf")
    assert dict(mpl.rcParams) == before


def test_the_users_own_size_of_text_and_colour_are_taken() -> None:
    with mpl.rc_context({"font.size": 20, "text.color": "#123456"}):
        ax = pw.count(OSS).plot("bridge")
    title = next(t for t in texts(ax) if t.get_text() == OSS)
    assert (title.get_fontsize(), title.get_color()) == (16, "#123456")
    assert_readable(ax)


def test_a_dollar_in_a_name_is_no_mathematics() -> None:
    config = {**pw.count("openai/gpt-oss-20b").config, "_name_or_path": "a$b$c_d"}
    ax = pw.count(config).plot("bridge")
    assert "a$b$c_d" in said(ax)


def test_saved_files_hold_text_as_text() -> None:
    figure = pw.count(OSS).plot("parts").figure
    pdf, svg = BytesIO(), BytesIO()
    figure.savefig(pdf, format="pdf")
    figure.savefig(svg, format="svg")
    assert b"/Subtype /CIDFontType2" in pdf.getvalue() or b"/Subtype /TrueType" in pdf.getvalue()
    assert b"/Type3" not in pdf.getvalue()
    assert "routed experts" in re.sub(r"<[^>]+>", "", svg.getvalue().decode())


def test_an_unknown_kind_is_refused_with_the_nearest() -> None:
    with pytest.raises(pw.ConventionError, match=r"bridge, parts, layer or experts\. Did you mean 'layer'"):
        pw.count(OSS).plot("layers")


# ------------------------------------------------------------------ colours


def css_colours() -> dict[str, tuple[str, str]]:
    css = Path(__file__).parent.parent / "js" / "src" / "theme.css"
    rule = r"^\.pw-role-(\w+) \{\s*--pw-hue: (#[0-9a-f]+);\s*--pw-ink: (#[0-9a-f]+);"
    return {m[1]: (m[2], m[3]) for m in re.finditer(rule, css.read_text(encoding="utf-8"), re.MULTILINE)}


def test_the_colours_of_roles_are_those_of_the_widgets_light_theme() -> None:
    assert {role: (hue.fill, hue.ink) for role, hue in HUES.items()} == css_colours()


def test_every_role_has_a_colour() -> None:
    assert list(HUES) == list(ROLES)


def luminance(colour: str) -> float:
    parts = mpl.colors.to_rgb(colour)
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def test_in_grey_roles_with_one_hatch_differ_in_luminance() -> None:
    for (a, one), (b, other) in combinations(HUES.items(), 2):
        light, dark = sorted((luminance(one.fill), luminance(other.fill)), reverse=True)
        assert one.hatch != other.hatch or (light + 0.05) / (dark + 0.05) > 1.3, f"{a} and {b}"
