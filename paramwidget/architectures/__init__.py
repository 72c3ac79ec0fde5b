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

    prefix    how the names of its classes begin: ``GptOss`` in ``GptOssForCausalLM``; the spelling of transformers
              first, then that of the files' own code where it is another
    where     the family file and its function
    declared  what a config may leave out beyond the defaults of its class in transformers (class_defaults.py);
              a function of the config is a rule
    endings   how the names of its classes end; the first is the class of a config that names none
    """

    prefix: str | tuple[str, ...]
    where: str
    declared: Mapping[str, Any] = field(default_factory=dict)
    endings: tuple[str, ...] = DECODER

    @property
    def classes(self) -> list[str]:
        """The class names that are described: ``LlamaForCausalLM``, ``LlamaModel`` ..."""
        return [prefix + ending for prefix in self.prefixes for ending in self.endings]

    @property
    def prefixes(self) -> tuple[str, ...]:
        return (self.prefix,) if isinstance(self.prefix, str) else self.prefix

    def head(self, cls: str) -> str:
        """The head that one of its classes puts on top."""
        return next(ENDINGS[e] for p in self.prefixes for e in self.endings if p + e == cls)

    def load(self) -> Callable[[Config], Iterator[TensorSpec | LayerRun]]:
        module, name = self.where.split(":")
        function: Callable[[Config], Iterator[TensorSpec | LayerRun]] = getattr(
            import_module(f"{__name__}.{module}"), name
        )
        return function


_FOURFOLD = {"intermediate_size": lambda c: 4 * c.hidden_size}
#: Falcon before transformers had it; the defaults are those of the configuration in its files
_REFINED_WEB = {"bias": False, "multi_query": False, "parallel_attn": False, "tie_word_embeddings": True}
_NO_QUESTION = DECODER[:-1]
_BERT = (*ENCODER, "ForPreTraining", "ForNextSentencePrediction")
_SEQ2SEQ = ("ForConditionalGeneration", "Model", "ForCausalLM")
_UNDERSTANDING = ("ForSequenceClassification", "ForQuestionAnswering")
_T5 = (*_SEQ2SEQ[:2], "EncoderModel", *_UNDERSTANDING, "ForTokenClassification")
_SAME_DEPTH = {"num_decoder_layers": lambda c: c.num_hidden_layers}
_ROBERTA = (*ENCODER, "ForCausalLM")

_EVERY_FOURTH = {"full_attention_interval": 4}
_QWEN3_5 = {**_EVERY_FOURTH, "mtp_num_hidden_layers": 0}

TABLE: dict[str, Entry] = {
    # the 40B's code knows no flag: few key and value heads and two norms a layer are always on
    "RefinedWeb": Entry(
        "RW", "bloom:falcon", {**_REFINED_WEB, "new_decoder_architecture": True, "parallel_attn": True}
    ),
    "RefinedWebModel": Entry("RW", "bloom:falcon", {**_REFINED_WEB, "new_decoder_architecture": False}),
    "albert": Entry("Albert", "bert:albert", endings=(*ENCODER, "ForPreTraining")),
    "bart": Entry("Bart", "bart:bart", {"num_labels": 3}, (*_SEQ2SEQ, *_UNDERSTANDING)),
    "bert": Entry("Bert", "bert:bert", endings=(*_BERT, "LMHeadModel")),
    "biogpt": Entry("BioGpt", "opt:biogpt", endings=_NO_QUESTION),
    "blenderbot": Entry("Blenderbot", "bart:pegasus", endings=_SEQ2SEQ),
    "bloom": Entry("Bloom", "bloom:bloom"),
    "camembert": Entry("Camembert", "bert:roberta", endings=_ROBERTA),
    "codegen": Entry("CodeGen", "gpt_neo:codegen", _FOURFOLD, DECODER[:2]),
    "ctrl": Entry("CTRL", "gpt2:ctrl", endings=("LMHeadModel", "Model", "ForSequenceClassification")),
    "deberta": Entry("Deberta", "deberta:deberta", endings=ENCODER[:-1]),
    "deberta-v2": Entry("DebertaV2", "deberta:deberta_v2", endings=ENCODER),
    "deepseek_v2": Entry("DeepseekV2", "deepseek:deepseek_v2", {"moe_layer_freq": 1}),
    "deepseek_v3": Entry(
        "DeepseekV3", "deepseek:deepseek_v3", {"moe_layer_freq": 1, "num_nextn_predict_layers": 0}
    ),
    "distilbert": Entry("DistilBert", "bert:distilbert", endings=ENCODER),
    "electra": Entry("Electra", "bert:electra", endings=(*ENCODER[:-1], "ForPreTraining", "ForCausalLM")),
    "ernie": Entry("Ernie", "bert:ernie", endings=(*_BERT, "ForCausalLM")),
    "falcon": Entry(("Falcon", "RW"), "bloom:falcon"),
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
    "llama": Entry("Llama", "llama:llama"),
    "m2m_100": Entry("M2M100", "bart:m2m_100", endings=_SEQ2SEQ[:2]),
    "marian": Entry("Marian", "bart:marian", endings=("MTModel", *_SEQ2SEQ[1:])),
    "mbart": Entry("MBart", "bart:mbart", endings=(*_SEQ2SEQ, *_UNDERSTANDING)),
    "mistral": Entry("Mistral", "llama:mistral"),
    "mixtral": Entry("Mixtral", "mixtral:mixtral"),
    "modernbert": Entry(
        "ModernBert", "modernbert:modernbert", {"global_attn_every_n_layers": 3}, endings=ENCODER
    ),
    "mpnet": Entry("MPNet", "bert:mpnet", endings=ENCODER),
    "mpt": Entry(("Mpt", "MPT"), "mpt:mpt"),
    "mt5": Entry("MT5", "t5:t5", _SAME_DEPTH, _T5),
    # the class of its language head was first called ForPreTraining
    "nomic_bert": Entry(
        "NomicBert",
        "modernbert:nomic_bert",
        {"vocab_size": 30528},
        ("ForMaskedLM", "ForPreTraining", "Model", *ENCODER[2:4]),
    ),
    "openai-gpt": Entry(
        "OpenAIGPT", "gpt2:openai_gpt", endings=("LMHeadModel", "Model", "ForSequenceClassification")
    ),
    "opt": Entry("OPT", "opt:opt", endings=(*DECODER[:3], "ForQuestionAnswering")),
    "pegasus": Entry("Pegasus", "bart:pegasus", endings=_SEQ2SEQ),
    "persimmon": Entry("Persimmon", "persimmon:persimmon", endings=_NO_QUESTION),
    "phi3": Entry("Phi3", "llama:phi3"),
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
    "t5": Entry("T5", "t5:t5", _SAME_DEPTH, _T5),
    "umt5": Entry("UMT5", "t5:umt5", _SAME_DEPTH, _T5),
    "whisper": Entry("Whisper", "whisper:whisper", endings=(*_SEQ2SEQ, "ForAudioClassification")),
    "xglm": Entry("XGLM", "opt:xglm", endings=DECODER[:2]),
    "xlm-roberta": Entry("XLMRoberta", "bert:roberta", endings=_ROBERTA),
    "xlm-roberta-xl": Entry("XLMRobertaXL", "bert:xlm_roberta_xl", endings=_ROBERTA),
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
    entry = TABLE[model_type]
    cls = cls or entry.classes[0]
    if cls not in entry.classes:
        raise UnknownArchitecture(
            f"{where}: architectures names {cls!r}, which is not a class of model_type {model_type!r} that is "
            f"described here (known: {or_list(entry.classes)}). Its tensors may differ, so nothing is guessed. "
            f"If the class only changes behaviour, not tensors, give one of the known names.",
            name=cls,
            nearest=nearest_names(cls, entry.classes, 3),
        )
    return model_type, cls, entry.head(cls), entry


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
