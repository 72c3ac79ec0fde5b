"""The table of known architectures: model_type -> the names of its classes, its family file, what it declares.

A family file is imported only when one of its types is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from ..config import Config
from ..layers import LayerRun
from ..tensors import TensorSpec
from .blocks.towers import stages

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
#: families that have no classifiers
CAUSAL = ("ForCausalLM", "Model")
WITH_TOWERS = ("ForConditionalGeneration", "ForCausalLM", "Model")
TOWERS = ("ForConditionalGeneration", "Model")


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
            import_module(f"{__package__}.{module}"), name
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
#: T5 ties unless its config says false: a null does not
_TIED_T5: dict[str, Any] = {"tie_word_embeddings": lambda c: True}
_ROBERTA = (*ENCODER, "ForCausalLM")
_IMAGE = ("Model", "ForImageClassification")
_WORDS = ("ForMaskedLM", "ForCausalLM", "Model")
#: what remote code takes for a tie that a file leaves out
_TIED, _UNTIED = {"tie_word_embeddings": True}, {"tie_word_embeddings": False}
#: missing from what is read out of transformers
_ROPE_32, _ROPE_64 = {"qk_rope_head_dim": 32}, {"qk_rope_head_dim": 64}

#: DeepSeek's experts in every layer behind the dense ones, and no prediction layer unless the config names it
_NO_MTP = {"num_nextn_predict_layers": 0}
_EVERY_MOE = {"moe_layer_freq": 1}
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


def _last_stage(c: Config) -> Any:
    """The width behind Swin's last stage: each doubles the one before."""
    return c.embed_dim * 2 ** (stages(c) - 1)


def _listed_layers(c: Config) -> Any:
    """How many layers a list or a pattern of Nemotron-H names."""
    return import_module(f"{__package__}.nemotron_h").layer_count(c)


#: head_dim where a class divides and drops the rest
_FLOORED = {"head_dim": lambda c: c.hidden_size // c.num_attention_heads}

#: the tower of models whose config does not hold one
_CLIP_336 = {
    "vision_config": {
        "hidden_size": 1024,
        "image_size": 336,
        "intermediate_size": 4096,
        "num_attention_heads": 16,
        "num_hidden_layers": 24,
        "patch_size": 14,
    }
}

TABLE: dict[str, Entry] = {
    "DeepseekOCR": Entry("DeepseekOCR", "deepseek_ocr:deepseek_ocr", endings=("ForCausalLM",)),
    "PanguEmbedded": Entry("PanguEmbedded", "internlm:internlm", {**_UNTIED, "bias": True}),
    # the 40B's code knows no flag: few key and value heads and two norms a layer are always on
    "RefinedWeb": Entry(
        "RW", "bloom:falcon", {**_REFINED_WEB, "new_decoder_architecture": True, "parallel_attn": True}
    ),
    "RefinedWebModel": Entry("RW", "bloom:falcon", {**_REFINED_WEB, "new_decoder_architecture": False}),
    "Yi": Entry("Yi", "kin:yi", _UNTIED),
    "afmoe": Entry("Afmoe", "afmoe:afmoe", endings=DECODER[:2]),
    "albert": Entry("Albert", "bert:albert", endings=(*ENCODER, "ForPreTraining")),
    "apertus": Entry("Apertus", "ungated:apertus", endings=(*DECODER[:2], DECODER[3])),
    "apertus1p5": Entry("Apertus1p5", "ungated:apertus1p5", endings=TOWERS),
    "apertus1p5_text": Entry("Apertus1p5Text", "ungated:apertus", endings=DECODER[:2]),
    "aquila": Entry("Aquila", "kin:llama_copy", _UNTIED),
    "arcee": Entry("Arcee", "ungated:arcee"),
    "aria": Entry("Aria", "aria:aria", endings=TOWERS),
    "aria_text": Entry("AriaText", "aria:aria_text", endings=DECODER[:2]),
    "arctic": Entry(
        "Arctic",
        "arctic:arctic",
        {**_UNTIED, "moe_layer_frequency": 2, "parallel_attn_mlp_res": False},
        DECODER[:3],
    ),
    "audioflamingo3": Entry("AudioFlamingo3", "audio:audio_flamingo", endings=TOWERS),
    "axk1": Entry("AXK1", "deepseek:axk1", {"first_k_dense_replace": 1, "moe_layer_freq": 1}, DECODER[:4]),
    "axk2": Entry("AXK2", "deepseek:axk2", {"first_k_dense_replace": 1, "moe_layer_freq": 1}, DECODER[:4]),
    "aya_vision": Entry("AyaVision", "llava:aya_vision", endings=TOWERS),
    "baichuan": Entry("Baichuan", "internlm:baichuan", _UNTIED, also=("BaiChuan",)),
    "bailing_hybrid": Entry("BailingHybrid", "bailing_hybrid:bailing_hybrid", endings=CAUSAL),
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
    "bamba": Entry("Bamba", "mamba_hybrids:bamba", endings=CAUSAL),
    "bart": Entry("Bart", "bart:bart", {"num_labels": 3}, (*_SEQ2SEQ, *_UNDERSTANDING)),
    "beam": Entry("Beam", "beam:beam", endings=(*DECODER[:2], DECODER[3])),
    "bert": Entry("Bert", "bert:bert", endings=(*_BERT, "LMHeadModel")),
    "bert-generation": Entry(
        "BertGeneration", "bert_cousins:bert_generation", endings=("Decoder", "Encoder")
    ),
    "big_bird": Entry("BigBird", "bert_cousins:big_bird", endings=_WORDS),
    "bigbird_pegasus": Entry("BigBirdPegasus", "bart:bigbird_pegasus", endings=_SEQ2SEQ),
    "biogpt": Entry("BioGpt", "opt:biogpt", endings=_NO_QUESTION),
    "bitnet": Entry("BitNet", "kin:bitnet", also=("Bitnet",), endings=DECODER[:2]),
    "blenderbot": Entry("Blenderbot", "bart:pegasus", endings=_SEQ2SEQ),
    "blenderbot-small": Entry("BlenderbotSmall", "bart:blenderbot_small", endings=_SEQ2SEQ),
    "blip": Entry("Blip", "blip:blip", endings=TOWERS[:1]),
    "blip-2": Entry("Blip2", "blip:blip2", endings=TOWERS[:1]),
    "bloom": Entry("Bloom", "bloom:bloom"),
    "blt": Entry("Blt", "blt:blt", endings=CAUSAL),
    "camembert": Entry("Camembert", "bert:roberta", endings=_ROBERTA),
    "canary": Entry("Canary", "speech:canary", endings=TOWERS),
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
    "clip": Entry("CLIP", "clip:clip", endings=("Model",)),
    "codegen": Entry("CodeGen", "gpt_neo:codegen", _FOURFOLD, DECODER[:2]),
    "cogvlm_video": Entry("CogVLMVideo", "cogvlm:cogvlm_video", _UNTIED, ("ForCausalLM",)),
    "cohere": Entry("Cohere", "cohere:cohere", endings=DECODER[:2]),
    "cohere2": Entry("Cohere2", "cohere:cohere2", {"sliding_window_pattern": 4}, endings=DECODER[:2]),
    "cohere2_moe": Entry("Cohere2Moe", "cohere:cohere2_moe", {"first_k_dense_replace": 0}, DECODER[:2]),
    "cohere2_vision": Entry("Cohere2Vision", "llava:cohere2_vision", endings=TOWERS),
    "cohere_asr": Entry("CohereAsr", "speech:cohere_asr", endings=TOWERS),
    "convbert": Entry("ConvBert", "bert_relatives:convbert", endings=ENCODER[:5]),
    "cosmos3_edge": Entry("Cosmos3Edge", "ungated:cosmos3_edge", endings=TOWERS),
    "cosmos3_edge_text": Entry("Cosmos3EdgeText", "ungated:cosmos3_edge_text", endings=("Model",)),
    "cosmos3_omni": Entry("Cosmos3Omni", "qwen_vl:qwen3_vl", endings=TOWERS),
    "ctrl": Entry("CTRL", "gpt2:ctrl", endings=("LMHeadModel", "Model", "ForSequenceClassification")),
    "cwm": Entry("Cwm", "kin:cwm", endings=DECODER[:2]),
    "data2vec-text": Entry("Data2VecText", "bert_kin:data2vec_text", endings=_ROBERTA),
    "dbrx": Entry(
        "Dbrx",
        "dbrx:dbrx",
        {"ffn_hidden_size": 3584, "kv_n_heads": 1, "moe_num_experts": 4, "moe_top_k": 1},
        DECODER[:2],
    ),
    "deberta": Entry("Deberta", "deberta:deberta", endings=ENCODER[:-1]),
    "deberta-v2": Entry("DebertaV2", "deberta:deberta_v2", endings=ENCODER),
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
    "cpmant": Entry("CpmAnt", "cpmant:cpmant", endings=DECODER[:2]),
    "deepseek_v2": Entry("DeepseekV2", "deepseek:deepseek_v2", _EVERY_MOE),
    "deepseek_v3": Entry("DeepseekV3", "deepseek:deepseek_v3", {**_EVERY_MOE, **_NO_MTP}),
    "deepseek_v32": Entry("DeepseekV32", "deepseek:deepseek_v32", _NO_MTP, endings=DECODER[:2]),
    "deepseek_v4": Entry("DeepseekV4", "deepseek_v4:deepseek_v4", {"num_hash_layers": 3}, DECODER[:2]),
    "deit": Entry("DeiT", "clip:deit", endings=(*_IMAGE, "ForImageClassificationWithTeacher")),
    "donut-swin": Entry("DonutSwin", "clip:donut_swin", {"hidden_size": _last_stage}, _IMAGE),
    "deepseek_vl": Entry("DeepseekVL", "deepseek_vl:deepseek_vl", endings=TOWERS),
    "deepseek_vl_v2": Entry("DeepseekOCR2", "deepseek_ocr:deepseek_ocr2", endings=CAUSAL[:1]),
    "deepseek_vl_hybrid": Entry("DeepseekVLHybrid", "deepseek_vl:deepseek_vl_hybrid", endings=TOWERS),
    # the class in architectures names a draft under the type of its target
    "dflash": Entry("DFlashDraftModel", "drafts:dflash", endings=("",)),
    "dia": Entry("Dia", "speech:dia", endings=TOWERS),
    "diffllama": Entry("DiffLlama", "kin:diffllama"),
    "distilbert": Entry("DistilBert", "bert:distilbert", {"hidden_size": lambda c: c.dim}, ENCODER),
    "doge": Entry("Doge", "doge:doge", endings=DECODER[:3]),
    "dory": Entry("Dory", "loops:dory", {"n_output_layers": 8}, DECODER[:2]),
    "dots1": Entry("Dots1", "dots1:dots1", endings=DECODER[:2]),
    "eagle3": Entry("LlamaForCausalLMEagle3", "drafts:eagle3", endings=("",)),
    "eagle_3_vl": Entry("Eagle3_VL", "internvl_chat:eagle3_vl", {"downsample_ratio": 0.5}, WITH_TOWERS[:1]),
    "dots3_note": Entry("Dots3Note", "dots3_note:dots3_note", endings=TOWERS),
    "dots3_note_text": Entry(
        "Dots3Note", "dots3_note:dots3_note_text", {"moe_layer_freq": 1}, ("ForCausalLM", "TextModel")
    ),
    "electra": Entry("Electra", "bert:electra", endings=(*ENCODER[:-1], "ForPreTraining", "ForCausalLM")),
    "ernie": Entry("Ernie", "bert:ernie", endings=(*_BERT, "ForCausalLM")),
    "ernie4_5": Entry("Ernie4_5", "kin:ernie4_5", also=("Ernie4_5_",), endings=DECODER[:2]),
    "ernie4_5_moe": Entry("Ernie4_5_Moe", "ernie_moe:ernie4_5_moe", _NO_MTP, DECODER[:2]),
    "ernie4_5_vl_moe": Entry("Ernie4_5_VLMoe", "ernie_moe:ernie4_5_vl_moe", endings=TOWERS),
    "ernie4_5_vl_moe_text": Entry("Ernie4_5_VLMoeText", "ernie_moe:ernie4_5_vl_moe_text", endings=("Model",)),
    "esmc": Entry("Esmc", "gated_encoders:esmc", endings=ENCODER[:2]),
    "evolla": Entry(
        "Evolla", "evolla:evolla", {"protein_encoder_config": {}}, ("ForProteinText2Text", "Model")
    ),
    "eurobert": Entry("EuroBert", "bert_cousins:eurobert", endings=ENCODER[:2]),
    "exaone": Entry("Exaone", "exaone:exaone", also=("Llama",)),
    "exaone4": Entry("Exaone4", "exaone:exaone4"),
    "exaone4_5": Entry("Exaone4_5_", "exaone:exaone4_5", endings=TOWERS),
    "exaone_moe": Entry("ExaoneMoe", "exaone_moe:exaone_moe", _NO_MTP, endings=DECODER[:2]),
    "falcon": Entry("Falcon", "bloom:falcon", _FOURFOLD, also=("RW",)),
    "falcon_h1": Entry("FalconH1", "mamba_hybrids:falcon_h1", endings=CAUSAL),
    "falcon_mamba": Entry("FalconMamba", "mamba:mamba", endings=CAUSAL),
    "flex_olmo": Entry("FlexOlmo", "olmoe:flex_olmo", endings=DECODER[:2]),
    "flint": Entry("Flint", "flint:flint", {"mlp_only_layers": [0, 1]}, endings=DECODER[:2]),
    "flaubert": Entry("Flaubert", "xlm:xlm", endings=("WithLMHeadModel", "Model")),
    "fnet": Entry("FNet", "bert_cousins:fnet", endings=ENCODER[:2]),
    "fsmt": Entry("FSMT", "bart:fsmt", endings=_SEQ2SEQ[:2]),
    "fuyu": Entry("Fuyu", "ungated:fuyu", endings=CAUSAL),
    "gemma": Entry("Gemma", "gemma:gemma", endings=DECODER[:4]),
    "gemma2": Entry("Gemma2", "gemma:gemma2", endings=DECODER[:4]),
    "gemma3": Entry("Gemma3", "llava:gemma3", endings=TOWERS),
    "gemma3_text": Entry(
        "Gemma3",
        "gemma:gemma3_text",
        {"sliding_window_pattern": 6},
        endings=("ForCausalLM", "TextModel", "TextForSequenceClassification"),
    ),
    "gemma3n": Entry(
        "Gemma3n",
        "gemma3n:gemma3n",
        {"sscp_conv_kernel_size": [[3, 3], [3, 3]], "sscp_conv_stride_size": [[2, 2], [2, 2]]},
        TOWERS,
    ),
    "gemma3n_text": Entry("Gemma3n", "gemma3n:gemma3n_text", endings=("ForCausalLM", "TextModel")),
    "gemma4": Entry("Gemma4", "gemma4:gemma4", endings=TOWERS),
    "gemma4_assistant": Entry("Gemma4Assistant", "gemma4:gemma4_assistant", endings=CAUSAL[:1]),
    "gemma4_text": Entry(
        "Gemma4", "gemma4:gemma4_text", {"global_head_dim": 512}, ("ForCausalLM", "TextModel")
    ),
    # fla-org/flash-linear-attention, models/gla/configuration_gla.py
    "git": Entry("Git", "blip:git", endings=CAUSAL),
    "gla": Entry("GLA", "gla:gla", _GLA, CAUSAL),
    "gemma4_unified": Entry("Gemma4Unified", "gemma4:gemma4_unified", endings=TOWERS),
    "gemma4_unified_assistant": Entry(
        "Gemma4UnifiedAssistant", "gemma4:gemma4_assistant", endings=CAUSAL[:1]
    ),
    "gemma4_unified_text": Entry(
        "Gemma4Unified", "gemma4:gemma4_text", {"global_head_dim": 512}, ("ForCausalLM", "TextModel")
    ),
    "glm": Entry("Glm", "glm:glm", endings=DECODER[:4]),
    "glm4": Entry("Glm4", "glm:glm4", endings=DECODER[:4]),
    "glm46v": Entry("Glm46V", "glm_vl:glm4v", endings=TOWERS),
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
    "glm4v": Entry("Glm4v", "glm_vl:glm4v", endings=TOWERS),
    "glm4v_moe": Entry("Glm4vMoe", "glm_vl:glm4v", endings=TOWERS),
    "glm4v_moe_text": Entry(
        "Glm4vMoeText", "glm_vl:glm4v_moe_text", {**_FLOORED, "moe_layer_freq": 1}, ("Model",)
    ),
    "glm4v_text": Entry("Glm4vText", "glm_vl:glm4v_text", endings=("Model",)),
    "glm5_next": Entry("Glm5Next", "glm5_next:glm5_next", endings=TOWERS),
    "glm5_next_text": Entry("Glm5NextText", "glm5_next:glm5_next_text", {"moe_layer_freq": 1}, ("Model",)),
    "glm_moe_dsa": Entry("GlmMoeDsa", "glm_moe:glm_moe_dsa", _NO_MTP, DECODER[:2]),
    "glm_ocr": Entry("GlmOcr", "glm_vl:glm_ocr", endings=TOWERS),
    "glm_ocr_text": Entry("GlmOcrText", "glm_vl:glm_ocr_text", endings=("Model",)),
    "florence2": Entry("Florence2", "florence2:florence2", endings=TOWERS),
    "glmasr": Entry("GlmAsr", "audio:glm_asr", endings=TOWERS),
    "glmga": Entry("Glm46V", "glm_vl:glm4v", endings=TOWERS),
    "got_ocr2": Entry("GotOcr2", "deepseek_vl:got_ocr2", endings=TOWERS),
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
    "granite_docling": Entry("GraniteDocling", "idefics:granite_docling", endings=TOWERS),
    "granite_docling_text": Entry("GraniteDoclingText", "llama:llama", endings=("Model",)),
    "granite_speech": Entry("GraniteSpeech", "audio:granite_speech", endings=TOWERS),
    "granite_speech_plus": Entry("GraniteSpeechPlus", "audio:granite_speech", endings=TOWERS),
    "granite_swa": Entry("GraniteSWA", "kin:granite_swa", endings=DECODER[:2]),
    "granitemoe": Entry("GraniteMoe", "granite_moe:granitemoe", endings=DECODER[:2]),
    "granitemoe_swa": Entry("GraniteMoeSWA", "granite_moe:granitemoe_swa", endings=DECODER[:2]),
    "granitemoehybrid": Entry("GraniteMoeHybrid", "mamba_hybrids:granitemoehybrid", endings=CAUSAL),
    "granitemoeshared": Entry("GraniteMoeShared", "granite_moe:granitemoe", endings=DECODER[:2]),
    "gte": Entry("Gte", "bert_cousins:gte", endings=ENCODER[:2]),
    "helium": Entry("Helium", "kin:helium", endings=DECODER[:4]),
    "hrm_text": Entry("HrmText", "loops:hrm_text", endings=DECODER[:2]),
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
    "hy_v4": Entry("HYV4", "hy_v4:hy_v4", {"moe_layer_freq": 1}, DECODER[:2]),
    "hy_v4_vl": Entry("HYV4VL", "hy_v4:hy_v4_vl", endings=TOWERS),
    "hy_v4_vl_text": Entry("HYV4VLText", "hy_v4:hy_v4", {"moe_layer_freq": 1}, ("Model",)),
    "hyperclovax": Entry("HyperCLOVAX", "kin:hyperclovax", endings=DECODER[:2]),
    "hyperclovax_vision_v2": Entry("HyperCLOVAXVisionV2", "llava:hyperclovax_vision", endings=TOWERS),
    "idefics": Entry("Idefics", "idefics:idefics", endings=("ForVisionText2Text", "Model")),
    "idefics2": Entry("Idefics2", "idefics:idefics2", endings=TOWERS),
    "idefics3": Entry("Idefics3", "idefics:idefics3", endings=TOWERS),
    "inkling2": Entry("Inkling2", "inkling2:inkling2", endings=TOWERS),
    "inkling2_loop": Entry("Inkling2Loop", "inkling2:inkling2", endings=TOWERS),
    "inkling2_loop_text": Entry(
        "Inkling2Loop", "inkling2:inkling2_loop_text", endings=("ForCausalLM", "TextModel")
    ),
    "inkling2_text": Entry("Inkling2", "inkling2:inkling2_text", endings=("ForCausalLM", "TextModel")),
    "inkling_mm_model": Entry("Inkling", "inkling:inkling", endings=TOWERS),
    "inkling_text": Entry("Inkling", "inkling:inkling_text", _UNTIED, ("ForCausalLM", "TextModel")),
    "instructblip": Entry("InstructBlip", "blip:blip2", endings=TOWERS[:1]),
    "instructblipvideo": Entry("InstructBlipVideo", "blip:blip2", endings=TOWERS[:1]),
    "internlm": Entry("InternLM", "internlm:internlm", {**_UNTIED, "bias": True}),
    "internlm2": Entry(
        "InternLM2", "internlm:internlm2", {**_UNTIED, "bias": True}, (*DECODER, "ForRewardModel")
    ),
    "internlm3": Entry("InternLM3", "kin:internlm3", also=("Llama",)),
    "internvl": Entry("InternVL", "llava:internvl", endings=TOWERS),
    "internvl_chat": Entry(
        "InternVLChatModel",
        "internvl_chat:internvl_chat",
        {"downsample_ratio": 0.5, "norm_type": "rms_norm", "qk_normalization": True, "qkv_bias": False},
        ("",),
    ),
    "iquestcoder": Entry("IQuestCoder", "llama:llama", also=("Llama",)),
    "jais2": Entry("Jais2", "ungated:nemotron", endings=DECODER[:2]),
    "jamba": Entry("Jamba", "mamba_hybrids:jamba", endings=(*CAUSAL, "ForSequenceClassification")),
    "janus": Entry("Janus", "deepseek_vl:janus", endings=TOWERS),
    "jetmoe": Entry("JetMoe", "jetmoe:jetmoe", endings=DECODER[:3]),
    "jina_embeddings_v3": Entry("JinaEmbeddingsV3", "bert_relatives:jina_embeddings_v3", endings=ENCODER[:5]),
    # not in transformers; its files are DeepSeek-V3's
    "kimi_k2": Entry(
        "DeepseekV3",
        "deepseek:deepseek_v3",
        {**_UNTIED, "attention_bias": False, "moe_layer_freq": 1, **_NO_MTP},
        endings=DECODER[:3],
    ),
    "kimi_k25": Entry("Kimi_K25", "kimi_vl:kimi_k25", endings=TOWERS, also=("KimiK25",)),
    "kimi_k3": Entry("KimiK3", "kimi_linear:kimi_k3", {"first_k_dense_replace": 1}, WITH_TOWERS[:1]),
    "kimi_linear": Entry("KimiLinear", "kimi_linear:kimi_linear", {"first_k_dense_replace": 1}, CAUSAL),
    "kimi_vl": Entry("KimiVL", "kimi_vl:kimi_vl", {"vision_config": {}}, TOWERS),
    "kolibri1": Entry("Kolibri1", "kolibri:kolibri1", endings=DECODER[:2]),
    "laguna": Entry("Laguna", "laguna:laguna", endings=DECODER[:2]),
    "kosmos-2": Entry("Kosmos2", "kosmos:kosmos2", endings=TOWERS[:1]),
    "kosmos-2.5": Entry("Kosmos2_5", "kosmos:kosmos2_5", endings=TOWERS),
    "lara_mini": Entry("LaraMini", "lara_mini:lara_mini", endings=CAUSAL),
    "layoutlm": Entry("LayoutLM", "bert_kin:layoutlm", endings=ENCODER[:5]),
    "led": Entry("LED", "bart:led", endings=_SEQ2SEQ[:2]),
    "lfm2": Entry("Lfm2", "lfm2:lfm2", {"block_ffn_dim_multiplier": 1}, CAUSAL),
    "lfm2_moe": Entry("Lfm2Moe", "lfm2:lfm2_moe", endings=CAUSAL),
    "lfm2_vl": Entry("Lfm2Vl", "llava:lfm2_vl", endings=TOWERS),
    "lfm3": Entry("Lfm3", "lfm2:lfm3", endings=CAUSAL),
    "lfm3_vl": Entry("Lfm3Vl", "lfm2:lfm3_vl", endings=TOWERS),
    "lighton_ocr": Entry("LightOnOcr", "llava:lighton_ocr", {"multimodal_projector_bias": False}, TOWERS),
    "llama": Entry("Llama", "llama:llama"),
    "llama4": Entry("Llama4", "llama4:llama4", endings=TOWERS),
    "llama4_text": Entry("Llama4", "llama4:llama4_text"),
    "llama3v": Entry("Llama3v", "minicpmv:llama3v", _UNTIED, DECODER[:1]),
    "llava": Entry("Llava", "llava:llava", endings=WITH_TOWERS, also=("LlavaLlama",)),
    "llava_llama": Entry("LlavaLlama", "vila:vila", endings=("Model", "ForCausalLM")),
    "llava_next": Entry("LlavaNext", "llava:llava_next", endings=TOWERS),
    "llava_next_video": Entry("LlavaNextVideo", "llava:llava_next", endings=TOWERS),
    "llava_onevision": Entry("LlavaOnevision", "llava:llava_next", endings=TOWERS),
    "logics": Entry("Logics", "logics:logics", endings=TOWERS[:1]),
    # its files hold one MTP layer that its config does not name
    "longcat_flash": Entry(
        "LongcatFlash", "longcat:longcat_flash", {"num_nextn_predict_layers": 1}, DECODER[:2]
    ),
    "longt5": Entry("LongT5", "t5:longt5", _TIED_T5, _T5[:3]),
    "longformer": Entry("Longformer", "bert_kin:longformer", endings=ENCODER),
    "luke": Entry("Luke", "bert_relatives:luke", endings=ENCODER),
    "m2m_100": Entry("M2M100", "bart:m2m_100", endings=_SEQ2SEQ[:2]),
    "mamba": Entry("Mamba", "mamba:mamba", endings=CAUSAL),
    "mamba2": Entry("Mamba2", "mamba:mamba2", endings=CAUSAL),
    "marian": Entry("Marian", "bart:marian", endings=("MTModel", *_SEQ2SEQ[1:])),
    "mbart": Entry("MBart", "bart:mbart", endings=(*_SEQ2SEQ, *_UNDERSTANDING)),
    "megatron-bert": Entry("MegatronBert", "bert_kin:megatron_bert", endings=(*_BERT, "ForCausalLM")),
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
    "minicpmv": Entry("MiniCPMV", "minicpmv:minicpmv", endings=("",)),
    "minicpmv4_6": Entry("MiniCPMV4_6", "minicpmv:minicpmv4_6", _QWEN3_5, TOWERS),
    "minicpm_ocr": Entry("MiniCPMOcr", "minicpmv:minicpmv4_6", _QWEN3_5, TOWERS),
    "minicpmv4_7": Entry("MiniCPMV4_7", "minicpmv:minicpmv4_6", _QWEN3_5, TOWERS),
    "minimax": Entry("MiniMax", "minimax:minimax"),
    "minimax_m1": Entry("MiniMaxM1", "minimax:minimax_m1", {"tie_word_embeddings": False}, CAUSAL),
    "minimax_m2": Entry("MiniMaxM2", "minimax_m2:minimax_m2", endings=DECODER[:2]),
    "minimax_m3_vl": Entry(
        "MiniMaxM3Sparse", "minimax_vl:minimax_m3_vl", endings=TOWERS, also=("MiniMaxM3VL",)
    ),
    "minimax_m3_vl_text": Entry(
        "MiniMaxM3VL", "minimax_m2:minimax_m3_text", endings=("ForCausalLM", "TextModel")
    ),
    "minimax_text_01": Entry("MiniMaxText01", "minimax:minimax_m1", {"tie_word_embeddings": False}, CAUSAL),
    "ministral": Entry("Ministral", "kin:windowed_llama"),
    "ministral3": Entry("Ministral3", "kin:windowed_llama"),
    "mistral": Entry("Mistral", "llama:mistral"),
    "mistral3": Entry("Mistral3", "llava:mistral3", endings=TOWERS),
    "mistral4": Entry("Mistral4", "mistral4:mistral4", endings=DECODER[:4]),
    "mistral_large4": Entry("MistralLarge4", "mistral4:mistral_large4", endings=TOWERS),
    "mistral_large4_text": Entry("MistralLarge4Text", "mistral4:mistral_large4_text", endings=("Model",)),
    "mixtral": Entry("Mixtral", "mixtral:mixtral"),
    "mllama": Entry("Mllama", "mllama:mllama", endings=WITH_TOWERS),
    "mllama_text_model": Entry("Mllama", "mllama:mllama_text", endings=("ForCausalLM", "TextModel")),
    "mobilebert": Entry("MobileBert", "bert_relatives:mobilebert", endings=_BERT),
    "modernbert": Entry(
        "ModernBert", "modernbert:modernbert", {"global_attn_every_n_layers": 3}, endings=ENCODER
    ),
    "modernbert-decoder": Entry(
        "ModernBertDecoder",
        "modernbert:modernbert_decoder",
        {"global_attn_every_n_layers": 3},
        endings=DECODER[:3],
    ),
    "modernvbert": Entry("ModernVBert", "modernbert:modernvbert", endings=ENCODER[:2]),
    "molmo": Entry("Molmo", "molmo:molmo", {**_CLIP_336, "qkv_bias": True}, ("ForCausalLM",)),
    "molmo2": Entry("Molmo2", "molmo:molmo2", endings=TOWERS),
    "molmo2_text": Entry("Molmo2Text", "molmo:molmo2_text", endings=("Model",)),
    "moonshine": Entry("Moonshine", "speech:moonshine", endings=TOWERS),
    "moss_transcribe_diarize": Entry(
        "MossTranscribeDiarize", "audio:moss_transcribe_diarize", endings=TOWERS
    ),
    "moshi": Entry("Moshi", "moshi:moshi", {"num_key_value_heads": lambda c: c.num_attention_heads}, CAUSAL),
    "mpnet": Entry("MPNet", "bert:mpnet", endings=ENCODER),
    "mpt": Entry("Mpt", "mpt:mpt", also=("MPT",)),
    "mt5": Entry("MT5", "t5:t5", _TIED_T5, _T5),
    "multi_modality": Entry("MultiModality", "deepseek_vl:multi_modality", endings=CAUSAL[:1]),
    "mra": Entry("Mra", "bert_cousins:padded", endings=ENCODER[:2]),
    "muse_glimmer": Entry("MuseGlimmer", "muse:muse_glimmer", _UNTIED, TOWERS),
    "muse_glimmer_text": Entry("MuseGlimmerText", "muse:muse_glimmer_text", endings=("Model",)),
    "muse_spark": Entry("MuseSpark", "muse:muse_spark", endings=TOWERS),
    "muse_spark_text": Entry("MuseSparkText", "muse:muse_spark_text", endings=("Model",)),
    "musicflamingo": Entry("MusicFlamingo", "audio:audio_flamingo", endings=TOWERS),
    "mvp": Entry("Mvp", "bart:mvp", endings=_SEQ2SEQ),
    "nanochat": Entry("NanoChat", "ungated:nanochat", endings=DECODER[:2]),
    "nemotron": Entry("Nemotron", "ungated:nemotron"),
    "nemotron-nas": Entry(
        "DeciLM",
        "deci:nemotron_nas",
        {"attention_bias": False, "mlp_bias": False, "tie_word_embeddings": False},
        CAUSAL,
    ),
    "nemotron_h_omni": Entry("NemotronH_Omni_Reasoning_V3", "llava:nemotron_h_omni", endings=("",)),
    "nemotron_h": Entry(
        "NemotronH", "nemotron_h:nemotron_h", {"num_hidden_layers": _listed_layers}, endings=CAUSAL
    ),
    # the class of its language head was first called ForPreTraining
    "nllb-moe": Entry("NllbMoe", "nllb_moe:nllb_moe", endings=_SEQ2SEQ[:2]),
    "nomic_bert": Entry(
        "NomicBert",
        "modernbert:nomic_bert",
        {"vocab_size": 30528},
        ("ForMaskedLM", "ForPreTraining", "Model", *ENCODER[2:4]),
    ),
    "nystromformer": Entry("Nystromformer", "bert_cousins:padded", endings=ENCODER[:2]),
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
    "olmoe": Entry("Olmoe", "olmoe:olmoe", endings=DECODER[:2]),
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
    "ovis2": Entry("Ovis2", "ovis:ovis2", endings=TOWERS),
    "paddleocr_vl": Entry("PaddleOCRVL", "llava:paddleocr_vl", endings=TOWERS),
    "paddleocr_vl_text": Entry("PaddleOCRText", "kin:ernie4_5", endings=("Model",)),
    "paligemma": Entry("PaliGemma", "llava:paligemma", endings=TOWERS),
    "pegasus": Entry("Pegasus", "bart:pegasus", endings=_SEQ2SEQ),
    "pegasus_x": Entry("PegasusX", "bart:pegasus_x", endings=_SEQ2SEQ[:2]),
    "persimmon": Entry("Persimmon", "ungated:persimmon", endings=DECODER[:4]),
    "phi": Entry("Phi", "phi:phi", endings=DECODER[:4]),
    "phi-msft": Entry("Phi", "phi:phi_msft", {**_UNTIED, **_FOURFOLD}, DECODER[:1]),
    "phi3": Entry("Phi3", "llama:phi3"),
    "phi3_v": Entry("Phi3V", "phi3_v:phi3_v", {**_CLIP_336, "sliding_window": None}, DECODER[:2]),
    "phi3small": Entry("Phi3Small", "phi:phi3small", _TIED),
    "phi4_multimodal": Entry("Phi4Multimodal", "phi4_multimodal:phi4_multimodal", endings=DECODER[:2]),
    "phimoe": Entry("Phimoe", "phimoe:phimoe", endings=DECODER[:3], also=("PhiMoE",)),
    "pi0": Entry("PI0", "pi0:pi0", endings=TOWERS),
    "pixtral": Entry("PixtralVision", "clip:pixtral", endings=("Model",)),
    # the config class of pfnet/plamo-2-1b, as mlx-lm and vLLM read it
    "plamo2": Entry("Plamo2", "plamo2:plamo2", _PLAMO2, CAUSAL),
    "plbart": Entry("PLBart", "bart:bart", endings=(*_SEQ2SEQ, _UNDERSTANDING[0])),
    "pop2piano": Entry("Pop2Piano", "t5:pop2piano", _TIED_T5, TOWERS[:1]),
    "pix2struct": Entry("Pix2Struct", "t5:pix2struct", endings=TOWERS[:1]),
    "pp_formulanet": Entry("PPFormulaNet", "pp_formulanet:pp_formulanet", endings=TOWERS),
    "pp_chart2table": Entry("GotOcr2", "deepseek_vl:got_ocr2", endings=TOWERS),
    "qianfan_ocr": Entry("QianfanOCR", "llava:qianfan_ocr", endings=TOWERS),
    "prophetnet": Entry("ProphetNet", "prophetnet:prophetnet", endings=_SEQ2SEQ),
    "qwen": Entry("QWen", "qwen:qwen", {**_UNTIED, "no_bias": True}, ("LMHeadModel", "Model")),
    "qwen2": Entry("Qwen2", "llama:qwen2"),
    "qwen2_5_omni": Entry("Qwen2_5Omni", "qwen_omni:qwen2_5_omni", endings=TOWERS),
    "qwen2_5_omni_text": Entry("Qwen2_5OmniThinkerText", "llama:qwen2", endings=("Model",)),
    "qwen2_5_omni_thinker": Entry("Qwen2_5OmniThinker", "qwen_omni:qwen2_5_omni_thinker", endings=TOWERS),
    "qwen2_5_vl": Entry("Qwen2_5_VL", "qwen_vl:qwen2_5_vl", endings=TOWERS),
    "qwen2_5_vl_text": Entry("Qwen2_5_VLText", "llama:qwen2", endings=("Model",)),
    "qwen2_audio": Entry("Qwen2Audio", "audio:qwen2_audio", endings=TOWERS),
    "qwen2_moe": Entry("Qwen2Moe", "qwen_moe:qwen2_moe"),
    "qwen2_vl": Entry("Qwen2VL", "qwen_vl:qwen2_vl", endings=TOWERS),
    "qwen2_vl_text": Entry("Qwen2VLText", "llama:qwen2", endings=("Model",)),
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
    "qwen3_asr": Entry("Qwen3ASR", "audio:qwen3_asr", endings=TOWERS),
    "qwen3_asr_text": Entry(
        "Qwen3ASRText", "llama:qwen3", {"attention_bias": False, "head_dim": 128}, ("Model",)
    ),
    "qwen3_moe": Entry("Qwen3Moe", "qwen_moe:qwen3_moe"),
    # its files hold one MTP layer that its config does not name
    "qwen3_next": Entry("Qwen3Next", "qwen_moe:qwen3_next", {**_EVERY_FOURTH, "mtp_num_hidden_layers": 1}),
    "qwen3_omni_moe": Entry("Qwen3OmniMoe", "qwen_omni:qwen3_omni_moe", _FLOORED, TOWERS),
    "qwen3_omni_moe_text": Entry("Qwen3OmniMoeThinkerText", "qwen_moe:qwen3_moe", _FLOORED, ("Model",)),
    "qwen3_omni_moe_thinker": Entry(
        "Qwen3OmniMoeThinker", "qwen_omni:qwen3_omni_moe_thinker", endings=TOWERS
    ),
    "qwen3_vl": Entry("Qwen3VL", "qwen_vl:qwen3_vl", endings=TOWERS),
    "qwen3_vl_moe": Entry("Qwen3VLMoe", "qwen_vl:qwen3_vl", endings=TOWERS),
    "qwen3_vl_moe_text": Entry("Qwen3VLMoeText", "qwen_vl:qwen3_vl_moe_text", endings=("Model",)),
    "qwen3_vl_text": Entry("Qwen3VLText", "llama:qwen3", endings=("Model",)),
    "recurrent_gemma": Entry("RecurrentGemma", "recurrent:recurrent_gemma", endings=CAUSAL),
    "rembert": Entry("RemBert", "bert_cousins:rembert", {"output_embedding_size": 1664}, _WORDS),
    "roberta": Entry("Roberta", "bert:roberta", endings=_ROBERTA),
    "roberta-prelayernorm": Entry("RobertaPreLayerNorm", "bert_kin:roberta_prelayernorm", endings=_ROBERTA),
    "roc_bert": Entry("RoCBert", "bert_cousins:roc_bert", endings=_WORDS),
    "roformer": Entry("RoFormer", "bert_cousins:roformer", endings=_WORDS),
    "rwkv": Entry("Rwkv", "recurrent:rwkv", _RWKV, CAUSAL),
    # published under the class names of RWKV-4, with code of its own
    "rwkv5": Entry(
        "Rwkv",
        "recurrent:rwkv5",
        {**_RWKV, "intermediate_size": _wide_channel_mix, "head_size": 64, "tie_word_embeddings": False},
        CAUSAL,
    ),
    "sarvam_mla": Entry(
        "SarvamMLA",
        "deepseek:deepseek_v3",
        {**_EVERY_MOE, **_NO_MTP},
        also=("DeepseekV3",),
        endings=DECODER[:4],
    ),
    "sarvam_moe": Entry("SarvamMoE", "bailing:sarvam_moe", also=("Glm4Moe",), endings=DECODER[:2]),
    "seed_oss": Entry("SeedOss", "kin:seed_oss"),
    "shieldgemma2": Entry("Gemma3", "llava:gemma3", _TIED, TOWERS),
    "siglip": Entry("Siglip", "clip:siglip", endings=("Model",)),
    "siglip2": Entry("Siglip2", "clip:siglip2", endings=("Model",)),
    "skywork": Entry("Skywork", "kin:llama_copy", _UNTIED),
    "smollm3": Entry("SmolLM3", "kin:windowed_llama"),
    "smolvlm": Entry("SmolVLM", "idefics:idefics3", endings=TOWERS),
    "solar_open": Entry("SolarOpen", "solar_open:solar_open", endings=DECODER[:2]),
    "spark2_5": Entry("Spark2_5", "spark:spark2_5", _TIED, DECODER[:2]),
    "speech_to_text": Entry("Speech2Text", "speech:speech_to_text", endings=TOWERS),
    "squeezebert": Entry("SqueezeBert", "bert_cousins:squeezebert", {"output_groups": 4}, ENCODER[:2]),
    "stablelm": Entry("StableLm", "stablelm:stablelm", endings=DECODER[:4]),
    "starcoder2": Entry("Starcoder2", "ungated:starcoder2", endings=DECODER[:4]),
    "step3p5": Entry("Step3p5", "step:step3p5", _NO_MTP, endings=DECODER[:2]),
    "step3p7": Entry(
        "Step3p7", "step:step3p7", _NO_MTP, (*TOWERS, "FlashForCausalLM"), also=("Step3p7Flash",)
    ),
    "switch_transformers": Entry("SwitchTransformers", "t5:switch", _TIED, _T5[:3]),
    "t5": Entry("T5", "t5:t5", _TIED_T5, _T5),
    "t5gemma": Entry("T5Gemma", "t5gemma:t5gemma", endings=TOWERS),
    "t5gemma2": Entry("T5Gemma2", "t5gemma:t5gemma2", endings=TOWERS),
    "trocr": Entry("TrOCR", "bart:trocr", endings=CAUSAL[:1]),
    "udop": Entry("Udop", "t5:udop", {**_TIED_T5, "relative_bias_args": ({}, {}, {})}, _T5[:3]),
    "ultrabert": Entry("Ultrabert", "gated_encoders:ultrabert", endings=ENCODER[:2]),
    "ultravbert": Entry("UltraVBert", "gated_encoders:ultravbert", endings=ENCODER[:2]),
    "umt5": Entry("UMT5", "t5:umt5", _TIED_T5, _T5),
    "unlimited_ocr": Entry("UnlimitedOcr", "deepseek_ocr:unlimited_ocr", endings=TOWERS),
    "unlimited_ocr_text": Entry("UnlimitedOcrText", "deepseek_ocr:unlimited_ocr_text", endings=("Model",)),
    "tapas": Entry("Tapas", "bert_kin:tapas", endings=ENCODER[:2]),
    "vaultgemma": Entry("VaultGemma", "gemma:vaultgemma", endings=DECODER[:2]),
    "video_llama_3": Entry("VideoLlama3", "llava:video_llama_3", endings=TOWERS),
    "video_llava": Entry("VideoLlava", "llava:video_llava", endings=TOWERS),
    "vipllava": Entry("VipLlava", "llava:vipllava", endings=TOWERS),
    "vision-encoder-decoder": Entry("VisionEncoderDecoder", "composite:encoder_decoder", endings=("Model",)),
    "vit": Entry("ViT", "clip:vit", endings=_IMAGE),
    "voxtral": Entry("Voxtral", "audio:voxtral", endings=TOWERS),
    "voxtral_realtime": Entry("VoxtralRealtime", "audio:voxtral_realtime", endings=TOWERS),
    "voxtral_realtime_text": Entry("VoxtralRealtimeText", "audio:voxtral_realtime_text", endings=DECODER[:2]),
    "whisper": Entry("Whisper", "whisper:whisper", endings=(*_SEQ2SEQ, "ForAudioClassification")),
    "xglm": Entry("XGLM", "opt:xglm", endings=DECODER[:2]),
    "xlm": Entry("XLM", "xlm:xlm", endings=("WithLMHeadModel", "Model")),
    "xlm-roberta": Entry("XLMRoberta", "bert:roberta", endings=_ROBERTA),
    "xlm-roberta-xl": Entry("XLMRobertaXL", "bert:xlm_roberta_xl", endings=_ROBERTA),
    "xlnet": Entry("XLNet", "xlnet:xlnet", endings=("LMHeadModel", "Model")),
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
    "xmod": Entry("Xmod", "bert_cousins:xmod", {"adapter_reduction_factor": 2}, _WORDS),
    "xverse": Entry("Xverse", "kin:llama_copy", _UNTIED),
    "yoso": Entry("Yoso", "bert_cousins:padded", endings=ENCODER[:2]),
    "youtu": Entry("Youtu", "minicpm:mla_dense", _ROPE_64, endings=DECODER[:2]),
    "zamba": Entry("Zamba", "mamba_hybrids:zamba", endings=(*CAUSAL, "ForSequenceClassification")),
    "zamba2": Entry("Zamba2", "mamba_hybrids:zamba2", endings=(*CAUSAL, "ForSequenceClassification")),
    "zaya": Entry("Zaya", "zaya:zaya", endings=CAUSAL),
}
