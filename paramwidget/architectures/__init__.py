"""From a config to its tensors: the table of known architectures.

A model_type maps to one function in one family file, imported only when it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from ..config import Config
from ..errors import ConfigError, UnknownArchitecture, nearest_names, or_list
from ..layers import LayerRun
from ..tensors import TensorSpec
from .blocks.heads import ENDINGS

DECODER = (
    "ForCausalLM",
    "Model",
    "ForSequenceClassification",
    "ForTokenClassification",
    "ForQuestionAnswering",
)
WITH_TOWERS = ("ForConditionalGeneration", "ForCausalLM", "Model")


@dataclass(frozen=True, slots=True)
class Entry:
    """One row of the table.

    prefix    how the names of its classes begin: ``GptOss`` in ``GptOssForCausalLM``
    where     the family file and its function
    declared  what a config may leave out beyond the defaults of its class in transformers (class_defaults.py);
              a function of the config is a rule
    endings   how the names of its classes end; the first is the class of a config that names none
    also      other beginnings that they have: transformers builds EXAONE as ``LlamaForCausalLM``
    """

    prefix: str
    where: str
    declared: Mapping[str, Any] = field(default_factory=dict)
    endings: tuple[str, ...] = DECODER
    also: tuple[str, ...] = ()

    @property
    def classes(self) -> list[str]:
        """The class names that are described: ``LlamaForCausalLM``, ``LlamaModel`` ..."""
        return [self.prefix + ending for ending in self.endings]

    def ending(self, cls: str) -> str | None:
        """How a class name ends; None for a class that is not described."""
        names = {start + end: end for start in (self.prefix, *self.also) for end in self.endings}
        return names.get(cls)

    def load(self) -> Callable[[Config], Iterator[TensorSpec | LayerRun]]:
        module, name = self.where.split(":")
        function: Callable[[Config], Iterator[TensorSpec | LayerRun]] = getattr(
            import_module(f"{__name__}.{module}"), name
        )
        return function


#: what remote code takes for a tie that a file leaves out
_TIED, _UNTIED = {"tie_word_embeddings": True}, {"tie_word_embeddings": False}
#: missing from what is read out of transformers
_ROPE_32, _ROPE_64 = {"qk_rope_head_dim": 32}, {"qk_rope_head_dim": 64}

#: DeepSeek's experts in every layer behind the dense ones, and no prediction layer unless the config names it
_NO_MTP = {"num_nextn_predict_layers": 0}
_EVERY_MOE = {"moe_layer_freq": 1}
_EVERY_FOURTH = {"full_attention_interval": 4}
_QWEN3_5 = {**_EVERY_FOURTH, "mtp_num_hidden_layers": 0}

TABLE: dict[str, Entry] = {
    "afmoe": Entry("Afmoe", "afmoe:afmoe", endings=DECODER[:2]),
    "apertus": Entry("Apertus", "ungated:apertus", endings=(*DECODER[:2], DECODER[3])),
    "apertus1p5_text": Entry("Apertus1p5Text", "ungated:apertus", endings=DECODER[:2]),
    "aquila": Entry("Aquila", "llama:llama", {**_UNTIED, "attention_bias": False, "mlp_bias": False}),
    "arcee": Entry("Arcee", "ungated:arcee"),
    "axk1": Entry("AXK1", "deepseek:axk1", {"first_k_dense_replace": 1, "moe_layer_freq": 1}, DECODER[:4]),
    "baichuan": Entry("Baichuan", "internlm:baichuan", _UNTIED, also=("BaiChuan",)),
    "bailing_moe": Entry(
        "BailingMoe",
        "bailing:bailing_moe",
        {**_UNTIED, **_NO_MTP, "first_k_dense_replace": 0, "n_shared_experts": 0},
        endings=DECODER[:2],
    ),
    "bailing_moe_v2": Entry(
        "BailingMoeV2",
        "bailing:bailing_moe_v2",
        {
            **_UNTIED,
            **_NO_MTP,
            "first_k_dense_replace": 0,
            "n_shared_experts": 0,
            "use_qk_norm": True,
        },
        endings=DECODER[:2],
    ),
    "beam": Entry("Beam", "beam:beam", endings=(*DECODER[:2], DECODER[3])),
    "bitnet": Entry("BitNet", "kin:bitnet", also=("Bitnet",), endings=DECODER[:2]),
    "chatglm": Entry(
        "ChatGLM",
        "glm:chatglm",
        {
            **_UNTIED,
            "add_bias_linear": False,
            "add_qkv_bias": False,
            "multi_query_attention": False,
            "multi_query_group_num": 1,
            "post_layer_norm": True,
            "rmsnorm": True,
        },
        ("Model", "ForConditionalGeneration"),
    ),
    "cohere": Entry("Cohere", "cohere:cohere", endings=DECODER[:2]),
    "cohere2": Entry("Cohere2", "cohere:cohere2", endings=DECODER[:2]),
    "cohere2_moe": Entry("Cohere2Moe", "cohere:cohere2_moe", {"first_k_dense_replace": 0}, DECODER[:2]),
    "cwm": Entry("Cwm", "kin:cwm", endings=DECODER[:2]),
    "dbrx": Entry(
        "Dbrx",
        "dbrx:dbrx",
        {"ffn_hidden_size": 3584, "kv_n_heads": 1, "moe_num_experts": 4, "moe_top_k": 1},
        DECODER[:2],
    ),
    "deepseek": Entry(
        "Deepseek",
        "deepseek:deepseek",
        {**_UNTIED, "attention_bias": False, "first_k_dense_replace": 0, "moe_layer_freq": 1},
        endings=DECODER[:3],
    ),
    "deepseek_ref": Entry(
        "DeepseekV4",
        "deepseek_v4:deepseek_v4",
        {**_UNTIED, "mlp_bias": False, "num_hash_layers": 3, "num_nextn_predict_layers": 1},
        DECODER[:2],
    ),
    "deepseek_v2": Entry("DeepseekV2", "deepseek:deepseek_v2", _EVERY_MOE),
    "deepseek_v3": Entry("DeepseekV3", "deepseek:deepseek_v3", {**_EVERY_MOE, **_NO_MTP}),
    "deepseek_v32": Entry("DeepseekV32", "deepseek:deepseek_v32", _NO_MTP, endings=DECODER[:2]),
    "deepseek_v4": Entry("DeepseekV4", "deepseek_v4:deepseek_v4", {"num_hash_layers": 3}, DECODER[:2]),
    "diffllama": Entry("DiffLlama", "kin:diffllama"),
    "dots1": Entry("Dots1", "dots1:dots1", endings=DECODER[:2]),
    "ernie4_5": Entry("Ernie4_5", "kin:ernie4_5", also=("Ernie4_5_",), endings=DECODER[:2]),
    "ernie4_5_moe": Entry("Ernie4_5_Moe", "ernie_moe:ernie4_5_moe", _NO_MTP, DECODER[:2]),
    "exaone": Entry("Exaone", "exaone:exaone", also=("Llama",)),
    "exaone4": Entry("Exaone4", "exaone:exaone4"),
    "exaone_moe": Entry("ExaoneMoe", "exaone_moe:exaone_moe", _NO_MTP, endings=DECODER[:2]),
    "flex_olmo": Entry("FlexOlmo", "olmoe:flex_olmo", endings=DECODER[:2]),
    "flint": Entry("Flint", "flint:flint", {"mlp_only_layers": [0, 1]}, endings=DECODER[:2]),
    "gemma": Entry("Gemma", "gemma:gemma", endings=DECODER[:4]),
    "gemma2": Entry("Gemma2", "gemma:gemma2", endings=DECODER[:4]),
    "gemma3_text": Entry(
        "Gemma3",
        "gemma:gemma3_text",
        endings=("ForCausalLM", "TextModel", "TextForSequenceClassification"),
    ),
    "glm": Entry("Glm", "glm:glm", endings=DECODER[:4]),
    "glm4": Entry("Glm4", "glm:glm4", endings=DECODER[:4]),
    "glm4_moe": Entry(
        "Glm4Moe",
        "glm_moe:glm4_moe",
        {"head_dim": lambda c: c.hidden_size // c.num_attention_heads},
        DECODER[:2],
    ),
    # its files hold one MTP layer that its config may not name
    "glm4_moe_lite": Entry(
        "Glm4MoeLite", "glm_moe:glm4_moe_lite", {"num_nextn_predict_layers": 1}, DECODER[:2]
    ),
    "glm_moe_dsa": Entry("GlmMoeDsa", "glm_moe:glm_moe_dsa", _NO_MTP, DECODER[:2]),
    "gpt2": Entry(
        "GPT2", "gpt2:gpt2", {"intermediate_size": lambda c: 4 * c.hidden_size}, ("LMHeadModel", *DECODER[1:])
    ),
    "gpt_oss": Entry("GptOss", "gpt_oss:gpt_oss", {"dtype": "bfloat16"}),
    "granite": Entry("Granite", "llama:llama", endings=DECODER[:2]),
    "granitemoe": Entry("GraniteMoe", "granite_moe:granitemoe", endings=DECODER[:2]),
    "granitemoe_swa": Entry("GraniteMoeSWA", "granite_moe:granitemoe_swa", endings=DECODER[:2]),
    "granitemoeshared": Entry("GraniteMoeShared", "granite_moe:granitemoe", endings=DECODER[:2]),
    "helium": Entry("Helium", "kin:helium", endings=DECODER[:4]),
    "hunyuan": Entry(
        "HunYuanMoEV1",
        "hunyuan_moe:hunyuan",
        {
            **_UNTIED,
            "attention_bias": False,
            "mlp_bias": False,
            "moe_layer_num_skipped": 0,
            "num_shared_expert": 1,
            "use_mixed_mlp_moe": False,
            "use_qk_norm": False,
        },
        also=("HunYuan",),
        endings=DECODER[:3],
    ),
    "hunyuan_v1_dense": Entry("HunYuanDenseV1", "kin:hunyuan_v1_dense", endings=DECODER[:3]),
    "hunyuan_v1_moe": Entry("HunYuanMoEV1", "hunyuan_moe:hunyuan_v1_moe", endings=DECODER[:3]),
    "hy_v3": Entry("HYV3", "hunyuan_moe:hy_v3", _NO_MTP, DECODER[:2]),
    "hyperclovax": Entry("HyperCLOVAX", "kin:hyperclovax", endings=DECODER[:2]),
    "internlm": Entry("InternLM", "internlm:internlm", {**_UNTIED, "bias": True}),
    "internlm2": Entry(
        "InternLM2", "internlm:internlm2", {**_UNTIED, "bias": True}, (*DECODER, "ForRewardModel")
    ),
    "internlm3": Entry("InternLM3", "kin:internlm3", also=("Llama",)),
    "iquestcoder": Entry("IQuestCoder", "llama:llama", also=("Llama",)),
    "jais2": Entry("Jais2", "ungated:nemotron", endings=DECODER[:2]),
    "jetmoe": Entry("JetMoe", "jetmoe:jetmoe", endings=DECODER[:3]),
    # not in transformers; its files are DeepSeek-V3's
    "kimi_k2": Entry(
        "DeepseekV3",
        "deepseek:deepseek_v3",
        {**_UNTIED, "attention_bias": False, "moe_layer_freq": 1, **_NO_MTP},
        endings=DECODER[:3],
    ),
    "kolibri1": Entry("Kolibri1", "kolibri:kolibri1", endings=DECODER[:2]),
    "laguna": Entry("Laguna", "laguna:laguna", endings=DECODER[:2]),
    "llama": Entry("Llama", "llama:llama"),
    # its files hold one MTP layer that its config does not name
    "longcat_flash": Entry(
        "LongcatFlash", "longcat:longcat_flash", {"num_nextn_predict_layers": 1}, DECODER[:2]
    ),
    "mellum": Entry("Mellum", "mellum:mellum", endings=DECODER[:2]),
    "mimo": Entry("MiMo", "mimo:mimo", {**_UNTIED, **_NO_MTP}),
    # its files hold three MTP layers that its config does not name
    "mimo_v2_flash": Entry(
        "MiMoV2Flash", "mimo_v2:mimo_v2_flash", {"num_nextn_predict_layers": 3}, endings=DECODER[:2]
    ),
    "minicpm": Entry("MiniCPM", "minicpm:minicpm", {**_TIED, "attention_bias": False, "num_experts": 0}),
    "minicpm3": Entry(
        "MiniCPM3",
        "minicpm:mla_dense",
        {**_ROPE_32, "v_head_dim": lambda c: c.divide("hidden_size", "num_attention_heads")},
        endings=DECODER[:3],
    ),
    "minimax_m2": Entry("MiniMaxM2", "minimax:minimax_m2", endings=DECODER[:2]),
    "minimax_m3_vl_text": Entry(
        "MiniMaxM3VL", "minimax:minimax_m3_text", endings=("ForCausalLM", "TextModel")
    ),
    "ministral": Entry("Ministral", "kin:windowed_llama"),
    "ministral3": Entry("Ministral3", "kin:windowed_llama"),
    "mistral": Entry("Mistral", "llama:mistral"),
    "mixtral": Entry("Mixtral", "mixtral:mixtral"),
    "nanochat": Entry("NanoChat", "ungated:nanochat", endings=DECODER[:2]),
    "nemotron": Entry("Nemotron", "ungated:nemotron"),
    "olmo": Entry("Olmo", "olmo:olmo", endings=DECODER[:3]),
    "olmo2": Entry("Olmo2", "olmo:olmo2", endings=DECODER[:3]),
    "olmo3": Entry("Olmo3", "olmo:olmo3", endings=DECODER[:3]),
    "olmoe": Entry("Olmoe", "olmoe:olmoe", endings=DECODER[:2]),
    "openelm": Entry(
        "OpenELM",
        "openelm:openelm",
        {
            "ffn_dim_divisor": 256,
            "ffn_with_glu": True,
            "normalize_qk_projections": False,
            "share_input_output_layers": False,
            "tie_word_embeddings": lambda c: c.flag("share_input_output_layers"),
        },
        DECODER[:2],
    ),
    "orion": Entry("Orion", "kin:orion", _UNTIED),
    "persimmon": Entry("Persimmon", "ungated:persimmon", endings=DECODER[:4]),
    "phi": Entry("Phi", "phi:phi", endings=DECODER[:4]),
    "phi-msft": Entry(
        "Phi", "phi:phi_msft", {**_UNTIED, "intermediate_size": lambda c: 4 * c.hidden_size}, DECODER[:1]
    ),
    "phi3": Entry("Phi3", "llama:phi3"),
    "phi3small": Entry("Phi3Small", "phi:phi3small", _TIED),
    "phimoe": Entry("Phimoe", "phimoe:phimoe", endings=DECODER[:3], also=("PhiMoE",)),
    "qwen": Entry("QWen", "qwen:qwen", {**_UNTIED, "no_bias": True}, ("LMHeadModel", "Model")),
    "qwen2": Entry("Qwen2", "llama:qwen2"),
    "qwen2_moe": Entry("Qwen2Moe", "qwen_moe:qwen2_moe"),
    "qwen3": Entry("Qwen3", "llama:qwen3"),
    "qwen3_5_moe": Entry("Qwen3_5Moe", "qwen_moe:qwen3_5_moe", _QWEN3_5, WITH_TOWERS),
    # text configs are published under the class of the whole too
    "qwen3_5_moe_text": Entry(
        "Qwen3_5Moe", "qwen_moe:qwen3_5_moe_text", _QWEN3_5, (*DECODER, WITH_TOWERS[0])
    ),
    "qwen3_moe": Entry("Qwen3Moe", "qwen_moe:qwen3_moe"),
    # its files hold one MTP layer that its config does not name
    "qwen3_next": Entry("Qwen3Next", "qwen_moe:qwen3_next", {**_EVERY_FOURTH, "mtp_num_hidden_layers": 1}),
    "sarvam_mla": Entry(
        "SarvamMLA",
        "deepseek:deepseek_v3",
        {**_EVERY_MOE, **_NO_MTP},
        also=("DeepseekV3",),
        endings=DECODER[:4],
    ),
    "sarvam_moe": Entry("SarvamMoE", "bailing:sarvam_moe", also=("Glm4Moe",), endings=DECODER[:2]),
    "seed_oss": Entry("SeedOss", "kin:seed_oss"),
    "skywork": Entry("Skywork", "llama:llama", {**_UNTIED, "attention_bias": False, "mlp_bias": False}),
    "smollm3": Entry("SmolLM3", "kin:windowed_llama"),
    "solar_open": Entry("SolarOpen", "solar_open:solar_open", endings=DECODER[:2]),
    "stablelm": Entry("StableLm", "stablelm:stablelm", endings=DECODER[:4]),
    "starcoder2": Entry("Starcoder2", "ungated:starcoder2", endings=DECODER[:4]),
    "step3p5": Entry("Step3p5", "step:step3p5", _NO_MTP, endings=DECODER[:2]),
    "vaultgemma": Entry("VaultGemma", "gemma:vaultgemma", endings=DECODER[:2]),
    "xverse": Entry("Xverse", "llama:llama", {**_UNTIED, "attention_bias": False, "mlp_bias": False}),
    "youtu": Entry("Youtu", "minicpm:mla_dense", _ROPE_64, endings=DECODER[:2]),
}


def known() -> list[str]:
    """The model types that are described here."""
    return sorted(TABLE)


def resolve(data: Mapping[str, Any], where: str) -> tuple[str, str, str, Entry]:
    """The model_type of a config, its class, the head of that class, and its row of the table.

    Without ``model_type`` the type follows from the class in ``architectures``; without a class, it is the causal one.
    Raises UnknownArchitecture for a type or class that is not known, ConfigError where the config names neither.
    """
    model_type, cls = data.get("model_type"), _class_of(data, where)
    if model_type is not None and not isinstance(model_type, str):
        raise ConfigError(
            f"{where}: model_type = {model_type!r} must be a string.", key="model_type", value=model_type
        )
    if not model_type and not cls:
        raise ConfigError(
            f"{where}: neither model_type nor architectures is given, so nothing says what the numbers mean. "
            f'Add one of them, for example "architectures": ["LlamaForCausalLM"].',
            key="model_type",
        )
    if not model_type:
        model_type = next((t for t, e in TABLE.items() if cls in e.classes), None)
        if model_type is None:
            raise _unknown_class(cls, where)
    elif model_type not in TABLE:
        raise _unknown_type(model_type, where)
    if data.get("text_config") is None and f"{model_type}_text" in TABLE:
        model_type += "_text"  # a text config under the name of the whole
    entry = TABLE[model_type]
    cls = cls or entry.classes[0]
    ending = entry.ending(cls)
    if ending is None:
        raise UnknownArchitecture(
            f"{where}: architectures names {cls!r}, which is not a class of model_type {model_type!r} that is "
            f"described here (known: {or_list(entry.classes)}). Its tensors may differ, so nothing is guessed. "
            f"If the class only changes behaviour, not tensors, give one of the known names.",
            name=cls,
            nearest=nearest_names(cls, entry.classes, 3),
        )
    return model_type, cls, ENDINGS[ending], entry


def _class_of(data: Mapping[str, Any], where: str) -> str:
    names = data.get("architectures")
    if names is None or names == [] or names == ():
        return ""
    if not isinstance(names, list | tuple) or not isinstance(names[0], str):
        raise ConfigError(
            f"{where}: architectures = {names!r} must be a list with one class name.",
            key="architectures",
            value=names,
        )
    return names[0]


def _unknown_type(model_type: str, where: str) -> UnknownArchitecture:
    near = nearest_names(model_type, TABLE)
    hint = f"The nearest known: {', '.join(near)}. " if near else ""
    return UnknownArchitecture(
        f"{where}: model_type {model_type!r} is not described here. {hint}Known: {', '.join(known())}. "
        f"If its tensors are those of a known type, count the config with that model_type and its class; "
        f"else add it as CONTRIBUTING.md shows.",
        name=model_type,
        nearest=near,
    )


def _unknown_class(cls: str, where: str) -> UnknownArchitecture:
    near = nearest_names(cls, [name for e in TABLE.values() for name in e.classes])
    hint = f"The nearest known: {', '.join(near)}. " if near else ""
    return UnknownArchitecture(
        f"{where}: there is no model_type, and the class {cls!r} in architectures is not described here. {hint}"
        f"Add the model_type of a known architecture ({', '.join(known())}).",
        name=cls,
        nearest=near,
    )
