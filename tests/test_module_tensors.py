"""Live modules of the libraries that pack, share or split their tensors, as fakes with the attributes that they give.

Each was also counted in its real library: bitsandbytes 0.50, PEFT 0.21 and FSDP of torch 2.13 in two processes.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

import paramwidget as pw
from paramwidget.residual import compare
from paramwidget.sources import open_source


class Tensor:
    """A shape, a dtype, and whatever a library keeps beside them."""

    def __init__(self, *shape: int, dtype: str = "torch.bfloat16", **more: Any) -> None:
        self.shape, self.dtype = shape, dtype
        vars(self).update(more)


class Params4bit(Tensor):
    """bitsandbytes' parameter, which is known by its name where its state is not there yet."""


class Module:
    """A torch module as far as it is asked: parameters, buffers and modules by name."""

    def __init__(self, **parts: Any) -> None:
        self._buffers: dict[str, Any] = {}
        self._parameters: dict[str, Any] = {}
        self._modules: dict[str, Module] = {}
        self._non_persistent_buffers_set: set[str] = set()
        for name, part in parts.items():
            self.put(name, part)

    def put(self, name: str, part: Any) -> Module:
        of = (
            self._modules
            if isinstance(part, Module)
            else self._parameters
            if isinstance(part, Tensor)
            else None
        )
        if of is None:
            setattr(self, name, part)
        else:
            of[name] = part
        return self

    def buffer(self, **tensors: Any) -> Module:
        self._buffers.update(tensors)
        for name, t in tensors.items():
            setattr(self, name, t)
        return self

    def named_modules(self, prefix: str = "") -> Any:
        yield prefix, self
        for name, module in self._modules.items():
            yield from module.named_modules(f"{prefix}.{name}" if prefix else name)

    def named_parameters(self, *, remove_duplicate: bool = True) -> Any:
        assert not remove_duplicate
        for at, module in self.named_modules():
            for name, t in module._parameters.items():
                yield f"{at}.{name}" if at else name, t

    def state_dict(self) -> Any:
        raise AssertionError("a sharded module would ask all its processes")


def linear(weight: Any = None, **more: Any) -> Module:
    """A Linear of 64 inputs and 128 outputs."""
    module = Module(in_features=64, out_features=128, **more)
    return module.put("weight", weight) if weight is not None else module


def within(module: Module, name: str = "up_proj") -> pw.Breakdown:
    """The count of a model of two layers that each have the module."""
    layer = Module(mlp=Module(**{name: module}))
    return pw.count(Module(model=Module(layers=Module(**{"0": layer, "1": layer}))))


def parameters(b: pw.Breakdown) -> int:
    return b.total("stored", off={"buffer"})


#: 128 × 64, in layers that are one module twice
WHOLE = 8192


def test_four_bits_of_bitsandbytes_are_counted_as_the_values_that_they_are() -> None:
    state = SimpleNamespace(shape=(128, 64), absmax=Tensor(128, dtype="torch.uint8"))
    state.state2 = SimpleNamespace(absmax=Tensor(1, dtype="torch.float32"))
    packed = Params4bit(4096, 1, dtype="torch.uint8", quant_state=state)
    b = within(linear(packed))
    assert b.stored == WHOLE
    assert b.total("stored", on={"scale"}) == WHOLE + 128 + 1
    assert b.by_role() == {"mlp": WHOLE}


@pytest.mark.parametrize("dtype", ["torch.uint8", "torch.bfloat16"])
def test_four_bits_whose_state_the_linear_keeps_or_nobody_yet_are_understood(dtype: str) -> None:
    packed = Params4bit(4096, 1, dtype=dtype, quant_state=None)
    assert within(linear(packed)).stored == WHOLE
    assert within(linear(packed, quant_state=SimpleNamespace(shape=(128, 64)))).stored == WHOLE


def test_eight_bits_of_bitsandbytes_keep_their_shape_and_their_scales_apart() -> None:
    weight = Tensor(128, 64, dtype="torch.int8", SCB=Tensor(128, dtype="torch.float32"))
    b = within(linear(weight))
    assert (b.stored, b.total("stored", on={"scale"})) == (WHOLE, WHOLE + 128)


def test_a_subclass_of_torchao_has_the_shape_of_its_values() -> None:
    assert within(linear(Tensor(128, 64, tensor_impl=object()))).stored == WHOLE


@pytest.mark.parametrize(
    ("qweight", "scales", "qzeros"),
    [
        ((8, 128), (1, 128), (1, 16)),  # GPTQ: 4 bits, words along the inputs
        ((64, 16), (1, 128), (1, 16)),  # AWQ: words along the outputs
        ((6, 128), (1, 128), (1, 12)),  # GPTQ: 3 bits, ten and two thirds to a word
    ],
)
def test_a_module_of_gptq_or_awq_is_as_large_as_its_map(qweight: Any, scales: Any, qzeros: Any) -> None:
    quantized = linear().buffer(
        qweight=Tensor(*qweight, dtype="torch.int32"),
        qzeros=Tensor(*qzeros, dtype="torch.int32"),
        scales=Tensor(*scales),
        g_idx=Tensor(64, dtype="torch.int32"),
        bias=Tensor(128),
    )
    b = within(quantized)
    assert b.stored == WHOLE + 128
    assert b.total("stored", off={"bias"}) == WHOLE
    assert b.total("stored", on={"scale"}) == WHOLE + 128 + 128 + qzeros[1] + 64
    assert {t.kind for t in b.tensors} == {"weight", "bias", "scale"}


def test_words_of_a_module_that_says_only_its_bits_are_unpacked() -> None:
    assert within(Module(bits=4).buffer(qweight=Tensor(8, 128, dtype="torch.int32"))).stored == WHOLE


def test_words_of_which_nothing_says_what_is_in_them_are_counted_as_words_and_said_so() -> None:
    b = within(Module().buffer(qweight=Tensor(8, 128, dtype="torch.int32")))
    assert b.stored == 1024
    assert (
        "2 packed tensors (model.layers.0.mlp.up_proj.qweight ...) are counted in words" in b.provenance.note
    )


def test_a_compressed_linear_is_as_large_as_its_map() -> None:
    packed = linear(
        weight_packed=Tensor(128, 8, dtype="torch.int32"),
        weight_scale=Tensor(128, 1),
        weight_shape=Tensor(2, dtype="torch.int64"),
    )
    for name in ("weight_packed", "weight_scale", "weight_shape"):
        setattr(packed, name, packed._parameters[name])
    b = within(packed)
    assert (b.stored, b.total("stored", on={"scale"})) == (WHOLE, WHOLE + 130)


def test_the_shape_that_hqq_keeps_in_its_meta_is_taken() -> None:
    assert within(Module(W_q=Tensor(64, 64, dtype="torch.uint8"), meta={"shape": (128, 64)})).stored == WHOLE


def test_blocks_of_mxfp4_hold_two_values_in_a_byte() -> None:
    experts = Module(
        gate_up_proj_blocks=Tensor(4, 128, 2, 16, dtype="torch.uint8"),
        gate_up_proj_scales=Tensor(4, 128, 2, dtype="torch.uint8"),
    )
    b = within(experts, "experts")
    assert (b.stored, b.by_role()) == (4 * WHOLE, {"routed_expert": 4 * WHOLE})


def test_a_partitioned_parameter_of_deepspeed_has_the_shape_that_it_was_given() -> None:
    empty = Tensor(0, ds_shape=(128, 64), ds_numel=WHOLE, ds_status="NOT_AVAILABLE")
    assert within(linear(empty)).stored == WHOLE


def flat(**more: Any) -> Tensor:
    """What FSDP lays into one: a table, a norm, and a head that shares the table."""
    head = SimpleNamespace(
        module_name="lm_head", param_name="weight", prim_module_name="embed_tokens", prim_param_name="weight"
    )
    return Tensor(
        40,
        _fqns=("embed_tokens.weight", "norm.weight"),
        _shapes=((10, 8), (8,)),
        _shared_param_infos=(head,),
        **more,
    )


def test_what_fsdp_has_laid_into_one_is_taken_apart() -> None:
    b = pw.count(Module(_fsdp_wrapped_module=Module(_flat_param=flat())))
    assert (b.stored, b.architectural) == (88, 168)
    assert [(t.name, t.shape, t.tied_to) for t in b.tensors] == [
        ("embed_tokens.weight", (10, 8), None),
        ("norm.weight", (8,), None),
        ("lm_head.weight", (10, 8), "embed_tokens.weight"),
    ]


def test_shards_that_fsdp_leaves_in_place_have_the_shape_of_the_whole() -> None:
    table = Tensor(40)
    wrapped = Module(
        embed_tokens=Module(weight=table), norm=Module(weight=Tensor(0)), lm_head=Module(weight=table)
    )
    root = Module(_fsdp_wrapped_module=wrapped, _handle=SimpleNamespace(flat_param=flat()))
    b = pw.count(root)
    assert (b.stored, b.architectural) == (88, 168)


def test_two_parameters_over_one_memory_are_one() -> None:
    at = {"data_ptr": lambda: 4096}
    b = pw.count(Module(embed=Module(weight=Tensor(10, 8, **at)), lm_head=Module(weight=Tensor(10, 8, **at))))
    assert (b.stored, b.architectural) == (80, 160)
    none = {"data_ptr": lambda: 0}  # on the meta device
    b = pw.count(
        Module(embed=Module(weight=Tensor(10, 8, **none)), lm_head=Module(weight=Tensor(10, 8, **none)))
    )
    assert b.stored == 160


def test_a_tensor_that_refuses_to_say_where_it_is_counts() -> None:
    def refuse() -> int:
        raise RuntimeError("no storage")

    assert within(linear(Tensor(128, 64, data_ptr=refuse))).stored == WHOLE


def test_a_lazy_parameter_has_no_shape_and_is_named() -> None:
    class Lazy(Tensor):
        def __getattribute__(self, name: str) -> Any:
            if name == "shape":
                raise RuntimeError("uninitialized")
            return super().__getattribute__(name)

    with pytest.raises(
        pw.SourceError, match=r"'model\.layers\.0\.mlp\.up_proj\.weight' of the module has no shape"
    ):
        within(linear(Lazy()))


def test_what_is_not_saved_is_not_counted() -> None:
    module = linear(Tensor(128, 64)).buffer(inv_freq=Tensor(32), causal_mask=Tensor(99), none=None)
    module._non_persistent_buffers_set = {"inv_freq"}
    assert within(module).by_role()["mlp"] == WHOLE + 99
    assert parameters(within(module)) == WHOLE


def test_an_adapter_is_counted_beside_the_model_and_leaves_its_parts_their_roles() -> None:
    adapted = Module(
        base_layer=linear(Tensor(128, 64)),
        lora_A=Module(default=Module(weight=Tensor(8, 64))),
        lora_B=Module(default=Module(weight=Tensor(128, 8))),
    )
    saved = Module(
        original_module=Module(weight=Tensor(64)), modules_to_save=Module(default=Module(weight=Tensor(64)))
    )
    table = Module(base_layer=Module(weight=Tensor(10, 64)), lora_embedding_A=Module(default=Tensor(8, 10)))
    layer = Module(self_attn=Module(q_proj=adapted), input_layernorm=saved)
    model = Module(model=Module(embed_tokens=table, layers=Module(**{"0": layer})))
    b = pw.count(Module(base_model=Module(model=model)))
    assert b.by_role() == {
        "embedding": 640,
        "attention": WHOLE,
        "norm": 64,
        "other": 8 * 64 + 128 * 8 + 64 + 80,
    }
    assert "The matrices of adapters are counted as other, beside the model." in b.provenance.note


def test_names_of_compiled_and_checkpointed_modules_are_the_models_own() -> None:
    inner = Module(_checkpoint_wrapped_module=Module(mlp=Module(up_proj=linear(Tensor(128, 64)))))
    b = pw.count(Module(_orig_mod=Module(model=Module(layers=Module(**{"0": inner})))))
    assert [t.name for t in b.tensors] == ["model.layers.{layer}.mlp.up_proj.weight"]


def test_a_module_gives_an_inventory_that_is_held_against_a_config() -> None:
    config = {
        "architectures": ["LlamaForCausalLM"],
        "vocab_size": 10,
        "hidden_size": 8,
        "intermediate_size": 6,
        "num_hidden_layers": 1,
        "num_attention_heads": 2,
        "tie_word_embeddings": True,
    }
    table, vector = Tensor(10, 8), {"weight": Tensor(8)}
    layer = Module(
        self_attn=Module(**{f"{x}_proj": Module(weight=Tensor(8, 8)) for x in "qkvo"}),
        mlp=Module(
            gate_proj=Module(weight=Tensor(6, 8)),
            up_proj=Module(weight=Tensor(6, 8)),
            down_proj=Module(weight=Tensor(8, 6)),
        ),
        input_layernorm=Module(weight=Tensor(8)),
        post_attention_layernorm=Module(weight=Tensor(8)),
    )
    model = Module(
        embed_tokens=Module(weight=table),
        layers=Module(**{"0": layer}),
        norm=Module(**vector),
        extra=Module(weight=Tensor(5)),
    )
    opened = open_source(Module(model=model, lm_head=Module(weight=table)))
    assert opened.inventory is not None
    assert (opened.inventory.format, opened.inventory.elements, opened.inventory.nbytes) == (
        "module",
        509,
        1018,
    )
    residual = compare(pw.count(config), opened.inventory)
    assert (residual.predicted, residual.found_parameters) == (504, 509)
    assert [row.name for row in residual.rows if row.found and not row.predicted] == ["extra.*"]
