"""The widget's Python side: its traits, what they refuse, its messages, and what is shown where no widget runs."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import ipywidgets
import ipywidgets.embed
import pytest
import traitlets
from configs import SMALL

import paramwidget as pw
from paramwidget import ParamView
from paramwidget.grammar import grammar
from paramwidget.more import content
from paramwidget.wire import to_wire

OSS = "openai/gpt-oss-120b"


@pytest.fixture(autouse=True)
def none_left_open() -> Iterator[None]:
    yield
    ipywidgets.Widget.close_all()


def test_a_view_starts_with_the_active_basis_and_no_departure() -> None:
    view = ParamView(OSS)
    assert (view.basis, view.off, view.on, view.claim, view.total) == ("active", [], [], None, 5_711_982_912)


def test_a_view_takes_whatever_count_takes_or_a_breakdown() -> None:
    b = pw.count(SMALL)
    assert ParamView(SMALL).total == 212
    assert ParamView(b).breakdown is b


def test_the_data_is_the_wire() -> None:
    assert ParamView(OSS).data == to_wire(pw.count(OSS))


def test_departures_may_be_given_at_once_in_any_collection() -> None:
    view = ParamView(OSS, off={"norm", "embedding"}, on=("scale",))
    assert (view.off, view.on) == (["embedding", "norm"], ["scale"])


def test_the_view_counts_under_the_convention_that_is_chosen() -> None:
    view = ParamView(OSS)
    view.off = ["embedding"]
    assert view.total == 5_132_849_472
    view.basis = "stored"
    assert view.total == 116_829_156_672 - 579_133_440


def test_a_change_is_observed_once_in_canonical_order() -> None:
    view, seen = ParamView(OSS), []
    view.observe(lambda change: seen.append(change["new"]), "off")
    view.off = ["norm", "embedding", "norm"]
    assert seen == [["embedding", "norm"]]


@pytest.mark.parametrize("trait", ["off", "on"])
def test_an_unknown_toggle_is_refused_and_changes_nothing(trait: str) -> None:
    view = ParamView(OSS, off=["norm"], on=["scale"])
    with pytest.raises(pw.ConventionError, match="Did you mean 'embedding'"):
        setattr(view, trait, ["embeding"])
    assert (view.off, view.on) == (["norm"], ["scale"])


def test_an_unknown_basis_is_refused_and_changes_nothing() -> None:
    view = ParamView(OSS)
    with pytest.raises(pw.ConventionError, match="one of stored, architectural or active"):
        view.basis = "total"
    assert view.basis == "active"


@pytest.mark.parametrize("wrong", [5, None, [5], {"embedding": True}])
def test_a_departure_that_is_no_list_of_words_is_refused(wrong: Any) -> None:
    view = ParamView(OSS)
    for kind in (traitlets.TraitError, pw.ConventionError):
        with pytest.raises(kind, match="Known toggles: embedding"):
            view.off = wrong
    assert view.off == []
    with pytest.raises(pw.ConventionError, match="Known toggles: embedding"):
        ParamView(OSS, off=wrong)


@pytest.mark.parametrize("given", [{"norm", "embedding"}, ("norm", "embedding"), iter(["norm", "embedding"])])
def test_any_collection_of_toggles_may_be_set_later_too(given: Any) -> None:
    view = ParamView(OSS)
    view.off = given
    assert view.off == ["embedding", "norm"]


def test_no_basis_and_a_claim_that_is_no_text_are_refused_in_words() -> None:
    view = ParamView(OSS)
    with pytest.raises(pw.ConventionError, match=r"Unknown basis None: it is one of stored"):
        view.basis = None
    with pytest.raises(
        pw.ClaimError, match=r"claim is the text of a claim, such as '5.13B active', or None, and not 5"
    ):
        view.claim = 5
    with pytest.raises(pw.ClaimError, match=r"and not 5"):
        ParamView(OSS, claim=5)  # type: ignore[arg-type]
    assert (view.basis, view.claim) == ("active", None)


WRONG = [
    {"basis": "evil"},
    {"basis": None},
    {"off": ["evil"]},
    {"on": 5},
    {"claim": 5},
    {"basis": "stored", "off": ["norm"], "on": ["evil"]},
    {"off": ["mtp"], "on": ["mtp"]},
    {"on": ["mtp"], "off": ["embedding", "mtp"], "basis": "stored"},
]


@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_wrong_from_the_browser_changes_nothing_and_the_browser_is_told(
    wrong: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    view = ParamView(OSS, off=["embedding"], on=["scale"])
    sent: list[object] = []
    monkeypatch.setattr(ParamView, "send_state", lambda self, key=None: sent.append(key))
    with pytest.raises(pw.ParamWidgetError):
        view.set_state(wrong)
    assert (view.basis, view.off, view.on, view.claim) == ("active", ["embedding"], ["scale"], None)
    assert sorted(wrong) in [sorted(keys) for keys in sent if isinstance(keys, list)]


@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_wrong_in_a_hold_changes_nothing(wrong: dict[str, Any]) -> None:
    view = ParamView(OSS, off=["embedding"], on=["scale"])

    def set_all() -> None:
        with view.hold_trait_notifications():
            for name, value in wrong.items():
                setattr(view, name, value)

    with pytest.raises(pw.ParamWidgetError):
        set_all()
    assert (view.basis, view.off, view.on, view.claim) == ("active", ["embedding"], ["scale"], None)
    view.on = ["embedding"]
    assert (view.off, view.on) == ([], ["embedding"])


def test_in_a_hold_too_the_one_set_wins_over_the_one_that_stood() -> None:
    view = ParamView(OSS, off=["embedding", "norm"])
    view.set_state({"on": ["embedding"]})
    assert (view.off, view.on) == (["norm"], ["embedding"])
    view.set_state({"on": [], "off": ["embedding"]})
    assert (view.off, view.on) == (["embedding"], [])


def test_one_word_is_a_list_of_one() -> None:
    view = ParamView(OSS)
    view.off = "embedding"
    assert view.off == ["embedding"]


def test_a_toggle_is_out_or_in_and_the_one_set_last_wins() -> None:
    view = ParamView(OSS, off=["embedding", "norm"])
    view.on = ["embedding"]
    assert (view.off, view.on) == (["norm"], ["embedding"])
    view.off = ["embedding"]
    assert (view.off, view.on) == (["embedding"], [])


def test_off_and_on_at_once_is_refused() -> None:
    with pytest.raises(pw.ConventionError, match="both in off and in on"):
        ParamView(OSS, off=["mtp"], on=["mtp"])


# ------------------------------------------------------------------ a view that cannot be is not made


@pytest.mark.parametrize(
    "how",
    [
        {"source": {"model_type": "qwen9"}},
        {"source": {**SMALL, "hidden_size": None}},
        {"source": "./no/such/config.json"},
        {"source": [1]},
        {"source": OSS, "off": ["embeding"]},
        {"source": OSS, "basis": "total"},
        {"source": OSS, "of": ["embedding"]},
    ],
    ids=["type", "config", "path", "list", "toggle", "basis", "option"],
)
def test_what_fails_makes_no_widget(how: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[object] = []
    monkeypatch.setattr(ParamView, "open", lambda self: opened.append(self))
    with pytest.raises(pw.ParamWidgetError):
        ParamView(**how)
    assert opened == []


@pytest.mark.parametrize("make", [ParamView, lambda source, **how: pw.CompareView([source], **how)])
def test_an_option_that_there_is_not_is_refused_and_the_nearest_named(make: Any) -> None:
    with pytest.raises(pw.OptionError, match=r"View has no option 'of'\. Did you mean 'off'\?$"):
        make(SMALL, of=["embedding"])
    with pytest.raises(pw.OptionError, match=r"View has no option 'zzzzz'\.$"):
        make(SMALL, zzzzz=1)
    assert make(SMALL, layout={"width": "50%"}).layout.width == "50%"


# ------------------------------------------------------------------ synced with the browser


def test_the_traits_that_the_browser_shares_are_these() -> None:
    shared = set(ParamView.class_traits(sync=True)) - set(ipywidgets.DOMWidget.class_traits(sync=True))
    assert {name for name in shared if not name.startswith("_")} == {
        "data", "more", "basis", "off", "on", "claim", "view", "selected",
    }  # fmt: skip


def test_the_inventory_goes_one_way() -> None:
    assert ParamView.data.metadata["echo_update"] is False


def test_the_browser_may_set_a_trait() -> None:
    view = ParamView(OSS)
    view.set_state({"off": ["embedding"], "basis": "active"})
    assert view.total == 5_132_849_472


def test_two_views_may_be_linked_in_the_browser_and_in_python() -> None:
    a, b = ParamView(OSS), ParamView("openai/gpt-oss-20b")
    link = ipywidgets.jslink((a, "off"), (b, "off"))
    assert link.source == (a, "off")
    with_python = traitlets.link((a, "basis"), (b, "basis"))
    a.basis = "stored"
    assert b.basis == "stored"
    with_python.unlink()


def test_the_state_holds_the_module_and_its_style() -> None:
    state = ParamView(OSS).get_state()
    assert "export{" in state["_esm"].replace(" ", "")
    assert ".pw-" in state["_css"]
    static = Path(pw.__file__).parent / "static"
    assert state["_esm"] == (static / "widget.js").read_text(encoding="utf-8")


# ------------------------------------------------------------------ where no widget runs


def mime(view: ParamView) -> dict[str, Any]:
    bundle = view._repr_mimebundle_()
    data: dict[str, Any] = bundle[0] if isinstance(bundle, tuple) else bundle
    return data


def test_the_bundle_holds_the_widget_and_one_line_of_text() -> None:
    view = ParamView(OSS)
    data = mime(view)
    assert data["application/vnd.jupyter.widget-view+json"]["model_id"] == view.model_id
    assert data["text/plain"] == "<ParamView openai/gpt-oss-120b: 5,711,982,912 active>"


def test_the_static_table_follows_the_convention() -> None:
    view = ParamView(OSS, off=["embedding"])
    html = view._repr_html_()
    assert "<table>" in html
    assert "5,132,849,472" in html
    assert "5,711,982,912" not in html


def test_the_line_of_text_follows_the_convention() -> None:
    assert repr(ParamView(OSS, "stored")) == "<ParamView openai/gpt-oss-120b: 116,829,156,672 stored>"


# ------------------------------------------------------------------ %params


def test_the_magic_shows_a_view() -> None:
    from paramwidget.magic import params

    view = params("openai/gpt-oss-120b --off embedding,norm --basis stored")
    assert (view.basis, view.off) == ("stored", ["embedding", "norm"])


def test_the_extension_registers_the_magic() -> None:
    registered = {}

    class Shell:
        def register_magic_function(self, function: object, kind: str, name: str) -> None:
            registered[name] = (kind, function)

    pw.load_ipython_extension(Shell())
    assert registered["params"][0] == "line"


def test_a_line_of_the_magic_that_cannot_be_read_is_wrong_usage() -> None:
    from IPython.core.error import UsageError

    from paramwidget.magic import params

    with pytest.raises(UsageError, match=r'^%params "unclosed: No closing quotation'):
        params('"unclosed')
    with pytest.raises(UsageError, match=r"^usage: %params"):
        params("openai/gpt-oss-120b --colour")


def test_a_line_of_the_magic_without_a_model_says_each_way_to_ask_once(
    capsys: pytest.CaptureFixture[str],
) -> None:
    from IPython.core.error import UsageError

    from paramwidget.magic import params

    with pytest.raises(UsageError) as caught:
        params("")
    assert str(caught.value).splitlines() == [
        "usage: %params [--revision REV] [--basis BASIS] [--off a,b] [--on a,b] MODEL",
        "or: %params check ... | %params compare ... | %params memory ... | %params reconcile ...",
        "the following arguments are required: MODEL",
    ]
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("trait", "value", "said"),
    [
        (
            "view",
            "tabel",
            "view is one of bridge, parts, layers, table, check, memory, and not 'tabel'. Did you mean 'table'?",
        ),
        (
            "selected",
            "atention",
            "selected is a role of the model, the name of one of its tensors, or None, and not 'atention'. "
            "Did you mean 'attention'?",
        ),
    ],
)
def test_a_view_or_part_that_is_not_there_is_refused_with_the_nearest_as_an_error_of_the_project(
    trait: str, value: str, said: str
) -> None:
    view = ParamView(OSS)
    with pytest.raises(pw.ConventionError) as caught:
        setattr(view, trait, value)
    assert str(caught.value) == said


# ------------------------------------------------------------------ views, parts and claims of one's own


def test_a_view_opens_on_the_bridge_and_takes_another_view_or_none_that_there_is_not() -> None:
    view = ParamView(OSS)
    assert view.view == "bridge"
    view.view = "layers"
    with pytest.raises(traitlets.TraitError, match="one of bridge, parts, layers, table, check, memory"):
        view.view = "pie"
    assert view.view == "layers"


@pytest.mark.parametrize("part", ["attention", "lm_head.weight", None])
def test_a_part_that_is_selected_is_a_role_or_a_tensor_of_the_model(part: str | None) -> None:
    view = ParamView(OSS, selected=part)
    assert view.selected == part


def test_a_tensor_of_an_unprintable_name_is_selected_by_the_name_that_the_browser_has() -> None:
    b = pw.count(SMALL)
    strange = replace(b.tensors[0], name="a\x1b[31m.weight")
    view = ParamView(replace(b, tensors=(strange, *b.tensors[1:])))
    name = view.data["tensors"][0]["name"]
    assert name.isprintable()
    for selected in (name, strange.name):
        view.set_state({"selected": selected})
        assert view.selected == name
        view.selected = None


@pytest.mark.parametrize("trait", ["claim", "selected"])
def test_a_box_of_text_that_is_linked_can_be_emptied(trait: str, monkeypatch: pytest.MonkeyPatch) -> None:
    view = ParamView(OSS, claim="5.1B active", selected="router")
    told: list[Any] = []
    monkeypatch.setattr(view, "_send", lambda message, buffers=None: told.append(message["state"]))
    view.set_state({trait: ""})
    assert getattr(view, trait) is None
    assert [state[trait] for state in told if trait in state] in ([], [""])  # at most the echo, and no null
    assert view.get_state()[trait] == ""
    setattr(view, trait, "")
    assert getattr(view, trait) is None


@pytest.mark.parametrize("part", ["ssm", "lm_head.weights", 3])
def test_a_part_that_the_model_lacks_is_refused(part: Any) -> None:
    view = ParamView(OSS, selected="attention")
    with pytest.raises(traitlets.TraitError, match="a role of the model"):
        view.selected = part
    assert view.selected == "attention"


def test_a_claim_of_ones_own_is_taken_and_what_has_no_number_is_refused() -> None:
    view = ParamView(OSS)
    view.claim = "5.1B active"
    with pytest.raises(pw.ClaimError, match="no number"):
        view.claim = "about as many as stars"
    assert view.claim == "5.1B active"


@pytest.mark.parametrize(
    "change",
    [
        lambda off: off.append("embedding"),
        lambda off: off.remove("norm"),
        lambda off: off.__setitem__(0, "embedding"),
        lambda off: off.clear(),
    ],
)
def test_a_change_in_place_which_nothing_could_notice_is_refused(change: Any) -> None:
    view = ParamView(OSS, off=["norm"])
    with pytest.raises(TypeError, match="Set the whole list"):
        change(view.off)
    assert view.off == ["norm"]


# ------------------------------------------------------------------ another model in place, and messages


def sent(view: ParamView, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What the view tells the browser beside its traits."""
    told: list[Any] = []
    monkeypatch.setattr(view, "send", lambda content, buffers=None: told.append(content))
    return told


def test_a_view_without_a_model_offers_the_bundled_ones() -> None:
    view = ParamView()
    models = view.data["catalog"]
    assert [m[0] for m in models] == pw.catalog()
    assert [OSS, 116_829_156_672, 5_711_982_912, "36 layers, 4 of 128 experts"] in models
    assert "tensors" not in view.data
    assert repr(view) == "<ParamView of no model yet>"
    assert "pick one" in view._repr_html_()
    with pytest.raises(pw.SourceError, match="No model is chosen yet"):
        view.total  # noqa: B018


def test_another_model_is_shown_in_place_under_the_same_convention() -> None:
    view = ParamView("openai/gpt-oss-20b", off=["embedding"], claim="21B", selected="attention", view="table")
    view.open(OSS)
    assert (view.total, view.claim, view.selected, view.view) == (5_132_849_472, None, None, "table")
    assert view.data == to_wire(pw.count(OSS))


def test_the_claim_and_the_part_of_a_config_go_with_it_though_the_next_has_no_other_name() -> None:
    one, other = dict(pw.count("openai/gpt-oss-20b").config), dict(pw.count("Qwen/Qwen3-8B").config)
    view = ParamView(one, claim="5B active", selected="router")
    assert view.open(one) is not None
    assert (view.claim, view.selected) == ("5B active", "router")
    view.open(other)
    assert (view.claim, view.selected) == (None, None)


def test_a_part_that_the_files_of_the_same_model_lack_is_selected_no_more() -> None:
    b = pw.count(OSS)
    view = ParamView(b, claim="5.1B active", selected="lm_head.weight")
    view.show(replace(b, tensors=b.tensors[:-1]))
    assert (view.claim, view.selected) == ("5.1B active", None)


def test_what_cannot_be_counted_leaves_the_view_as_it_was() -> None:
    view = ParamView(OSS, claim="5.1B active")
    with pytest.raises(pw.UnknownArchitecture):
        view.open({"model_type": "nothing_like_it", "hidden_size": 8})
    assert (view.breakdown.model, view.claim, view.data["model"]) == (OSS, "5.1B active", OSS)


def test_the_browser_learns_that_there_is_a_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    view = ParamView(OSS)
    told = sent(view, monkeypatch)
    view._handle_custom_msg({"do": "here"}, [])
    assert told == [{"kind": "here"}]


def test_the_browser_is_given_the_bundled_models(monkeypatch: pytest.MonkeyPatch) -> None:
    view = ParamView(OSS)
    told = sent(view, monkeypatch)
    view._handle_custom_msg({"do": "catalog"}, [])
    assert told == [{"kind": "catalog", "models": ParamView().data["catalog"]}]


@pytest.mark.parametrize(
    ("source", "stored"),
    [(" openai/gpt-oss-120b\n", 116_829_156_672), (json.dumps(SMALL), pw.count(SMALL).stored)],
    ids=["a repository id", "a pasted config"],
)
def test_the_browser_opens_another_model(source: str, stored: int) -> None:
    view = ParamView("openai/gpt-oss-20b")
    view._handle_custom_msg({"do": "open", "source": source}, [])
    assert view.breakdown.stored == stored


@pytest.mark.parametrize(
    ("message", "why"),
    [
        ({"do": "open", "source": "{not json"}, "is not JSON"),
        ({"do": "open", "source": '{"model_type": "nothing_like_it"}'}, "nothing_like_it"),
        ({"do": "open", "source": 5}, "does not know how"),
        ({"do": "dance"}, "does not know how"),
    ],
)
def test_what_the_browser_asks_in_vain_is_answered_by_an_error(
    message: dict[str, Any], why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = ParamView(OSS)
    told = sent(view, monkeypatch)
    view._handle_custom_msg(message, [])
    assert [(m["kind"], m["do"], why in m["text"]) for m in told] == [("error", message["do"], True)]
    assert view.breakdown.model == OSS


def test_what_was_asked_last_is_shown_however_late_the_rest_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    view = ParamView(OSS)
    told = sent(view, monkeypatch)
    first, second = threading.Event(), threading.Event()

    def slow(source: str, token: object) -> pw.Breakdown:
        (first if source == "first" else second).wait(10)
        return pw.count("Qwen/Qwen3-8B" if source == "first" else "openai/gpt-oss-20b")

    monkeypatch.setattr("paramwidget.kernel.opened", slow)

    async def both() -> None:
        for source in ("first", "second"):
            view._handle_custom_msg({"do": "open", "source": source}, [])
        second.set()
        while view.breakdown.model == OSS:
            await asyncio.sleep(0.01)
        first.set()
        await asyncio.gather(*(t for t in asyncio.all_tasks() if t is not asyncio.current_task()))

    asyncio.run(both())
    assert view.breakdown.model == "openai/gpt-oss-20b"
    assert {m["kind"] for m in told} == {"progress"}


def test_what_was_asked_first_is_shown_where_what_was_asked_later_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    view = ParamView(OSS)
    told = sent(view, monkeypatch)
    refused = threading.Event()

    def slow(b: object, token: object, progress: object) -> pw.Breakdown:
        refused.wait(10)
        return replace(pw.count(OSS), model="checked")

    monkeypatch.setattr("paramwidget.kernel.checked", slow)

    async def both() -> None:
        view._handle_custom_msg({"do": "check"}, [])
        view._handle_custom_msg({"do": "open", "source": "no/such"}, [])
        while told[-1]["kind"] != "error":
            await asyncio.sleep(0.01)
        refused.set()
        await asyncio.gather(*(t for t in asyncio.all_tasks() if t is not asyncio.current_task()))

    monkeypatch.setattr("paramwidget.kernel.opened", lambda source, token: pw.count({"model_type": "no"}))
    asyncio.run(both())
    assert view.breakdown.model == "checked"
    assert [(m["kind"], m["do"]) for m in told] == [
        ("progress", "check"),
        ("progress", "open"),
        ("error", "open"),
    ]


@pytest.mark.parametrize(
    ("model", "most"), [(OSS, 20_000), ("the largest", 80_000)], ids=["gpt-oss-120b", "the largest"]
)
def test_the_state_that_a_notebook_saves_stays_small(model: str, most: int) -> None:
    """Without the module's own text and its styles, as JSON."""
    if model == "the largest":
        model = max(pw.catalog(), key=lambda name: len(pw.count(name).tensors))
    state = ParamView(model).get_state()
    size = len(json.dumps({k: v for k, v in state.items() if k not in ("_esm", "_css")}).encode())
    assert size <= most


def test_all_views_of_a_kernel_refer_to_one_model_that_holds_the_second_module() -> None:
    one, other = ParamView(OSS), ParamView()
    assert one.more is other.more
    assert one.get_state()["more"] == f"IPY_MODEL_{one.more.model_id}"
    assert one.more.get_state()["text"].startswith("export default")
    assert one.more.get_state()["grammar"] == grammar()


def test_it_is_saved_and_embedded_with_a_view() -> None:
    view = ParamView(OSS)
    saved = ipywidgets.embed.dependency_state([view])
    assert view.more.model_id in saved


def test_after_all_widgets_were_closed_there_is_a_new_one() -> None:
    old = ParamView(OSS).more
    ipywidgets.Widget.close_all()
    new = ParamView(OSS).more
    assert new is not old
    assert new.comm is not None


def test_a_browser_that_does_not_find_it_is_given_its_text(monkeypatch: pytest.MonkeyPatch) -> None:
    view = ParamView(OSS)
    told = sent(view, monkeypatch)
    view._handle_custom_msg({"do": "more"}, [])
    (message,) = told
    assert message == {"kind": "more", **content()}
