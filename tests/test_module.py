"""Live modules, and what is not described where transformers is installed: with fakes, as no test needs torch."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from configs import SMALL

import paramwidget as pw
from paramwidget.roles import ROLES
from paramwidget.sources import foreign
from paramwidget.sources.module_roles import _WORDS, RULES, TOWERS, roles

# ------------------------------------------------------------------ fakes of the protocol


class Tensor:
    """A shape and a dtype, as a torch tensor on the meta device: no memory."""

    def __init__(self, *shape: int, dtype: str = "torch.bfloat16") -> None:
        self.shape, self.dtype = shape, dtype


class Module:
    """A module with parameters and buffers by name; one Tensor under two names is shared."""

    def __init__(self, parameters: dict[str, Tensor], buffers: Any = None, config: Any = None) -> None:
        self.parameters, self.buffers = parameters, buffers or {}
        if config is not None:
            self.config = SimpleNamespace(to_dict=lambda: config)

    def named_parameters(self, *, remove_duplicate: bool = True) -> Any:
        assert not remove_duplicate, "a tie would be passed over"
        return iter(self.parameters.items())

    def state_dict(self) -> dict[str, Tensor]:
        return {**self.parameters, **self.buffers}


def decoder(layers: int = 3, *, tied: bool = True, **config: Any) -> Module:
    table = Tensor(10, 4)
    tensors = {"model.embed_tokens.weight": table}
    for i in range(layers):
        tensors[f"model.layers.{i}.self_attn.q_proj.weight"] = Tensor(4, 4)
        tensors[f"model.layers.{i}.self_attn.q_proj.bias"] = Tensor(4)
        tensors[f"model.layers.{i}.mlp.up_proj.weight"] = Tensor(8 if i else 6, 4)
        tensors[f"model.layers.{i}.input_layernorm.weight"] = Tensor(4)
    tensors["lm_head.weight"] = table if tied else Tensor(10, 4)
    return Module(tensors, config={"model_type": "mine", **config})


def moe(parameters: dict[str, Tensor], **config: Any) -> pw.Breakdown:
    return pw.count(Module(parameters, config=config))


def only(b: pw.Breakdown, role: str) -> pw.TensorSpec:
    (found,) = [t for t in b.tensors if t.role == role]
    return found


# ------------------------------------------------------------------ a live module


def test_a_module_is_counted_from_its_own_tensors_and_says_so() -> None:
    b = pw.count(decoder())
    assert b.stored == 10 * 4 + 3 * (16 + 4 + 4) + 6 * 4 + 2 * 8 * 4
    assert (b.provenance.kind, b.model, b.model_type, b.architecture) == (
        "module",
        "Module",
        "mine",
        "Module",
    )
    assert b.provenance.note == (
        "Counted from the tensors of a live Module; roles are read off the names of its modules."
    )


def test_a_module_is_labelled_by_the_name_in_its_config() -> None:
    assert pw.count(decoder(_name_or_path="me/mine")).model == "me/mine"


def test_a_module_without_a_config_is_counted_too() -> None:
    b = pw.count(Module({"0.weight": Tensor(3, 2)}))
    assert (b.stored, b.active, b.model_type, b.config) == (6, 6, "", {})


def test_equal_siblings_are_one_and_a_layer_of_another_shape_is_its_own() -> None:
    up = [t for t in pw.count(decoder()).tensors if "up_proj" in t.name]
    assert {t.name for t in up} == {"model.layers.{layer}.mlp.up_proj.weight"}
    assert [(t.layers, t.copies, t.shape) for t in up] == [((0,), 1, (6, 4)), ((1, 2), 2, (8, 4))]


def test_a_second_name_of_a_parameter_is_tied_to_the_first() -> None:
    b = pw.count(decoder())
    assert only(b, "lm_head").tied_to == "model.embed_tokens.weight"
    assert b.architectural - b.stored == 40
    assert b.total("active", off={"embedding"}) == b.active, "the head takes the matrix over"
    assert only(pw.count(decoder(tied=False)), "lm_head").tied_to is None


def test_the_embedding_is_the_name_that_counts_also_where_the_head_comes_first() -> None:
    table = Tensor(10, 4)
    b = pw.count(Module({"lm_head.weight": table, "embed_tokens.weight": table}))
    assert only(b, "lm_head").tied_to == "embed_tokens.weight"
    assert only(b, "embedding").stored == 40


def test_parameters_that_layers_share_count_once() -> None:
    shared = Tensor(4, 4)
    b = pw.count(Module({f"layers.{i}.self_attn.q_proj.weight": shared for i in range(3)}))
    assert (b.stored, b.architectural) == (16, 48)


def test_what_is_saved_and_is_no_parameter_is_a_buffer() -> None:
    b = pw.count(Module({"norm.weight": Tensor(4)}, {"running_mean": Tensor(7), "step": object()}))
    assert (b.stored, b.total("stored", off={"buffer"})) == (11, 4)


def test_biases_and_scales_are_told_by_their_names() -> None:
    names = ("q_proj.bias", "q_proj.weight_scale_inv", "q_proj.weight")
    b = pw.count(Module({n: Tensor(2) for n in names}))
    assert [t.kind for t in b.tensors] == ["bias", "scale", "weight"]


def test_the_bytes_are_those_of_the_dtypes_that_the_module_has() -> None:
    b = pw.count(Module({"a.weight": Tensor(3), "b.weight": Tensor(2, dtype="torch.float32")}))
    assert b.weight_bytes == 3 * 2 + 2 * 4
    assert "Weights as the module holds them: 14 bytes." in b.to_markdown()


def test_a_module_shows_no_number_of_layers_that_it_does_not_know() -> None:
    from paramwidget.wire import facts

    assert facts(pw.count(decoder())) == []


# ------------------------------------------------------------------ experts

EXPERTS = {f"model.layers.1.mlp.experts.{e}.up_proj.weight": Tensor(6, 4) for e in range(8)}
STACK = {f"model.layers.{i}.mlp.experts.gate_up_proj": Tensor(8, 12, 4) for i in (1, 2)}


def test_experts_with_names_of_their_own_are_one_tensor_with_copies() -> None:
    t = only(moe(EXPERTS, num_experts=8, num_experts_per_tok=2), "routed_expert")
    assert (t.name, t.layers, t.copies) == (
        "model.layers.{layer}.mlp.experts.{expert}.up_proj.weight",
        (1,),
        8,
    )
    assert (t.active_copies, t.stacked) == (2, None)


def test_a_stack_of_experts_is_one_tensor_with_copies() -> None:
    t = only(moe(STACK, num_local_experts=8, num_experts_per_tok=2), "routed_expert")
    assert (t.shape, t.copies, t.active_copies, t.stacked) == ((12, 4), 16, 4, 8)


def test_a_stack_of_as_many_matrices_as_there_are_experts_is_one_of_experts() -> None:
    stack = {"model.layers.0.moe.input_linear.weight": Tensor(8, 12, 4)}
    assert only(moe(stack, num_experts=8, num_experts_per_tok=2), "routed_expert").active == 2 * 48


def test_the_experts_of_a_nested_config_are_found() -> None:
    b = moe(STACK, text_config={"moe_num_experts": [8, 8], "moe_k": 3})
    assert only(b, "routed_expert").active_copies == 6


@pytest.mark.parametrize("config", [{}, {"num_experts": 8}, {"num_experts": 16, "num_experts_per_tok": 2}])
def test_experts_that_no_count_fits_are_all_active_and_it_says_so(config: dict[str, Any]) -> None:
    b = moe(STACK, **config)
    assert b.active == b.stored == 2 * 8 * 48
    assert b.provenance.note.endswith(
        "How many experts a token uses is not known: all are counted as active."
    )


# ------------------------------------------------------------------ roles

NAMES = {
    "model.embed_tokens.weight": "embedding",
    "transformer.wte.weight": "embedding",
    "transformer.wpe.weight": "position",
    "bert.embeddings.position_embeddings.weight": "position",
    "bert.embeddings.LayerNorm.weight": "norm",
    "bert.encoder.layer.{layer}.attention.self.query.weight": "attention",
    "bert.encoder.layer.{layer}.attention.output.LayerNorm.weight": "norm",
    "bert.encoder.layer.{layer}.intermediate.dense.weight": "mlp",
    "cls.predictions.transform.dense.weight": "lm_head",
    "model.layers.{layer}.self_attn.q_proj.weight": "attention",
    "model.layers.{layer}.self_attn.q_norm.weight": "attention",
    "model.layers.{layer}.post_attention_layernorm.weight": "norm",
    "model.layers.{layer}.mlp.gate_proj.weight": "mlp",
    "model.layers.{layer}.mlp.experts.down_proj": "routed_expert",
    "model.layers.{layer}.mlp.gate.weight": "router",
    "model.layers.{layer}.mlp.shared_expert_gate.weight": "shared_expert",
    "model.layers.{layer}.mlp.shared_experts.up_proj.weight": "shared_expert",
    "model.layers.{layer}.linear_attn.A_log": "linear_attention",
    "model.layers.{layer}.mamba.norm.weight": "ssm",
    "encoder.layers.{layer}.linear1.weight": "mlp",
    "model.norm.weight": "norm",
    "model.vision_tower.encoder.layers.{layer}.mlp.fc1.weight": "vision",
    "model.visual.merger.mlp.0.weight": "projector",
    "model.audio_tower.conv1.weight": "audio",
    "model.multi_modal_projector.linear_1.weight": "projector",
    "mtp.layers.{layer}.self_attn.q_proj.weight": "mtp",
    "lm_head.weight": "lm_head",
    "model.something_else": "other",
}


@pytest.mark.parametrize("name", NAMES)
def test_a_name_tells_the_role(name: str) -> None:
    assert roles(NAMES)[name] == NAMES[name]


def test_a_gate_is_a_router_only_where_there_are_experts() -> None:
    gate = "model.layers.{layer}.mlp.gate.weight"
    assert roles([gate])[gate] == "mlp"


def test_an_encoder_beside_a_decoder_is_the_encoder_and_one_alone_is_the_body() -> None:
    encoder, decoder = "encoder.block.{layer}.wo.weight", "decoder.layers.{layer}.encoder_attn.q_proj.weight"
    assert roles([encoder, decoder]) == {encoder: "encoder", decoder: "attention"}
    assert roles([encoder], encoder_decoder=True) == {encoder: "mlp"}
    assert roles([encoder, decoder], encoder_decoder=False)[encoder] == "mlp"


def test_a_tower_alone_is_the_body() -> None:
    name = "vision_model.encoder.layers.{layer}.mlp.fc1.weight"
    assert roles([name]) == {name: "mlp"}


def test_a_bias_of_the_logits_is_the_heads() -> None:
    names = ["final_logits_bias", "vocab_projector.weight", "decoder.bias"]
    assert set(roles(names).values()) == {"lm_head"}


def test_every_rule_gives_a_role() -> None:
    assert {role for role, _ in RULES} | TOWERS.keys() < ROLES.keys()


# ------------------------------------------------------------------ what is not described here

ALIEN = {
    "model_type": "alien",
    "hidden_size": 4,
    "auto_map": {"AutoModel": "code.py"},
    "torch_dtype": "bfloat16",
}


class AlienConfig:
    model_type = "alien"

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> AlienConfig:
        return cls(data)


class PreTrainedModel:
    config_class = AlienConfig


class AlienForCausalLM(PreTrainedModel, Module):
    def __init__(self, config: AlienConfig) -> None:
        if config.data.get("broken"):
            raise ValueError("no\nsuch value")
        made = decoder(**config.data, vocab_size=10)
        Module.__init__(self, made.parameters, config=made.config.to_dict())
        self.parameters["lm_head.weight"] = Tensor(10, 4)
        assert "auto_map" not in config.data

    def tie_weights(self) -> None:
        self.parameters["lm_head.weight"] = self.parameters["model.embed_tokens.weight"]


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """A transformers that knows one type, and a torch with a meta device."""
    fake = SimpleNamespace(
        __version__="9.9",
        PreTrainedModel=PreTrainedModel,
        AlienForCausalLM=AlienForCausalLM,
        CONFIG_MAPPING={"alien": AlienConfig},
        MODEL_FOR_CAUSAL_LM_MAPPING={AlienConfig: AlienForCausalLM},
        logging=SimpleNamespace(
            get_verbosity=lambda: 30, set_verbosity=lambda level: None, set_verbosity_error=lambda: None
        ),
        pipeline=len,
    )
    monkeypatch.setitem(sys.modules, "transformers", fake)
    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(device=lambda name: nullcontext()))
    return fake


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize("named", [{}, {"architectures": ["AlienForCausalLM"]}])
def test_a_type_that_only_transformers_knows_is_counted_from_its_model_and_says_so(named: Any) -> None:
    b = pw.count({**ALIEN, **named})
    assert (b.stored, b.architectural) == (200, 240)
    assert (b.provenance.kind, b.model_type, b.architecture) == ("dict", "alien", "AlienForCausalLM")
    assert b.provenance.note == (
        "Not described here: counted from AlienForCausalLM of transformers 9.9, built without weights; "
        "roles are read off the names of its modules."
    )
    assert "counted from AlienForCausalLM of transformers 9.9" in b.to_markdown()
    assert b.defaulted == {"vocab_size": 10}
    assert b.weight_bytes == 200 * 2


def test_sizes_that_a_config_leaves_out_are_listed_under_whatever_name_they_have() -> None:
    inner = {"text_config": {"d_model": 7, "num_heads": 2}}
    whole = {**ALIEN, "n_embd": 3, "text_config": {"hidden_size": 7, "num_heads": 2, "moe_topk": 6}}
    assert dict(foreign._defaulted(whole, {**ALIEN, **inner})) == {"text_config.moe_topk": 6}


@pytest.mark.usefixtures("installed")
def test_the_bytes_of_a_quantized_config_are_not_guessed() -> None:
    assert pw.count({**ALIEN, "quantization_config": {"quant_method": "own"}}).weight_bytes is None


def test_what_is_described_here_never_asks_for_transformers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(foreign, "import_module", lambda name: pytest.fail(f"{name} was imported"))
    assert pw.count(SMALL).stored == 212
    assert pw.count(decoder()).provenance.kind == "module"


def refused(**changes: Any) -> str:
    with pytest.raises(pw.UnknownArchitecture) as caught:
        pw.count({**ALIEN, **changes})
    assert caught.value.name
    return str(caught.value)


def test_without_transformers_the_refusal_names_the_way_out() -> None:
    with pytest.raises(
        pw.UnknownArchitecture, match="With transformers and torch installed it can be counted"
    ):
        pw.count({"model_type": "alien"})


def test_code_of_a_repository_is_never_run_and_the_refusal_says_so() -> None:
    assert refused().endswith("if they have its class. Code of its repository (auto_map) is never run.")


@pytest.mark.usefixtures("installed")
def test_a_type_that_exists_only_as_code_of_its_repository_is_refused() -> None:
    assert refused(model_type="other").endswith(
        "transformers 9.9 has no class for it either. Code of its repository (auto_map) is never run."
    )


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize("cls", ["pipeline", "logging", "NobodysModel"])
def test_a_name_that_is_no_model_of_transformers_is_refused(cls: str) -> None:
    assert "transformers 9.9 has no class for it either." in refused(architectures=[cls])


@pytest.mark.usefixtures("installed")
def test_a_class_of_another_type_is_refused() -> None:
    assert "has no class for it" in refused(model_type="stranger", architectures=["AlienForCausalLM"])


@pytest.mark.usefixtures("installed")
def test_a_config_that_transformers_cannot_build_is_refused_with_its_reason() -> None:
    assert "transformers 9.9 cannot build it either (ValueError: no such value)." in refused(broken=True)


@pytest.mark.usefixtures("installed")
def test_more_layers_than_any_model_has_are_refused_before_they_are_built() -> None:
    with pytest.raises(pw.ConfigError, match="num_hidden_layers = 1000000 is more than 100,000"):
        pw.count({**ALIEN, "num_hidden_layers": 1_000_000})


def test_keys_that_make_transformers_fetch_or_run_something_are_not_followed(
    installed: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[dict[str, Any]] = []
    monkeypatch.setattr(AlienConfig, "from_dict", lambda data: seen.append(data) or AlienConfig(data))
    kernel = {"attn_implementation": "someone/kernel", "limit": {"__float__": "Infinity"}}
    pw.count({**ALIEN, "inner": [{**kernel, "use_pretrained_backbone": True}]})
    assert seen[0]["inner"] == [{"limit": float("inf")}]


def test_a_name_without_any_word_of_the_rules_fits_none_of_them() -> None:
    """The one search that spares a name the others: every name that a bundled model has, and made-up ones."""
    names = {t.name.lower() for model in pw.catalog() for t in pw.count(model).tensors} | {
        n.lower() for n in NAMES
    }
    letters = Random(3)
    names |= {
        ".".join("".join(letters.choices("abdefhlnoprtvwx_", k=letters.randint(1, 5))) for _ in range(3))
        for _ in range(20_000)
    }
    fits = [*TOWERS.items(), *RULES]
    assert [n for n in names if not _WORDS(n) and any(rule(n) for _, rule in fits)] == []
