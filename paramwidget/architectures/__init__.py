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
#: families that have no classifiers
CAUSAL = ("ForCausalLM", "Model")
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

_EVERY_FOURTH = {"full_attention_interval": 4}
_QWEN3_5 = {**_EVERY_FOURTH, "mtp_num_hidden_layers": 0}


_GLA = {
    "expand_k": 0.5,
    "expand_v": 1,
    "hidden_ratio": 4,
    "num_heads": 4,
    "use_output_gate": True,
    "use_short_conv": False,
    "conv_size": 4,
    "elementwise_affine": True,
    "fuse_norm": True,
    "hidden_act": "swish",
    "tie_word_embeddings": False,
}
_PLAMO2 = {
    "tie_word_embeddings": True,
    "attention_window_size": 2048,
    "hidden_size_per_head": 128,
    "mamba_d_state": 64,
    "mamba_d_conv": 4,
    "mamba_n_heads": 64,
    "mamba_step": 2,
    "mamba_enabled": True,
}
_RWKV = {"intermediate_size": lambda c: 4 * c.hidden_size, "attention_hidden_size": lambda c: c.hidden_size}


def _wide_channel_mix(c: Config) -> Any:
    """RWKV-5's default width: 3.5 times the hidden size, rounded down to a multiple of 32."""
    return c.hidden_size * 7 // 64 * 32


def _listed_layers(c: Config) -> Any:
    """How many layers a list or a pattern of Nemotron-H names."""
    return import_module(f"{__name__}.nemotron_h").layer_count(c)


TABLE: dict[str, Entry] = {
    "PanguEmbedded": Entry("PanguEmbedded", "internlm:internlm", {**_UNTIED, "bias": True}),
    "Yi": Entry("Yi", "kin:yi", _UNTIED),
    "apertus": Entry("Apertus", "ungated:apertus", endings=(*DECODER[:2], DECODER[3])),
    "apertus1p5_text": Entry("Apertus1p5Text", "ungated:apertus", endings=DECODER[:2]),
    "aquila": Entry("Aquila", "kin:llama_copy", _UNTIED),
    "arcee": Entry("Arcee", "ungated:arcee"),
    "baichuan": Entry("Baichuan", "internlm:baichuan", _UNTIED, also=("BaiChuan",)),
    "bailing_hybrid": Entry("BailingHybrid", "bailing_hybrid:bailing_hybrid", endings=CAUSAL),
    "bamba": Entry("Bamba", "mamba_hybrids:bamba", endings=CAUSAL),
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
    "cohere2": Entry("Cohere2", "cohere:cohere2", {"sliding_window_pattern": 4}, endings=DECODER[:2]),
    "cwm": Entry("Cwm", "kin:cwm", endings=DECODER[:2]),
    "deepseek_v2": Entry("DeepseekV2", "deepseek:deepseek_v2", {"moe_layer_freq": 1}),
    "deepseek_v3": Entry(
        "DeepseekV3", "deepseek:deepseek_v3", {"moe_layer_freq": 1, "num_nextn_predict_layers": 0}
    ),
    "diffllama": Entry("DiffLlama", "kin:diffllama"),
    "doge": Entry("Doge", "doge:doge", endings=DECODER[:3]),
    "ernie4_5": Entry("Ernie4_5", "kin:ernie4_5", also=("Ernie4_5_",), endings=DECODER[:2]),
    "exaone": Entry("Exaone", "exaone:exaone", also=("Llama",)),
    "exaone4": Entry("Exaone4", "exaone:exaone4"),
    "falcon_h1": Entry("FalconH1", "mamba_hybrids:falcon_h1", endings=CAUSAL),
    "falcon_mamba": Entry("FalconMamba", "mamba:mamba", endings=CAUSAL),
    "gemma": Entry("Gemma", "gemma:gemma", endings=DECODER[:4]),
    "gemma2": Entry("Gemma2", "gemma:gemma2", endings=DECODER[:4]),
    "gemma3_text": Entry(
        "Gemma3",
        "gemma:gemma3_text",
        {"sliding_window_pattern": 6},
        endings=("ForCausalLM", "TextModel", "TextForSequenceClassification"),
    ),
    # fla-org/flash-linear-attention, models/gla/configuration_gla.py
    "gla": Entry("GLA", "gla:gla", _GLA, CAUSAL),
    "glm": Entry("Glm", "glm:glm", endings=DECODER[:4]),
    "glm4": Entry("Glm4", "glm:glm4", endings=DECODER[:4]),
    "gpt2": Entry(
        "GPT2", "gpt2:gpt2", {"intermediate_size": lambda c: 4 * c.hidden_size}, ("LMHeadModel", *DECODER[1:])
    ),
    "gpt_oss": Entry("GptOss", "gpt_oss:gpt_oss", {"dtype": "bfloat16"}),
    "granite": Entry("Granite", "llama:llama", endings=DECODER[:2]),
    "granite_swa": Entry("GraniteSWA", "kin:granite_swa", endings=DECODER[:2]),
    "granitemoehybrid": Entry("GraniteMoeHybrid", "mamba_hybrids:granitemoehybrid", endings=CAUSAL),
    "helium": Entry("Helium", "kin:helium", endings=DECODER[:4]),
    "hunyuan_v1_dense": Entry("HunYuanDenseV1", "kin:hunyuan_v1_dense", endings=DECODER[:3]),
    "hyperclovax": Entry("HyperCLOVAX", "kin:hyperclovax", endings=DECODER[:2]),
    "internlm": Entry("InternLM", "internlm:internlm", {**_UNTIED, "bias": True}),
    "internlm2": Entry(
        "InternLM2", "internlm:internlm2", {**_UNTIED, "bias": True}, (*DECODER, "ForRewardModel")
    ),
    "internlm3": Entry("InternLM3", "kin:internlm3", also=("Llama",)),
    "iquestcoder": Entry("IQuestCoder", "llama:llama", also=("Llama",)),
    "jais2": Entry("Jais2", "ungated:nemotron", endings=DECODER[:2]),
    "jamba": Entry("Jamba", "mamba_hybrids:jamba", endings=(*CAUSAL, "ForSequenceClassification")),
    "kimi_k3": Entry("KimiK3", "kimi_linear:kimi_k3", {"first_k_dense_replace": 1}, WITH_TOWERS[:1]),
    "kimi_linear": Entry("KimiLinear", "kimi_linear:kimi_linear", {"first_k_dense_replace": 1}, CAUSAL),
    "lara_mini": Entry("LaraMini", "lara_mini:lara_mini", endings=CAUSAL),
    "lfm2": Entry("Lfm2", "lfm2:lfm2", {"block_ffn_dim_multiplier": 1}, CAUSAL),
    "lfm2_moe": Entry("Lfm2Moe", "lfm2:lfm2_moe", endings=CAUSAL),
    "lfm3": Entry("Lfm3", "lfm2:lfm3", endings=CAUSAL),
    "llama": Entry("Llama", "llama:llama"),
    "mamba": Entry("Mamba", "mamba:mamba", endings=CAUSAL),
    "mamba2": Entry("Mamba2", "mamba:mamba2", endings=CAUSAL),
    "mimo": Entry("MiMo", "mimo:mimo", {**_UNTIED, "num_nextn_predict_layers": 0}),
    "minicpm": Entry("MiniCPM", "minicpm:minicpm", {**_TIED, "attention_bias": False, "num_experts": 0}),
    "minicpm3": Entry(
        "MiniCPM3",
        "minicpm:mla_dense",
        {**_ROPE_32, "v_head_dim": lambda c: c.divide("hidden_size", "num_attention_heads")},
        endings=DECODER[:3],
    ),
    "minimax": Entry("MiniMax", "minimax:minimax"),
    "minimax_m1": Entry("MiniMaxM1", "minimax:minimax_m1", {"tie_word_embeddings": False}, CAUSAL),
    "minimax_text_01": Entry("MiniMaxText01", "minimax:minimax_m1", {"tie_word_embeddings": False}, CAUSAL),
    "ministral": Entry("Ministral", "kin:windowed_llama"),
    "ministral3": Entry("Ministral3", "kin:windowed_llama"),
    "mistral": Entry("Mistral", "llama:mistral"),
    "mixtral": Entry("Mixtral", "mixtral:mixtral"),
    "nanochat": Entry("NanoChat", "ungated:nanochat", endings=DECODER[:2]),
    "nemotron": Entry("Nemotron", "ungated:nemotron"),
    "nemotron-nas": Entry(
        "DeciLM",
        "deci:nemotron_nas",
        {"attention_bias": False, "mlp_bias": False, "tie_word_embeddings": False},
        CAUSAL,
    ),
    "nemotron_h": Entry(
        "NemotronH", "nemotron_h:nemotron_h", {"num_hidden_layers": _listed_layers}, endings=CAUSAL
    ),
    "olmo": Entry("Olmo", "olmo:olmo", endings=DECODER[:3]),
    "olmo2": Entry("Olmo2", "olmo:olmo2", endings=DECODER[:3]),
    "olmo3": Entry("Olmo3", "olmo:olmo3", endings=DECODER[:3]),
    "olmo_hybrid": Entry(
        "OlmoHybrid",
        "olmo_hybrid:olmo_hybrid",
        {
            "linear_num_key_heads": lambda c: c.num_attention_heads,
            "linear_num_value_heads": lambda c: c.num_attention_heads,
            "linear_key_head_dim": lambda c: 3 * c.hidden_size // (4 * c.linear_num_key_heads),
            "linear_value_head_dim": lambda c: 2 * c.linear_key_head_dim,
        },
        CAUSAL,
    ),
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
    # the config class of pfnet/plamo-2-1b, as mlx-lm and vLLM read it
    "plamo2": Entry("Plamo2", "plamo2:plamo2", _PLAMO2, CAUSAL),
    "qwen": Entry("QWen", "qwen:qwen", {**_UNTIED, "no_bias": True}, ("LMHeadModel", "Model")),
    "qwen2": Entry("Qwen2", "llama:qwen2"),
    "qwen2_moe": Entry("Qwen2Moe", "qwen_moe:qwen2_moe"),
    "qwen3": Entry("Qwen3", "llama:qwen3"),
    "qwen3_5": Entry("Qwen3_5", "qwen3_5:qwen3_5", _QWEN3_5, WITH_TOWERS),
    "qwen3_5_moe": Entry("Qwen3_5Moe", "qwen_moe:qwen3_5_moe", _QWEN3_5, WITH_TOWERS),
    # text configs are published under the class of the whole too
    "qwen3_5_moe_text": Entry(
        "Qwen3_5Moe", "qwen_moe:qwen3_5_moe_text", _QWEN3_5, (*DECODER, WITH_TOWERS[0])
    ),
    "qwen3_5_text": Entry(
        "Qwen3_5",
        "qwen3_5:qwen3_5_text",
        _QWEN3_5,
        (*DECODER, WITH_TOWERS[0], "TextModel", "TextForSequenceClassification"),
    ),
    "qwen3_moe": Entry("Qwen3Moe", "qwen_moe:qwen3_moe"),
    # its files hold one MTP layer that its config does not name
    "qwen3_next": Entry("Qwen3Next", "qwen_moe:qwen3_next", {**_EVERY_FOURTH, "mtp_num_hidden_layers": 1}),
    "recurrent_gemma": Entry("RecurrentGemma", "recurrent:recurrent_gemma", endings=CAUSAL),
    "rwkv": Entry("Rwkv", "recurrent:rwkv", _RWKV, CAUSAL),
    # published under the class names of RWKV-4, with code of its own
    "rwkv5": Entry(
        "Rwkv",
        "recurrent:rwkv5",
        {**_RWKV, "intermediate_size": _wide_channel_mix, "head_size": 64, "tie_word_embeddings": False},
        CAUSAL,
    ),
    "seed_oss": Entry("SeedOss", "kin:seed_oss"),
    "skywork": Entry("Skywork", "kin:llama_copy", _UNTIED),
    "smollm3": Entry("SmolLM3", "kin:windowed_llama"),
    "spark2_5": Entry("Spark2_5", "spark:spark2_5", _TIED, DECODER[:2]),
    "stablelm": Entry("StableLm", "stablelm:stablelm", endings=DECODER[:4]),
    "starcoder2": Entry("Starcoder2", "ungated:starcoder2", endings=DECODER[:4]),
    "vaultgemma": Entry("VaultGemma", "gemma:vaultgemma", endings=DECODER[:2]),
    "xlstm": Entry(
        "xLSTM",
        "recurrent:xlstm",
        {
            "hidden_size": lambda c: c.get("embedding_dim"),
            "num_hidden_layers": lambda c: c.get("num_blocks"),
            "qk_dim_factor": 0.5,
            "v_dim_factor": 1.0,
            "ffn_proj_factor": 2.667,
        },
        CAUSAL,
    ),
    "xverse": Entry("Xverse", "kin:llama_copy", _UNTIED),
    "youtu": Entry("Youtu", "minicpm:mla_dense", _ROPE_64, endings=DECODER[:2]),
    "zamba": Entry("Zamba", "mamba_hybrids:zamba", endings=(*CAUSAL, "ForSequenceClassification")),
    "zamba2": Entry("Zamba2", "mamba_hybrids:zamba2", endings=(*CAUSAL, "ForSequenceClassification")),
    "zaya": Entry("Zaya", "zaya:zaya", endings=CAUSAL),
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
        f"{where}: model_type {model_type!r} is not described here. {hint}{len(TABLE)} types are: "
        f"paramwidget.architectures.known() lists them. "
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
        f"Add the model_type of a known architecture; paramwidget.architectures.known() lists them.",
        name=cls,
        nearest=near,
    )
