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
ENCODER = (
    "ForMaskedLM",
    "Model",
    "ForSequenceClassification",
    "ForTokenClassification",
    "ForQuestionAnswering",
    "ForMultipleChoice",
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


_FOURFOLD = {"intermediate_size": lambda c: 4 * c.hidden_size}
#: Falcon before transformers had it; the defaults are those of the configuration in its files
_REFINED_WEB = {
    **_FOURFOLD,
    "bias": False,
    "multi_query": False,
    "parallel_attn": False,
    "tie_word_embeddings": True,
}
_NO_QUESTION = DECODER[:-1]
_BERT = (*ENCODER, "ForPreTraining", "ForNextSentencePrediction")
_SEQ2SEQ = ("ForConditionalGeneration", "Model", "ForCausalLM")
_UNDERSTANDING = ("ForSequenceClassification", "ForQuestionAnswering")
_T5 = (*_SEQ2SEQ[:2], "EncoderModel", *_UNDERSTANDING, "ForTokenClassification")
_SAME_DEPTH = {"num_decoder_layers": lambda c: c.num_hidden_layers}
_ROBERTA = (*ENCODER, "ForCausalLM")
#: what remote code takes for a tie that a file leaves out
_TIED, _UNTIED = {"tie_word_embeddings": True}, {"tie_word_embeddings": False}
#: missing from what is read out of transformers
_ROPE_32, _ROPE_64 = {"qk_rope_head_dim": 32}, {"qk_rope_head_dim": 64}

_EVERY_FOURTH = {"full_attention_interval": 4}
_QWEN3_5 = {**_EVERY_FOURTH, "mtp_num_hidden_layers": 0}

TABLE: dict[str, Entry] = {
    "PanguEmbedded": Entry("PanguEmbedded", "internlm:internlm", {**_UNTIED, "bias": True}),
    # the 40B's code knows no flag: few key and value heads and two norms a layer are always on
    "RefinedWeb": Entry(
        "RW", "bloom:falcon", {**_REFINED_WEB, "new_decoder_architecture": True, "parallel_attn": True}
    ),
    "RefinedWebModel": Entry("RW", "bloom:falcon", {**_REFINED_WEB, "new_decoder_architecture": False}),
    "Yi": Entry("Yi", "kin:yi", _UNTIED),
    "albert": Entry("Albert", "bert:albert", endings=(*ENCODER, "ForPreTraining")),
    "apertus": Entry("Apertus", "ungated:apertus", endings=(*DECODER[:2], DECODER[3])),
    "apertus1p5_text": Entry("Apertus1p5Text", "ungated:apertus", endings=DECODER[:2]),
    "aquila": Entry("Aquila", "kin:llama_copy", _UNTIED),
    "arcee": Entry("Arcee", "ungated:arcee"),
    "baichuan": Entry("Baichuan", "internlm:baichuan", _UNTIED, also=("BaiChuan",)),
    "bart": Entry("Bart", "bart:bart", {"num_labels": 3}, (*_SEQ2SEQ, *_UNDERSTANDING)),
    "bert": Entry("Bert", "bert:bert", endings=(*_BERT, "LMHeadModel")),
    "biogpt": Entry("BioGpt", "opt:biogpt", endings=_NO_QUESTION),
    "bitnet": Entry("BitNet", "kin:bitnet", also=("Bitnet",), endings=DECODER[:2]),
    "blenderbot": Entry("Blenderbot", "bart:pegasus", endings=_SEQ2SEQ),
    "blenderbot-small": Entry("BlenderbotSmall", "bart:blenderbot_small", endings=_SEQ2SEQ),
    "bloom": Entry("Bloom", "bloom:bloom"),
    "camembert": Entry("Camembert", "bert:roberta", endings=_ROBERTA),
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
    "codegen": Entry("CodeGen", "gpt_neo:codegen", _FOURFOLD, DECODER[:2]),
    "cohere": Entry("Cohere", "cohere:cohere", endings=DECODER[:2]),
    "cohere2": Entry("Cohere2", "cohere:cohere2", {"sliding_window_pattern": 4}, endings=DECODER[:2]),
    "ctrl": Entry("CTRL", "gpt2:ctrl", endings=("LMHeadModel", "Model", "ForSequenceClassification")),
    "cwm": Entry("Cwm", "kin:cwm", endings=DECODER[:2]),
    "data2vec-text": Entry("Data2VecText", "bert_kin:data2vec_text", endings=_ROBERTA),
    "deberta": Entry("Deberta", "deberta:deberta", endings=ENCODER[:-1]),
    "deberta-v2": Entry("DebertaV2", "deberta:deberta_v2", endings=ENCODER),
    "deepseek_v2": Entry("DeepseekV2", "deepseek:deepseek_v2", {"moe_layer_freq": 1}),
    "deepseek_v3": Entry(
        "DeepseekV3", "deepseek:deepseek_v3", {"moe_layer_freq": 1, "num_nextn_predict_layers": 0}
    ),
    "diffllama": Entry("DiffLlama", "kin:diffllama"),
    "distilbert": Entry("DistilBert", "bert:distilbert", {"hidden_size": lambda c: c.dim}, ENCODER),
    "doge": Entry("Doge", "doge:doge", endings=DECODER[:3]),
    "electra": Entry("Electra", "bert:electra", endings=(*ENCODER[:-1], "ForPreTraining", "ForCausalLM")),
    "ernie": Entry("Ernie", "bert:ernie", endings=(*_BERT, "ForCausalLM")),
    "ernie4_5": Entry("Ernie4_5", "kin:ernie4_5", also=("Ernie4_5_",), endings=DECODER[:2]),
    "exaone": Entry("Exaone", "exaone:exaone", also=("Llama",)),
    "exaone4": Entry("Exaone4", "exaone:exaone4"),
    "falcon": Entry("Falcon", "bloom:falcon", _FOURFOLD, also=("RW",)),
    "gemma": Entry("Gemma", "gemma:gemma", endings=DECODER[:4]),
    "gemma2": Entry("Gemma2", "gemma:gemma2", endings=DECODER[:4]),
    "gemma3_text": Entry(
        "Gemma3",
        "gemma:gemma3_text",
        {"sliding_window_pattern": 6},
        endings=("ForCausalLM", "TextModel", "TextForSequenceClassification"),
    ),
    "glm": Entry("Glm", "glm:glm", endings=DECODER[:4]),
    "glm4": Entry("Glm4", "glm:glm4", endings=DECODER[:4]),
    "gpt-sw3": Entry("GPTSw3", "gpt2:gpt2", _FOURFOLD, ("LMHeadModel", *DECODER[1:]), ("GPT2",)),
    "gpt2": Entry("GPT2", "gpt2:gpt2", _FOURFOLD, ("LMHeadModel", *DECODER[1:])),
    "gpt_bigcode": Entry("GPTBigCode", "gpt2:gpt_bigcode", _FOURFOLD, _NO_QUESTION),
    "gpt_neo": Entry("GPTNeo", "gpt_neo:gpt_neo", _FOURFOLD),
    "gpt_neox": Entry("GPTNeoX", "gpt_neox:gpt_neox"),
    "gpt_neox_japanese": Entry("GPTNeoXJapanese", "gpt_neox:gpt_neox_japanese", endings=DECODER[:2]),
    "gpt_oss": Entry("GptOss", "gpt_oss:gpt_oss", {"dtype": "bfloat16"}),
    "gptj": Entry(
        "GPTJ",
        "gpt_neo:gptj",
        _FOURFOLD,
        (*DECODER[:3], "ForQuestionAnswering"),
    ),
    "granite": Entry("Granite", "llama:llama", endings=DECODER[:2]),
    "granite_swa": Entry("GraniteSWA", "kin:granite_swa", endings=DECODER[:2]),
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
    "layoutlm": Entry("LayoutLM", "bert_kin:layoutlm", endings=ENCODER[:5]),
    "llama": Entry("Llama", "llama:llama"),
    "longformer": Entry("Longformer", "bert_kin:longformer", endings=ENCODER),
    "m2m_100": Entry("M2M100", "bart:m2m_100", endings=_SEQ2SEQ[:2]),
    "marian": Entry("Marian", "bart:marian", endings=("MTModel", *_SEQ2SEQ[1:])),
    "mbart": Entry("MBart", "bart:mbart", endings=(*_SEQ2SEQ, *_UNDERSTANDING)),
    "megatron-bert": Entry("MegatronBert", "bert_kin:megatron_bert", endings=(*_BERT, "ForCausalLM")),
    "mimo": Entry("MiMo", "mimo:mimo", {**_UNTIED, "num_nextn_predict_layers": 0}),
    "minicpm": Entry("MiniCPM", "minicpm:minicpm", {**_TIED, "attention_bias": False, "num_experts": 0}),
    "minicpm3": Entry(
        "MiniCPM3",
        "minicpm:mla_dense",
        {**_ROPE_32, "v_head_dim": lambda c: c.divide("hidden_size", "num_attention_heads")},
        endings=DECODER[:3],
    ),
    "ministral": Entry("Ministral", "kin:windowed_llama"),
    "ministral3": Entry("Ministral3", "kin:windowed_llama"),
    "mistral": Entry("Mistral", "llama:mistral"),
    "mixtral": Entry("Mixtral", "mixtral:mixtral"),
    "modernbert": Entry(
        "ModernBert", "modernbert:modernbert", {"global_attn_every_n_layers": 3}, endings=ENCODER
    ),
    "mpnet": Entry("MPNet", "bert:mpnet", endings=ENCODER),
    "mpt": Entry("Mpt", "mpt:mpt", also=("MPT",)),
    "mt5": Entry("MT5", "t5:t5", _SAME_DEPTH, _T5),
    "nanochat": Entry("NanoChat", "ungated:nanochat", endings=DECODER[:2]),
    "nemotron": Entry("Nemotron", "ungated:nemotron"),
    # the class of its language head was first called ForPreTraining
    "nomic_bert": Entry(
        "NomicBert",
        "modernbert:nomic_bert",
        {"vocab_size": 30528},
        ("ForMaskedLM", "ForPreTraining", "Model", *ENCODER[2:4]),
    ),
    "olmo": Entry("Olmo", "olmo:olmo", endings=DECODER[:3]),
    "olmo2": Entry("Olmo2", "olmo:olmo2", endings=DECODER[:3]),
    "olmo3": Entry("Olmo3", "olmo:olmo3", endings=DECODER[:3]),
    "openai-gpt": Entry(
        "OpenAIGPT", "gpt2:openai_gpt", endings=("LMHeadModel", "Model", "ForSequenceClassification")
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
    "opt": Entry("OPT", "opt:opt", endings=(*DECODER[:3], "ForQuestionAnswering")),
    "orion": Entry("Orion", "kin:orion", _UNTIED),
    "pegasus": Entry("Pegasus", "bart:pegasus", endings=_SEQ2SEQ),
    "persimmon": Entry("Persimmon", "ungated:persimmon", endings=DECODER[:4]),
    "phi": Entry("Phi", "phi:phi", endings=DECODER[:4]),
    "phi-msft": Entry("Phi", "phi:phi_msft", {**_UNTIED, **_FOURFOLD}, DECODER[:1]),
    "phi3": Entry("Phi3", "llama:phi3"),
    "phi3small": Entry("Phi3Small", "phi:phi3small", _TIED),
    "plbart": Entry("PLBart", "bart:bart", endings=(*_SEQ2SEQ, _UNDERSTANDING[0])),
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
    "roberta": Entry("Roberta", "bert:roberta", endings=_ROBERTA),
    "roberta-prelayernorm": Entry("RobertaPreLayerNorm", "bert_kin:roberta_prelayernorm", endings=_ROBERTA),
    "seed_oss": Entry("SeedOss", "kin:seed_oss"),
    "skywork": Entry("Skywork", "kin:llama_copy", _UNTIED),
    "smollm3": Entry("SmolLM3", "kin:windowed_llama"),
    "spark2_5": Entry("Spark2_5", "spark:spark2_5", _TIED, DECODER[:2]),
    "stablelm": Entry("StableLm", "stablelm:stablelm", endings=DECODER[:4]),
    "starcoder2": Entry("Starcoder2", "ungated:starcoder2", endings=DECODER[:4]),
    "t5": Entry("T5", "t5:t5", _SAME_DEPTH, _T5),
    "umt5": Entry("UMT5", "t5:umt5", _SAME_DEPTH, _T5),
    "vaultgemma": Entry("VaultGemma", "gemma:vaultgemma", endings=DECODER[:2]),
    "whisper": Entry("Whisper", "whisper:whisper", endings=(*_SEQ2SEQ, "ForAudioClassification")),
    "xglm": Entry("XGLM", "opt:xglm", endings=DECODER[:2]),
    "xlm-roberta": Entry("XLMRoberta", "bert:roberta", endings=_ROBERTA),
    "xlm-roberta-xl": Entry("XLMRobertaXL", "bert:xlm_roberta_xl", endings=_ROBERTA),
    "xverse": Entry("Xverse", "kin:llama_copy", _UNTIED),
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
