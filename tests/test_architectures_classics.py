"""The classics: early decoders, encoders and encoder-decoders, as transformers builds them, and their own files."""

from __future__ import annotations

from typing import Any

import pytest

import paramwidget as pw
from paramwidget.architectures import TABLE

# ------------------------------------------------------------------ what transformers 5.24 builds
#
# Every row: a type, a class, sizes and what differs from them; and of the model that transformers builds on the meta
# device the parameters, what ties add, and the persistent buffers.

GPT: dict[str, Any] = {"vocab_size": 101, "n_embd": 24, "n_head": 4, "n_layer": 3, "n_positions": 33}
BERT: dict[str, Any] = {
    "vocab_size": 101,
    "hidden_size": 24,
    "num_attention_heads": 4,
    "num_hidden_layers": 3,
    "intermediate_size": 40,
    "max_position_embeddings": 33,
}
BART: dict[str, Any] = {
    "vocab_size": 101,
    "d_model": 24,
    "encoder_layers": 3,
    "decoder_layers": 2,
    "encoder_attention_heads": 4,
    "decoder_attention_heads": 6,
    "encoder_ffn_dim": 40,
    "decoder_ffn_dim": 44,
    "max_position_embeddings": 33,
}
T5: dict[str, Any] = {
    "vocab_size": 101,
    "d_model": 24,
    "d_kv": 5,
    "d_ff": 40,
    "num_layers": 3,
    "num_heads": 4,
    "relative_attention_num_buckets": 7,
}
FALCON: dict[str, Any] = {
    "vocab_size": 101,
    "hidden_size": 24,
    "num_attention_heads": 4,
    "num_hidden_layers": 3,
    "max_position_embeddings": 33,
}
OPT: dict[str, Any] = {
    "vocab_size": 101,
    "hidden_size": 24,
    "num_attention_heads": 4,
    "num_hidden_layers": 3,
    "ffn_dim": 40,
    "max_position_embeddings": 33,
}
XGLM: dict[str, Any] = {
    "vocab_size": 101,
    "d_model": 24,
    "attention_heads": 4,
    "num_layers": 3,
    "ffn_dim": 40,
}
MPT: dict[str, Any] = {"vocab_size": 101, "d_model": 24, "n_heads": 4, "n_layers": 3}
DISTIL: dict[str, Any] = {
    "vocab_size": 101,
    "dim": 24,
    "n_heads": 4,
    "n_layers": 3,
    "hidden_dim": 40,
    "max_position_embeddings": 33,
}
NEO: dict[str, Any] = {"vocab_size": 101, "hidden_size": 24, "num_heads": 4, "max_position_embeddings": 33}
BLOOM: dict[str, Any] = {"vocab_size": 101, "hidden_size": 24, "n_head": 4, "n_layer": 3}
FIVE = {"0": "a", "1": "b", "2": "c", "3": "d", "4": "e"}
FIVE_LABELS = {"id2label": FIVE}

Row = tuple[str, str, dict[str, Any], dict[str, Any], int, int, int]

SWITCHES: list[Row] = [
    ("albert", "AlbertForMaskedLM", BERT, {"embedding_size": 12}, 6_873, 1_313, 0),
    (
        "albert",
        "AlbertForMaskedLM",
        BERT,
        {"embedding_size": 24, "num_hidden_groups": 2, "inner_group_num": 2, "tie_word_embeddings": False},
        25_106,
        0,
        0,
    ),
    (
        "albert",
        "AlbertForMaskedLM",
        BERT,
        {"num_attention_heads": 6, "embedding_size": 12, "type_vocab_size": 3},
        6_885,
        1_313,
        0,
    ),
    ("bart", "BartForConditionalGeneration", BART, {}, 31_888, 7_272, 101),
    ("bart", "BartForConditionalGeneration", BART, {"tie_word_embeddings": False}, 39_160, 0, 101),
    ("bert", "BertForMaskedLM", BERT, {}, 17_501, 2_525, 0),
    ("bert", "BertForMaskedLM", BERT, {"type_vocab_size": 5}, 17_573, 2_525, 0),
    ("bert", "BertForMaskedLM", BERT, {"tie_word_embeddings": False}, 20_026, 0, 0),
    ("bert", "BertForMaskedLM", BERT, {"is_decoder": True, "add_cross_attention": True}, 24_845, 2_525, 0),
    ("biogpt", "BioGptForCausalLM", BERT, {}, 16_752, 2_424, 0),
    ("biogpt", "BioGptForCausalLM", BERT, {"tie_word_embeddings": False}, 19_176, 0, 0),
    ("blenderbot", "BlenderbotForConditionalGeneration", BART, {}, 31_792, 7_272, 101),
    (
        "blenderbot",
        "BlenderbotForConditionalGeneration",
        BART,
        {"tie_word_embeddings": False},
        39_064,
        0,
        101,
    ),
    ("bloom", "BloomForCausalLM", BLOOM, {}, 24_192, 2_424, 0),
    (
        "bloom",
        "BloomForCausalLM",
        {},
        {"vocab_size": 101, "n_embed": 24, "n_head": 4, "n_layer": 3, "tie_word_embeddings": False},
        26_616,
        0,
        0,
    ),
    ("camembert", "CamembertForMaskedLM", BERT, {}, 17_501, 2_525, 0),
    ("camembert", "CamembertForMaskedLM", BERT, {"type_vocab_size": 5}, 17_573, 2_525, 0),
    ("camembert", "CamembertForMaskedLM", BERT, {"tie_word_embeddings": False}, 20_026, 0, 0),
    ("codegen", "CodeGenForCausalLM", GPT, {}, 26_237, 0, 0),
    ("codegen", "CodeGenForCausalLM", GPT, {"n_inner": 50}, 19_475, 0, 0),
    ("codegen", "CodeGenForCausalLM", GPT, {"tie_word_embeddings": True}, 23_813, 2_424, 0),
    ("ctrl", "CTRLLMHeadModel", GPT, {"dff": 55}, 18_218, 2_424, 0),
    ("ctrl", "CTRLLMHeadModel", GPT, {"dff": 55, "tie_word_embeddings": False}, 20_642, 0, 0),
    ("deberta", "DebertaForMaskedLM", BERT, {}, 17_381, 2_525, 0),
    ("deberta", "DebertaForMaskedLM", BERT, {"relative_attention": True}, 18_965, 2_525, 0),
    (
        "deberta",
        "DebertaForMaskedLM",
        BERT,
        {"relative_attention": True, "pos_att_type": ["p2c"]},
        20_765,
        2_525,
        0,
    ),
    (
        "deberta",
        "DebertaForMaskedLM",
        BERT,
        {
            "relative_attention": True,
            "pos_att_type": "c2p|p2c",
            "type_vocab_size": 2,
            "embedding_size": 12,
            "talking_head": True,
            "position_biased_input": False,
        },
        20_573,
        1_313,
        0,
    ),
    (
        "deberta",
        "DebertaForMaskedLM",
        BERT,
        {
            "relative_attention": True,
            "max_relative_positions": 11,
            "pos_att_type": ["c2p", "p2c"],
            "pooler_hidden_size": 13,
        },
        21_437,
        2_525,
        0,
    ),
    ("deberta", "DebertaForMaskedLM", BERT, {"relative_attention": True, "legacy": False}, 18_965, 0, 0),
    ("deberta", "DebertaForMaskedLM", BERT, {"tie_word_embeddings": False}, 19_906, 0, 0),
    ("deberta-v2", "DebertaV2ForMaskedLM", BERT, {}, 17_453, 2_525, 0),
    ("deberta-v2", "DebertaV2ForMaskedLM", BERT, {"relative_attention": True}, 19_037, 2_525, 0),
    (
        "deberta-v2",
        "DebertaV2ForMaskedLM",
        BERT,
        {"relative_attention": True, "pos_att_type": ["p2c"]},
        20_837,
        2_525,
        0,
    ),
    (
        "deberta-v2",
        "DebertaV2ForMaskedLM",
        BERT,
        {
            "relative_attention": True,
            "pos_att_type": "c2p|p2c",
            "type_vocab_size": 2,
            "embedding_size": 12,
            "position_biased_input": False,
        },
        20_621,
        1_313,
        0,
    ),
    (
        "deberta-v2",
        "DebertaV2ForMaskedLM",
        BERT,
        {
            "relative_attention": True,
            "max_relative_positions": 11,
            "pos_att_type": ["c2p", "p2c"],
            "pooler_hidden_size": 13,
        },
        21_581,
        2_525,
        0,
    ),
    ("deberta-v2", "DebertaV2ForMaskedLM", BERT, {"relative_attention": True, "legacy": False}, 19_037, 0, 0),
    ("deberta-v2", "DebertaV2ForMaskedLM", BERT, {"tie_word_embeddings": False}, 19_978, 0, 0),
    (
        "deberta-v2",
        "DebertaV2ForMaskedLM",
        BERT,
        {
            "relative_attention": True,
            "position_buckets": 7,
            "norm_rel_ebd": "layer_norm",
            "conv_kernel_size": 3,
            "share_att_key": True,
            "pos_att_type": ["c2p", "p2c"],
        },
        19_637,
        2_525,
        0,
    ),
    (
        "deberta-v2",
        "DebertaV2ForMaskedLM",
        BERT,
        {
            "relative_attention": True,
            "position_buckets": -1,
            "conv_kernel_size": 0,
            "attention_head_size": 6,
            "pos_att_type": ["c2p"],
        },
        20_837,
        2_525,
        0,
    ),
    (
        "deberta-v2",
        "DebertaV2ForMaskedLM",
        BERT,
        {"relative_attention": True, "conv_kernel_size": 5, "conv_groups": 2},
        20_549,
        2_525,
        0,
    ),
    ("distilbert", "DistilBertForMaskedLM", DISTIL, {}, 17_453, 2_424, 0),
    (
        "distilbert",
        "DistilBertForMaskedLM",
        {},
        {
            "vocab_size": 101,
            "dim": 24,
            "n_heads": 4,
            "n_layers": 3,
            "hidden_dim": 40,
            "sinusoidal_pos_embds": True,
            "tie_word_embeddings": False,
        },
        31_373,
        0,
        0,
    ),
    ("electra", "ElectraForMaskedLM", BERT, {"embedding_size": 12}, 15_833, 1_212, 0),
    ("electra", "ElectraForMaskedLM", BERT, {"embedding_size": 24}, 17_501, 2_424, 0),
    ("electra", "ElectraForMaskedLM", BERT, {"type_vocab_size": 5, "embedding_size": 12}, 15_869, 1_212, 0),
    ("electra", "ElectraForMaskedLM", BERT, {"type_vocab_size": 5, "embedding_size": 24}, 17_573, 2_424, 0),
    (
        "electra",
        "ElectraForMaskedLM",
        BERT,
        {"tie_word_embeddings": False, "embedding_size": 12},
        17_045,
        0,
        0,
    ),
    (
        "electra",
        "ElectraForMaskedLM",
        BERT,
        {"tie_word_embeddings": False, "embedding_size": 24},
        19_925,
        0,
        0,
    ),
    (
        "electra",
        "ElectraForMaskedLM",
        BERT,
        {"is_decoder": True, "add_cross_attention": True, "embedding_size": 12},
        23_177,
        1_212,
        0,
    ),
    (
        "electra",
        "ElectraForMaskedLM",
        BERT,
        {"is_decoder": True, "add_cross_attention": True, "embedding_size": 24},
        24_845,
        2_424,
        0,
    ),
    ("ernie", "ErnieForMaskedLM", BERT, {}, 17_501, 2_525, 0),
    ("ernie", "ErnieForMaskedLM", BERT, {"type_vocab_size": 5}, 17_573, 2_525, 0),
    ("ernie", "ErnieForMaskedLM", BERT, {"tie_word_embeddings": False}, 20_026, 0, 0),
    ("ernie", "ErnieForMaskedLM", BERT, {"is_decoder": True, "add_cross_attention": True}, 24_845, 2_525, 0),
    ("ernie", "ErnieForMaskedLM", BERT, {"use_task_id": True, "task_type_vocab_size": 7}, 17_669, 2_525, 0),
    ("falcon", "FalconForCausalLM", FALCON, {}, 20_760, 2_424, 0),
    ("falcon", "FalconForCausalLM", FALCON, {"multi_query": False}, 23_352, 2_424, 0),
    ("falcon", "FalconForCausalLM", FALCON, {"multi_query": False, "num_kv_heads": 2}, 23_352, 2_424, 0),
    ("falcon", "FalconForCausalLM", FALCON, {"num_kv_heads": 2}, 20_760, 2_424, 0),
    (
        "falcon",
        "FalconForCausalLM",
        FALCON,
        {"new_decoder_architecture": True, "num_kv_heads": 2},
        21_768,
        2_424,
        0,
    ),
    ("falcon", "FalconForCausalLM", FALCON, {"new_decoder_architecture": True}, 23_496, 2_424, 0),
    (
        "falcon",
        "FalconForCausalLM",
        FALCON,
        {"new_decoder_architecture": True, "num_kv_heads": 2, "num_ln_in_parallel_attn": 1},
        21_624,
        2_424,
        0,
    ),
    (
        "falcon",
        "FalconForCausalLM",
        FALCON,
        {"parallel_attn": False, "bias": True, "alibi": True},
        21_444,
        2_424,
        0,
    ),
    (
        "falcon",
        "FalconForCausalLM",
        FALCON,
        {"ffn_hidden_size": 57, "tie_word_embeddings": False},
        17_568,
        0,
        0,
    ),
    ("falcon", "FalconForCausalLM", FALCON, {"num_ln_in_parallel_attn": 2}, 20_904, 2_424, 0),
    (
        "falcon",
        "FalconForCausalLM",
        FALCON,
        {"new_decoder_architecture": True, "parallel_attn": False, "num_kv_heads": 2},
        21_768,
        2_424,
        0,
    ),
    ("gpt-sw3", "GPT2LMHeadModel", GPT, {}, 24_936, 2_424, 0),
    ("gpt2", "GPT2LMHeadModel", GPT, {}, 24_936, 2_424, 0),
    ("gpt2", "GPT2LMHeadModel", GPT, {"n_inner": 31}, 15_381, 2_424, 0),
    (
        "gpt2",
        "GPT2LMHeadModel",
        GPT,
        {"add_cross_attention": True, "tie_word_embeddings": False},
        34_704,
        0,
        0,
    ),
    ("gpt_bigcode", "GPTBigCodeForCausalLM", GPT, {}, 22_236, 2_424, 0),
    ("gpt_bigcode", "GPTBigCodeForCausalLM", GPT, {"multi_query": False, "n_inner": 31}, 15_381, 2_424, 0),
    (
        "gpt_bigcode",
        "GPTBigCodeForCausalLM",
        GPT,
        {"multi_query": False, "add_cross_attention": True, "tie_word_embeddings": False},
        34_704,
        0,
        0,
    ),
    (
        "gpt_neo",
        "GPTNeoForCausalLM",
        NEO,
        {"num_layers": 4, "attention_types": [[["global", "local"], 2]]},
        31_872,
        2_424,
        0,
    ),
    (
        "gpt_neo",
        "GPTNeoForCausalLM",
        NEO,
        {
            "num_layers": 3,
            "intermediate_size": 17,
            "attention_types": [[["global"], 1], [["local"], 2]],
            "tie_word_embeddings": False,
        },
        15_531,
        0,
        0,
    ),
    ("gpt_neox", "GPTNeoXForCausalLM", BERT, {}, 18_336, 0, 0),
    ("gpt_neox", "GPTNeoXForCausalLM", BERT, {"attention_bias": False}, 18_048, 0, 0),
    ("gpt_neox", "GPTNeoXForCausalLM", BERT, {"tie_word_embeddings": True}, 15_912, 2_424, 0),
    (
        "gpt_neox_japanese",
        "GPTNeoXJapaneseForCausalLM",
        FALCON,
        {"intermediate_multiple_size": 3},
        20_064,
        2_424,
        0,
    ),
    (
        "gpt_neox_japanese",
        "GPTNeoXJapaneseForCausalLM",
        FALCON,
        {"num_hidden_layers": 1, "tie_word_embeddings": False},
        11_928,
        0,
        0,
    ),
    ("gptj", "GPTJForCausalLM", GPT, {}, 26_237, 0, 0),
    ("gptj", "GPTJForCausalLM", GPT, {"n_inner": 50, "tie_word_embeddings": True}, 17_051, 2_424, 0),
    ("m2m_100", "M2M100ForConditionalGeneration", BART, {}, 30_208, 7_272, 0),
    ("m2m_100", "M2M100ForConditionalGeneration", BART, {"tie_word_embeddings": False}, 37_480, 0, 0),
    ("marian", "MarianMTModel", BART, {}, 31_696, 7_272, 101),
    ("marian", "MarianMTModel", BART, {"tie_word_embeddings": False}, 38_968, 0, 101),
    ("marian", "MarianMTModel", BART, {"share_encoder_decoder_embeddings": False}, 34_120, 2_424, 101),
    (
        "marian",
        "MarianMTModel",
        BART,
        {"share_encoder_decoder_embeddings": False, "tie_word_embeddings": False},
        36_544,
        0,
        101,
    ),
    (
        "marian",
        "MarianMTModel",
        BART,
        {"share_encoder_decoder_embeddings": False, "decoder_vocab_size": 77},
        33_544,
        1_848,
        77,
    ),
    ("marian", "MarianMTModel", BART, {"decoder_vocab_size": 101}, 31_696, 7_272, 101),
    ("mbart", "MBartForConditionalGeneration", BART, {}, 31_984, 7_272, 101),
    ("mbart", "MBartForConditionalGeneration", BART, {"tie_word_embeddings": False}, 39_256, 0, 101),
    ("modernbert", "ModernBertForMaskedLM", BERT, {}, 18_845, 2_424, 0),
    (
        "modernbert",
        "ModernBertForMaskedLM",
        BERT,
        {
            "attention_bias": True,
            "mlp_bias": True,
            "norm_bias": True,
            "classifier_bias": True,
            "decoder_bias": False,
        },
        19_560,
        2_424,
        0,
    ),
    ("modernbert", "ModernBertForMaskedLM", BERT, {"tie_word_embeddings": False}, 21_269, 0, 0),
    (
        "modernbert",
        "ModernBertForMaskedLM",
        BERT,
        {"layer_types": ["full_attention", "full_attention", "full_attention"]},
        18_845,
        2_424,
        0,
    ),
    ("modernbert", "ModernBertForMaskedLM", BERT, {"global_attn_every_n_layers": 2}, 18_845, 2_424, 0),
    ("mpnet", "MPNetForMaskedLM", BERT, {}, 17_581, 2_525, 0),
    (
        "mpnet",
        "MPNetForMaskedLM",
        BERT,
        {"relative_attention_num_buckets": 9, "tie_word_embeddings": False},
        20_014,
        0,
        0,
    ),
    ("mpt", "MptForCausalLM", MPT, {}, 23_328, 2_424, 0),
    (
        "mpt",
        "MptForCausalLM",
        MPT,
        {"no_bias": False, "expansion_ratio": 2, "tie_word_embeddings": False},
        25_752,
        0,
        0,
    ),
    ("mt5", "MT5ForConditionalGeneration", T5, {}, 37_448, 7_272, 0),
    ("mt5", "MT5ForConditionalGeneration", T5, {"feed_forward_proj": "relu"}, 31_688, 7_272, 0),
    (
        "mt5",
        "MT5ForConditionalGeneration",
        T5,
        {"feed_forward_proj": "gated-silu"},
        37_448,
        7_272,
        0,
    ),
    ("mt5", "MT5ForConditionalGeneration", T5, {"num_decoder_layers": 5}, 51_032, 7_272, 0),
    (
        "mt5",
        "MT5ForConditionalGeneration",
        T5,
        {"feed_forward_proj": "gelu", "is_gated_act": True},
        37_448,
        7_272,
        0,
    ),
    (
        "mt5",
        "MT5ForConditionalGeneration",
        T5,
        {"feed_forward_proj": "gated-gelu", "is_gated_act": False},
        31_688,
        7_272,
        0,
    ),
    ("nomic_bert", "NomicBertForMaskedLM", BERT, {}, 19_109, 2_525, 0),
    ("nomic_bert", "NomicBertForMaskedLM", BERT, {"head_dim": 10, "type_vocab_size": 3}, 23_741, 2_525, 0),
    ("nomic_bert", "NomicBertForMaskedLM", BERT, {"tie_word_embeddings": False}, 21_634, 0, 0),
    ("openai-gpt", "OpenAIGPTLMHeadModel", GPT, {}, 24_888, 2_424, 0),
    ("openai-gpt", "OpenAIGPTLMHeadModel", GPT, {"tie_word_embeddings": False}, 27_312, 0, 0),
    ("opt", "OPTForCausalLM", OPT, {}, 16_752, 2_424, 0),
    ("opt", "OPTForCausalLM", OPT, {"word_embed_proj_dim": 12}, 16_116, 1_212, 0),
    ("opt", "OPTForCausalLM", OPT, {"do_layer_norm_before": False}, 16_704, 2_424, 0),
    ("opt", "OPTForCausalLM", OPT, {"_remove_final_layer_norm": True}, 16_704, 2_424, 0),
    ("opt", "OPTForCausalLM", OPT, {"enable_bias": False}, 16_272, 2_424, 0),
    ("opt", "OPTForCausalLM", OPT, {"layer_norm_elementwise_affine": False}, 16_416, 2_424, 0),
    ("opt", "OPTForCausalLM", OPT, {"tie_word_embeddings": False, "word_embed_proj_dim": 12}, 17_328, 0, 0),
    ("pegasus", "PegasusForConditionalGeneration", BART, {}, 31_792, 7_272, 101),
    ("pegasus", "PegasusForConditionalGeneration", BART, {"tie_word_embeddings": False}, 39_064, 0, 101),
    ("roberta", "RobertaForMaskedLM", BERT, {}, 17_501, 2_525, 0),
    ("roberta", "RobertaForMaskedLM", BERT, {"type_vocab_size": 5}, 17_573, 2_525, 0),
    ("roberta", "RobertaForMaskedLM", BERT, {"tie_word_embeddings": False}, 20_026, 0, 0),
    (
        "roberta",
        "RobertaForMaskedLM",
        BERT,
        {"is_decoder": True, "add_cross_attention": True},
        24_845,
        2_525,
        0,
    ),
    ("t5", "T5ForConditionalGeneration", T5, {}, 31_688, 7_272, 0),
    ("t5", "T5ForConditionalGeneration", T5, {"feed_forward_proj": "relu"}, 31_688, 7_272, 0),
    (
        "t5",
        "T5ForConditionalGeneration",
        T5,
        {"feed_forward_proj": "gated-silu"},
        37_448,
        7_272,
        0,
    ),
    ("t5", "T5ForConditionalGeneration", T5, {"num_decoder_layers": 5}, 43_352, 7_272, 0),
    (
        "t5",
        "T5ForConditionalGeneration",
        T5,
        {"feed_forward_proj": "gelu", "is_gated_act": True},
        37_448,
        7_272,
        0,
    ),
    (
        "t5",
        "T5ForConditionalGeneration",
        T5,
        {"feed_forward_proj": "gated-gelu", "is_gated_act": False},
        31_688,
        7_272,
        0,
    ),
    ("umt5", "UMT5ForConditionalGeneration", T5, {}, 37_560, 7_272, 0),
    ("umt5", "UMT5ForConditionalGeneration", T5, {"feed_forward_proj": "relu"}, 31_800, 7_272, 0),
    (
        "umt5",
        "UMT5ForConditionalGeneration",
        T5,
        {"feed_forward_proj": "gated-silu"},
        37_560,
        7_272,
        0,
    ),
    ("umt5", "UMT5ForConditionalGeneration", T5, {"num_decoder_layers": 5}, 51_200, 7_272, 0),
    (
        "umt5",
        "UMT5ForConditionalGeneration",
        T5,
        {"feed_forward_proj": "gelu", "is_gated_act": True},
        37_560,
        7_272,
        0,
    ),
    (
        "umt5",
        "UMT5ForConditionalGeneration",
        T5,
        {"feed_forward_proj": "gated-gelu", "is_gated_act": False},
        31_800,
        7_272,
        0,
    ),
    (
        "whisper",
        "WhisperForConditionalGeneration",
        BART,
        {"max_source_positions": 20, "max_target_positions": 10, "num_mel_bins": 8},
        33_112,
        2_424,
        0,
    ),
    (
        "whisper",
        "WhisperForConditionalGeneration",
        BART,
        {
            "max_source_positions": 20,
            "max_target_positions": 10,
            "num_mel_bins": 8,
            "use_weighted_layer_sum": True,
            "classifier_proj_size": 9,
            "tie_word_embeddings": False,
        },
        35_536,
        0,
        0,
    ),
    ("xglm", "XGLMForCausalLM", XGLM, {}, 15_912, 2_424, 0),
    (
        "xglm",
        "XGLMForCausalLM",
        XGLM,
        {"add_cross_attention": True, "tie_word_embeddings": False},
        25_680,
        0,
        0,
    ),
    ("xlm-roberta", "XLMRobertaForMaskedLM", BERT, {}, 17_501, 2_525, 0),
    ("xlm-roberta", "XLMRobertaForMaskedLM", BERT, {"type_vocab_size": 5}, 17_573, 2_525, 0),
    ("xlm-roberta-xl", "XLMRobertaXLForMaskedLM", BERT, {}, 17_477, 2_525, 0),
    ("xlm-roberta-xl", "XLMRobertaXLForMaskedLM", BERT, {"type_vocab_size": 5}, 17_573, 2_525, 0),
    ("xlm-roberta-xl", "XLMRobertaXLForMaskedLM", BERT, {"tie_word_embeddings": False}, 20_002, 0, 0),
    (
        "xlm-roberta-xl",
        "XLMRobertaXLForMaskedLM",
        BERT,
        {"is_decoder": True, "add_cross_attention": True},
        24_821,
        2_525,
        0,
    ),
    ("blenderbot-small", "BlenderbotSmallForConditionalGeneration", BART, {}, 31_792, 7_272, 101),
    (
        "blenderbot-small",
        "BlenderbotSmallForConditionalGeneration",
        BART,
        {"tie_word_embeddings": False},
        39_064,
        0,
        101,
    ),
    ("data2vec-text", "Data2VecTextForMaskedLM", BERT, {}, 17_501, 2_525, 0),
    ("data2vec-text", "Data2VecTextForMaskedLM", BERT, {"type_vocab_size": 5}, 17_573, 2_525, 0),
    ("data2vec-text", "Data2VecTextForMaskedLM", BERT, {"tie_word_embeddings": False}, 20_026, 0, 0),
    (
        "data2vec-text",
        "Data2VecTextForMaskedLM",
        BERT,
        {"is_decoder": True, "add_cross_attention": True},
        24_845,
        2_525,
        0,
    ),
    ("layoutlm", "LayoutLMForMaskedLM", BERT, {}, 116_405, 2_525, 0),
    ("layoutlm", "LayoutLMForMaskedLM", BERT, {"type_vocab_size": 5}, 116_477, 2_525, 0),
    ("layoutlm", "LayoutLMForMaskedLM", BERT, {"tie_word_embeddings": False}, 118_930, 0, 0),
    ("layoutlm", "LayoutLMForMaskedLM", BERT, {"max_2d_position_embeddings": 9}, 18_965, 2_525, 0),
    ("longformer", "LongformerForMaskedLM", BERT, {}, 22_901, 2_525, 0),
    ("longformer", "LongformerForMaskedLM", BERT, {"type_vocab_size": 5}, 22_973, 2_525, 0),
    ("longformer", "LongformerForMaskedLM", BERT, {"tie_word_embeddings": False}, 25_426, 0, 0),
    ("longformer", "LongformerForMaskedLM", BERT, {"attention_window": [4, 8, 4]}, 22_901, 2_525, 0),
    ("megatron-bert", "MegatronBertForMaskedLM", BERT, {}, 17_501, 2_525, 0),
    ("megatron-bert", "MegatronBertForMaskedLM", BERT, {"type_vocab_size": 5}, 17_573, 2_525, 0),
    ("megatron-bert", "MegatronBertForMaskedLM", BERT, {"tie_word_embeddings": False}, 20_026, 0, 0),
    (
        "megatron-bert",
        "MegatronBertForMaskedLM",
        BERT,
        {"is_decoder": True, "add_cross_attention": True},
        24_845,
        2_525,
        0,
    ),
    ("plbart", "PLBartForConditionalGeneration", BART, {}, 31_888, 7_272, 101),
    ("plbart", "PLBartForConditionalGeneration", BART, {"tie_word_embeddings": False}, 39_160, 0, 101),
    ("roberta-prelayernorm", "RobertaPreLayerNormForMaskedLM", BERT, {}, 17_549, 2_525, 0),
    (
        "roberta-prelayernorm",
        "RobertaPreLayerNormForMaskedLM",
        BERT,
        {"type_vocab_size": 5},
        17_621,
        2_525,
        0,
    ),
    (
        "roberta-prelayernorm",
        "RobertaPreLayerNormForMaskedLM",
        BERT,
        {"tie_word_embeddings": False},
        20_074,
        0,
        0,
    ),
    (
        "roberta-prelayernorm",
        "RobertaPreLayerNormForMaskedLM",
        BERT,
        {"is_decoder": True, "add_cross_attention": True},
        24_893,
        2_525,
        0,
    ),
]

HEADS: list[Row] = [
    ("gpt_neox", "GPTNeoXModel", BERT, {}, 15_912, 0, 0),
    ("gpt_neox", "GPTNeoXForSequenceClassification", BERT, FIVE_LABELS, 16_032, 0, 0),
    ("gpt_neox", "GPTNeoXForTokenClassification", BERT, FIVE_LABELS, 16_037, 0, 0),
    ("gpt_neox", "GPTNeoXForQuestionAnswering", BERT, FIVE_LABELS, 15_962, 0, 0),
    ("gpt2", "GPT2Model", GPT, {}, 24_936, 0, 0),
    ("gpt2", "GPT2ForSequenceClassification", GPT, FIVE_LABELS, 25_056, 0, 0),
    ("gpt2", "GPT2ForTokenClassification", GPT, FIVE_LABELS, 25_061, 0, 0),
    ("gpt2", "GPT2ForQuestionAnswering", GPT, FIVE_LABELS, 24_986, 0, 0),
    ("gptj", "GPTJModel", GPT, {}, 23_712, 0, 0),
    ("gptj", "GPTJForSequenceClassification", GPT, FIVE_LABELS, 23_832, 0, 0),
    ("gptj", "GPTJForQuestionAnswering", GPT, FIVE_LABELS, 23_762, 0, 0),
    ("opt", "OPTModel", OPT, {}, 16_752, 0, 0),
    ("opt", "OPTForSequenceClassification", OPT, FIVE_LABELS, 16_872, 0, 0),
    ("opt", "OPTForQuestionAnswering", OPT, FIVE_LABELS, 16_802, 0, 0),
    ("ctrl", "CTRLModel", GPT, {"dff": 55}, 18_117, 0, 0),
    ("ctrl", "CTRLForSequenceClassification", GPT, {"dff": 55, "id2label": FIVE}, 18_237, 0, 0),
    ("biogpt", "BioGptModel", BERT, {}, 16_752, 0, 0),
    ("biogpt", "BioGptForSequenceClassification", BERT, FIVE_LABELS, 16_872, 0, 0),
    ("biogpt", "BioGptForTokenClassification", BERT, FIVE_LABELS, 16_877, 0, 0),
    ("bert", "BertModel", BERT, {}, 17_352, 0, 0),
    ("bert", "BertForSequenceClassification", BERT, FIVE_LABELS, 17_477, 0, 0),
    ("bert", "BertForTokenClassification", BERT, FIVE_LABELS, 16_877, 0, 0),
    ("bert", "BertForQuestionAnswering", BERT, FIVE_LABELS, 16_877, 0, 0),
    ("bert", "BertForMultipleChoice", BERT, FIVE_LABELS, 17_377, 0, 0),
    ("bert", "BertForPreTraining", BERT, FIVE_LABELS, 18_151, 2_525, 0),
    ("bert", "BertForNextSentencePrediction", BERT, FIVE_LABELS, 17_402, 0, 0),
    ("bert", "BertLMHeadModel", BERT, FIVE_LABELS, 17_501, 2_525, 0),
    ("roberta", "RobertaModel", BERT, {}, 17_352, 0, 0),
    ("roberta", "RobertaForSequenceClassification", BERT, FIVE_LABELS, 17_477, 0, 0),
    ("roberta", "RobertaForTokenClassification", BERT, FIVE_LABELS, 16_877, 0, 0),
    ("roberta", "RobertaForQuestionAnswering", BERT, FIVE_LABELS, 16_877, 0, 0),
    ("roberta", "RobertaForMultipleChoice", BERT, FIVE_LABELS, 17_377, 0, 0),
    ("roberta", "RobertaForCausalLM", BERT, {}, 17_501, 2_525, 0),
    ("electra", "ElectraModel", BERT, {"embedding_size": 12}, 15_408, 0, 0),
    (
        "electra",
        "ElectraForSequenceClassification",
        BERT,
        {"embedding_size": 12, "id2label": FIVE},
        16_133,
        0,
        0,
    ),
    (
        "electra",
        "ElectraForTokenClassification",
        BERT,
        {"embedding_size": 12, "id2label": FIVE},
        15_533,
        0,
        0,
    ),
    ("electra", "ElectraForQuestionAnswering", BERT, {"embedding_size": 12, "id2label": FIVE}, 15_533, 0, 0),
    ("electra", "ElectraForPreTraining", BERT, {"embedding_size": 12, "id2label": FIVE}, 16_033, 0, 0),
    ("electra", "ElectraForCausalLM", BERT, {"embedding_size": 12}, 15_833, 1_212, 0),
    ("albert", "AlbertModel", BERT, {"embedding_size": 12}, 7_048, 0, 0),
    (
        "albert",
        "AlbertForSequenceClassification",
        BERT,
        {"embedding_size": 12, "id2label": FIVE},
        7_173,
        0,
        0,
    ),
    ("albert", "AlbertForTokenClassification", BERT, {"embedding_size": 12, "id2label": FIVE}, 6_573, 0, 0),
    ("albert", "AlbertForQuestionAnswering", BERT, {"embedding_size": 12, "id2label": FIVE}, 6_573, 0, 0),
    ("albert", "AlbertForMultipleChoice", BERT, {"embedding_size": 12, "id2label": FIVE}, 7_073, 0, 0),
    ("albert", "AlbertForPreTraining", BERT, {"embedding_size": 12, "id2label": FIVE}, 7_598, 1_313, 0),
    ("distilbert", "DistilBertModel", DISTIL, {}, 16_704, 0, 0),
    ("distilbert", "DistilBertForSequenceClassification", DISTIL, FIVE_LABELS, 17_429, 0, 0),
    ("distilbert", "DistilBertForTokenClassification", DISTIL, FIVE_LABELS, 16_829, 0, 0),
    ("distilbert", "DistilBertForQuestionAnswering", DISTIL, {}, 16_754, 0, 0),
    ("distilbert", "DistilBertForMultipleChoice", DISTIL, FIVE_LABELS, 17_329, 0, 0),
    ("mpnet", "MPNetModel", BERT, {}, 17_432, 0, 0),
    ("mpnet", "MPNetForSequenceClassification", BERT, FIVE_LABELS, 17_557, 0, 0),
    ("mpnet", "MPNetForTokenClassification", BERT, FIVE_LABELS, 16_957, 0, 0),
    ("mpnet", "MPNetForQuestionAnswering", BERT, FIVE_LABELS, 16_957, 0, 0),
    ("mpnet", "MPNetForMultipleChoice", BERT, FIVE_LABELS, 17_457, 0, 0),
    ("modernbert", "ModernBertModel", BERT, {}, 18_144, 0, 0),
    ("modernbert", "ModernBertForSequenceClassification", BERT, FIVE_LABELS, 18_869, 0, 0),
    ("modernbert", "ModernBertForTokenClassification", BERT, FIVE_LABELS, 18_869, 0, 0),
    ("modernbert", "ModernBertForQuestionAnswering", BERT, FIVE_LABELS, 18_869, 0, 0),
    ("modernbert", "ModernBertForMultipleChoice", BERT, FIVE_LABELS, 18_769, 0, 0),
    ("nomic_bert", "NomicBertModel", BERT, {}, 18_360, 0, 0),
    ("nomic_bert", "NomicBertForSequenceClassification", BERT, FIVE_LABELS, 19_085, 0, 0),
    ("nomic_bert", "NomicBertForTokenClassification", BERT, FIVE_LABELS, 18_485, 0, 0),
    ("deberta-v2", "DebertaV2Model", BERT, {}, 16_704, 0, 0),
    ("deberta-v2", "DebertaV2ForSequenceClassification", BERT, FIVE_LABELS, 17_429, 0, 0),
    ("deberta-v2", "DebertaV2ForTokenClassification", BERT, FIVE_LABELS, 16_829, 0, 0),
    ("deberta-v2", "DebertaV2ForQuestionAnswering", BERT, FIVE_LABELS, 16_829, 0, 0),
    ("deberta-v2", "DebertaV2ForMultipleChoice", BERT, FIVE_LABELS, 17_329, 0, 0),
    ("ernie", "ErnieModel", BERT, {}, 17_352, 0, 0),
    ("ernie", "ErnieForSequenceClassification", BERT, FIVE_LABELS, 17_477, 0, 0),
    ("ernie", "ErnieForTokenClassification", BERT, FIVE_LABELS, 16_877, 0, 0),
    ("ernie", "ErnieForQuestionAnswering", BERT, FIVE_LABELS, 16_877, 0, 0),
    ("ernie", "ErnieForMultipleChoice", BERT, FIVE_LABELS, 17_377, 0, 0),
    ("ernie", "ErnieForPreTraining", BERT, FIVE_LABELS, 18_151, 2_525, 0),
    ("ernie", "ErnieForNextSentencePrediction", BERT, FIVE_LABELS, 17_402, 0, 0),
    ("ernie", "ErnieForCausalLM", BERT, {}, 17_501, 2_525, 0),
    ("bart", "BartModel", BART, {}, 31_888, 4_848, 0),
    ("bart", "BartForCausalLM", BART, {}, 17_560, 2_424, 0),
    ("bart", "BartForSequenceClassification", BART, FIVE_LABELS, 32_613, 4_848, 0),
    ("bart", "BartForQuestionAnswering", BART, FIVE_LABELS, 31_938, 4_848, 0),
    (
        "whisper",
        "WhisperModel",
        BART,
        {"max_source_positions": 20, "max_target_positions": 10, "num_mel_bins": 8},
        33_112,
        0,
        0,
    ),
    (
        "whisper",
        "WhisperForCausalLM",
        BART,
        {"max_source_positions": 20, "max_target_positions": 10, "num_mel_bins": 8},
        16_864,
        2_424,
        0,
    ),
    (
        "whisper",
        "WhisperForAudioClassification",
        BART,
        {"max_source_positions": 20, "max_target_positions": 10, "num_mel_bins": 8, "id2label": FIVE},
        23_933,
        0,
        0,
    ),
    ("t5", "T5Model", T5, {}, 31_688, 4_848, 0),
    ("t5", "T5EncoderModel", T5, {}, 14_140, 2_424, 0),
    ("t5", "T5ForSequenceClassification", T5, FIVE_LABELS, 32_413, 4_848, 0),
    ("t5", "T5ForQuestionAnswering", T5, FIVE_LABELS, 31_813, 4_848, 0),
    ("t5", "T5ForTokenClassification", T5, FIVE_LABELS, 14_265, 2_424, 0),
    ("marian", "MarianModel", BART, {}, 31_696, 4_848, 0),
    ("marian", "MarianForCausalLM", BART, {}, 17_464, 2_424, 0),
    ("megatron-bert", "MegatronBertModel", BERT, {}, 17_352, 0, 0),
    ("megatron-bert", "MegatronBertForSequenceClassification", BERT, FIVE_LABELS, 17_477, 0, 0),
    ("megatron-bert", "MegatronBertForTokenClassification", BERT, FIVE_LABELS, 16_877, 0, 0),
    ("megatron-bert", "MegatronBertForQuestionAnswering", BERT, FIVE_LABELS, 16_877, 0, 0),
    ("megatron-bert", "MegatronBertForMultipleChoice", BERT, FIVE_LABELS, 17_377, 0, 0),
    ("megatron-bert", "MegatronBertForPreTraining", BERT, FIVE_LABELS, 18_151, 2_525, 0),
    ("megatron-bert", "MegatronBertForNextSentencePrediction", BERT, FIVE_LABELS, 17_402, 0, 0),
    ("megatron-bert", "MegatronBertForCausalLM", BERT, {}, 17_501, 2_525, 0),
    ("longformer", "LongformerModel", BERT, {}, 22_752, 0, 0),
    ("longformer", "LongformerForSequenceClassification", BERT, FIVE_LABELS, 22_877, 0, 0),
    ("longformer", "LongformerForTokenClassification", BERT, FIVE_LABELS, 22_277, 0, 0),
    ("longformer", "LongformerForQuestionAnswering", BERT, FIVE_LABELS, 22_277, 0, 0),
    ("longformer", "LongformerForMultipleChoice", BERT, FIVE_LABELS, 22_777, 0, 0),
    ("layoutlm", "LayoutLMModel", BERT, {}, 115_656, 0, 0),
    ("layoutlm", "LayoutLMForSequenceClassification", BERT, FIVE_LABELS, 115_781, 0, 0),
    ("layoutlm", "LayoutLMForTokenClassification", BERT, FIVE_LABELS, 115_781, 0, 0),
    ("layoutlm", "LayoutLMForQuestionAnswering", BERT, FIVE_LABELS, 115_781, 0, 0),
]


def totals(b: pw.Breakdown) -> tuple[int, int, int]:
    stored = b.total("stored", off={"buffer"})
    return stored, b.architectural - b.stored, b.stored - stored


def ids(rows: list[Row]) -> list[str]:
    return [f"{row[1]}-{i}" for i, row in enumerate(rows)]


@pytest.mark.parametrize("row", SWITCHES, ids=ids(SWITCHES))
def test_a_small_config_counts_as_the_model_that_transformers_builds(row: Row) -> None:
    model_type, cls, sizes, differs, *expected = row
    b = pw.count({"model_type": model_type, "architectures": [cls], **sizes, **differs})
    assert totals(b) == tuple(expected)


@pytest.mark.parametrize("row", HEADS, ids=ids(HEADS))
def test_the_class_decides_pooler_and_head(row: Row) -> None:
    model_type, cls, sizes, differs, *expected = row
    b = pw.count({"model_type": model_type, "architectures": [cls], **sizes, **differs})
    assert totals(b) == tuple(expected)


@pytest.mark.parametrize("row", SWITCHES + HEADS, ids=ids(SWITCHES + HEADS))
def test_no_tensor_has_the_name_of_another(row: Row) -> None:
    model_type, cls, sizes, differs, *_ = row
    b = pw.count({"model_type": model_type, "architectures": [cls], **sizes, **differs})
    names = [t.name for t in b.tensors]
    assert len(names) == len(set(names))
    assert {t.tied_to for t in b.tensors} - {None} <= set(names)


def test_every_type_here_has_a_row() -> None:
    mine = {
        "bloom",
        "bert",
        "bert_kin",
        "deberta",
        "modernbert",
        "gpt_neox",
        "gpt_neo",
        "opt",
        "mpt",
        "t5",
        "bart",
        "whisper",
    }
    later = {  # whose rows are in tests/reference/types.jsonl
        "bigbird_pegasus",
        "fsmt",
        "led",
        "longt5",
        "modernbert-decoder",
        "modernvbert",
        "mvp",
        "pegasus_x",
        "pix2struct",
        "pop2piano",
        "switch_transformers",
        "tapas",
        "trocr",
        "udop",
    }
    types = {t for t, entry in TABLE.items() if entry.where.partition(":")[0] in mine} - later
    old_spellings = {"RefinedWeb", "RefinedWebModel"}
    assert types - old_spellings <= {row[0] for row in SWITCHES}


# ------------------------------------------------------------------ published models
#
# The fields of their config.json that decide the count; parameters by transformers, and what the Hub reported where
# that is something else.

PUBLISHED: dict[str, tuple[dict[str, Any], int, int]] = {
    "EleutherAI/pythia-410m": (
        {
            "architectures": ["GPTNeoXForCausalLM"],
            "hidden_size": 1024,
            "intermediate_size": 4096,
            "model_type": "gpt_neox",
            "num_attention_heads": 16,
            "num_hidden_layers": 24,
            "tie_word_embeddings": False,
            "vocab_size": 50304,
        },
        405_334_016,
        405_334_016,
    ),
    "bigscience/bloom": (
        {
            "architectures": ["BloomForCausalLM"],
            "model_type": "bloom",
            "n_embed": 14336,
            "n_layer": 70,
            "num_attention_heads": 112,
            "vocab_size": 250880,
        },
        176_247_271_424,
        176_247_271_424,
    ),
    "facebook/opt-350m": (
        {
            "architectures": ["OPTForCausalLM"],
            "do_layer_norm_before": False,
            "ffn_dim": 4096,
            "hidden_size": 1024,
            "max_position_embeddings": 2048,
            "model_type": "opt",
            "num_attention_heads": 16,
            "num_hidden_layers": 24,
            "vocab_size": 50272,
            "word_embed_proj_dim": 512,
        },
        331_196_416,
        331_196_416,
    ),
    "tiiuae/falcon-40b": (
        {
            "architectures": ["FalconForCausalLM"],
            "bias": False,
            "hidden_size": 8192,
            "model_type": "falcon",
            "new_decoder_architecture": True,
            "num_attention_heads": 128,
            "num_hidden_layers": 60,
            "num_kv_heads": 8,
            "parallel_attn": True,
            "vocab_size": 65024,
        },
        41_303_293_952,
        41_303_293_952,
    ),
    "thenlper/gte-small": (
        {
            "architectures": ["BertModel"],
            "hidden_size": 384,
            "intermediate_size": 1536,
            "max_position_embeddings": 512,
            "model_type": "bert",
            "num_attention_heads": 12,
            "num_hidden_layers": 12,
            "type_vocab_size": 2,
            "vocab_size": 30522,
        },
        33_360_000,
        33_360_000,
    ),
    "BAAI/bge-reranker-v2-m3": (
        {
            "architectures": ["XLMRobertaForSequenceClassification"],
            "hidden_size": 1024,
            "id2label": {"0": "LABEL_0"},
            "intermediate_size": 4096,
            "max_position_embeddings": 8194,
            "model_type": "xlm-roberta",
            "num_attention_heads": 16,
            "num_hidden_layers": 24,
            "type_vocab_size": 1,
            "vocab_size": 250002,
        },
        567_755_777,
        567_755_777,
    ),
    # encoder: 4 layers of 1,183,872 less the keys' bias; the decoder's have attention to the encoder too
    "openai/whisper-tiny": (
        {
            "architectures": ["WhisperForConditionalGeneration"],
            "d_model": 384,
            "decoder_attention_heads": 6,
            "decoder_ffn_dim": 1536,
            "decoder_layers": 4,
            "encoder_attention_heads": 6,
            "encoder_ffn_dim": 1536,
            "encoder_layers": 4,
            "max_source_positions": 1500,
            "max_target_positions": 448,
            "model_type": "whisper",
            "num_mel_bins": 80,
            "vocab_size": 51865,
        },
        37_760_640,
        29_552_256,
    ),
    "google-t5/t5-small": (
        {
            "architectures": ["T5ForConditionalGeneration"],
            "d_ff": 2048,
            "d_kv": 64,
            "d_model": 512,
            "feed_forward_proj": "relu",
            "model_type": "t5",
            "num_heads": 8,
            "num_layers": 6,
            "relative_attention_num_buckets": 32,
            "vocab_size": 32128,
        },
        60_506_624,
        # less the encoder: 6 × (4 × 512² + 2 × 512 × 2,048 + 2 × 512) + 32 × 8 + 512
        60_506_624 - 18_881_280,
    ),
}


@pytest.mark.parametrize("repo", PUBLISHED)
def test_a_published_model_has_its_parameters(repo: str) -> None:
    config, stored, active = PUBLISHED[repo]
    b = pw.count(config)
    assert (b.stored, b.active) == (stored, active)


def test_files_with_both_names_of_a_tied_head_hold_what_architectural_counts() -> None:
    assert pw.count(PUBLISHED["tiiuae/falcon-40b"][0]).architectural == 41_835_970_560  # the Hub's total


def test_the_first_spellings_of_falcon_count_as_the_later_ones() -> None:
    falcon = {"hidden_size": 4544, "num_attention_heads": 71, "num_hidden_layers": 32, "vocab_size": 65024}
    first = {"hidden_size": 4544, "n_head": 71, "n_layer": 32, "vocab_size": 65024}
    rw = {"model_type": "RefinedWebModel", "architectures": ["RWForCausalLM"], "multi_query": True}
    late, early = (
        pw.count({"model_type": "falcon", **falcon}),
        pw.count({**rw, **first, "parallel_attn": True}),
    )
    assert late.stored == early.stored == 6_921_720_704
    assert [t.name for t in late.tensors] == [t.name for t in early.tensors]


def test_the_forty_billion_of_refined_web_needs_no_flag() -> None:
    config = {"model_type": "RefinedWeb", "hidden_size": 8192, "n_head": 128, "n_head_kv": 8, "n_layer": 60}
    assert pw.count({**config, "vocab_size": 65024}).stored == 41_303_293_952


# ------------------------------------------------------------------ roles


def count(model_type: str, sizes: dict[str, Any], **differs: Any) -> pw.Breakdown:
    return pw.count({"model_type": model_type, **sizes, **differs})


def test_all_of_an_encoder_is_active() -> None:
    for model_type in ("bert", "roberta", "mpnet", "modernbert", "nomic_bert", "deberta-v2"):
        b = count(model_type, BERT)
        assert b.active == b.stored


@pytest.mark.parametrize("model_type", ["bart", "mbart", "pegasus", "marian", "m2m_100", "blenderbot"])
def test_the_encoder_of_an_encoder_decoder_is_out_of_active(model_type: str) -> None:
    b = count(model_type, BART)
    assert b.active == b.stored - b.by_role("stored")["encoder"]
    assert all((t.role == "encoder") == ("encoder." in t.name) for t in b.tensors)


def test_attention_to_the_encoder_belongs_to_the_decoder() -> None:
    roles = {t.role for t in count("bart", BART).tensors if "encoder_attn." in t.name}
    assert roles == {"attention"}
    roles = {t.role for t in count("t5", T5).tensors if "EncDecAttention" in t.name}
    assert roles == {"attention"}


def test_the_encoder_alone_is_no_role_of_its_own() -> None:
    b = count("t5", T5, architectures=["T5EncoderModel"])
    assert b.active == b.stored
    assert [t.name for t in b.tensors if t.role == "encoder"] == ["encoder.embed_tokens.weight"]


def test_learned_positions_words_and_token_types_are_told_apart() -> None:
    roles = {t.name.removeprefix("bert.embeddings."): t.role for t in count("bert", BERT).tensors}
    assert roles["word_embeddings.weight"] == "embedding"
    assert roles["position_embeddings.weight"] == "position"
    assert roles["token_type_embeddings.weight"] == "other"


def test_the_head_takes_the_table_over_when_the_embedding_is_left_out() -> None:
    for model_type, sizes in (("bert", BERT), ("bart", BART), ("t5", T5), ("bloom", BLOOM)):
        b = count(model_type, sizes)
        table = 101 * 24
        assert b.total("active", off={"embedding"}) == b.active
        assert b.total("active", off={"embedding", "lm_head"}) <= b.active - table


def test_alberts_depth_does_not_change_its_count() -> None:
    sizes = {**BERT, "embedding_size": 12}
    assert count("albert", sizes).stored == count("albert", sizes, num_hidden_layers=300).stored
    assert len(count("albert", sizes, num_hidden_layers=300).layers) == 300


@pytest.mark.parametrize("model_type", ["t5", "mt5", "umt5", "longt5"])
def test_t5_has_a_head_of_its_own_where_the_config_says_so(model_type: str) -> None:
    # transformers ties it when it builds the class, and undoes that when it loads files that hold both
    tied, own = count(model_type, T5), count(model_type, T5, tie_word_embeddings=False)
    table = T5["vocab_size"] * T5["d_model"]
    assert own.stored == tied.stored + table
    assert own.architectural == tied.architectural
    assert own.active == tied.active + table


def test_flan_t5_has_the_parameters_of_its_name() -> None:
    # 750,251,008 as transformers builds it, and a head of 32,128 × 1,024
    assert pw.count("MBZUAI/LaMini-Flan-T5-783M").stored == 783_150_080


def test_the_logits_bias_of_bart_is_a_buffer() -> None:
    b = count("bart", BART)
    assert [t.name for t in b.tensors if t.kind == "buffer"] == ["final_logits_bias"]


# ------------------------------------------------------------------ what layers remember


def test_an_encoder_remembers_nothing_unless_it_is_a_decoder() -> None:
    assert {layer.kv_heads for layer in count("bert", BERT).layers} == {0}
    assert {layer.kv_heads for layer in count("bert", BERT, is_decoder=True).layers} == {4}


def test_falcon_keeps_the_keys_and_values_of_few_heads() -> None:
    assert count("falcon", FALCON).layers[0].kv_heads == 1
    later = count("falcon", FALCON, new_decoder_architecture=True, num_kv_heads=2)
    assert (later.layers[0].kv_heads, later.layers[0].k_dim) == (2, 6)
    assert count("falcon", FALCON, multi_query=False).layers[0].kv_heads == 4


def test_every_other_layer_of_gpt_neo_sees_a_window() -> None:
    b = count("gpt_neo", NEO, num_layers=4, attention_types=[[["global", "local"], 2]], window_size=9)
    assert [layer.mixer for layer in b.layers] == ["full", "sliding"] * 2
    assert b.layers[1].window == 9


def test_two_of_three_layers_of_modernbert_see_a_window() -> None:
    b = count("modernbert", BERT)
    assert [layer.mixer for layer in b.layers] == ["full", "sliding", "sliding"]


def test_an_encoder_decoder_has_the_layers_of_its_decoder() -> None:
    assert len(count("bart", BART).layers) == 2
    layers = count("t5", T5, num_decoder_layers=5).layers
    assert (len(layers), layers[0].kv_heads, layers[0].k_dim) == (5, 4, 5)


def test_whisper_keeps_a_fixed_number_of_frames() -> None:
    config = PUBLISHED["openai/whisper-tiny"][0]
    layer = pw.count(config).layers[0]
    assert (layer.cross, layer.cross_tokens) == (2 * 384, 1500)


# ------------------------------------------------------------------ refused

BAD: list[tuple[str, dict[str, Any], dict[str, Any], str]] = [
    ("bert", BERT, {"num_attention_heads": 5}, "hidden_size"),
    ("bert", BERT, {"hidden_size": None}, "hidden_size"),
    ("bert", BERT, {"type_vocab_size": -1}, "type_vocab_size"),
    ("bert", BERT, {"add_cross_attention": True}, "add_cross_attention"),
    ("gpt_neo", NEO, {"num_layers": 3, "attention_types": [[["global", "local"], 2]]}, "attention_types"),
    ("gpt_neo", NEO, {"num_layers": 2, "attention_types": [[["global", "near"], 1]]}, "attention_types"),
    ("gpt_neo", NEO, {"num_layers": 2, "attention_types": 7}, "attention_types"),
    ("gpt_bigcode", GPT, {"add_cross_attention": True}, "add_cross_attention"),
    ("falcon", FALCON, {"new_decoder_architecture": True, "num_kv_heads": 3}, "num_kv_heads"),
    ("falcon", FALCON, {"parallel_attn": "yes"}, "parallel_attn"),
    ("deberta-v2", BERT, {"relative_attention": True, "pos_att_type": 3}, "pos_att_type"),
    ("deberta-v2", BERT, {"conv_kernel_size": 3, "conv_groups": 5}, "conv_groups"),
    ("deberta-v2", BERT, {"attention_head_size": 7}, "attention_head_size"),
    ("modernbert", BERT, {"layer_types": ["full_attention"]}, "layer_types"),
    ("nomic_bert", BERT, {"moe_every_n_layers": 2}, "moe_every_n_layers"),
    ("longformer", BERT, {"attention_window": [4, 4]}, "attention_window"),
    ("longformer", BERT, {"attention_window": 0}, "attention_window"),
    ("bart", BART, {"decoder_attention_heads": 5}, "hidden_size"),
    ("bart", BART, {"encoder_layers": 0}, "encoder_layers"),
    ("bart", BART, {"decoder_layers": 10**9}, "decoder_layers"),
    ("t5", T5, {"feed_forward_proj": "gated-a-b"}, "feed_forward_proj"),
    ("t5", T5, {"num_decoder_layers": 0}, "num_decoder_layers"),
]


@pytest.mark.parametrize(
    ("model_type", "sizes", "bad", "key"), BAD, ids=[f"{t}-{next(iter(b))}" for t, _, b, _ in BAD]
)
def test_a_value_that_cannot_be_right_is_an_error_that_names_it(
    model_type: str, sizes: dict[str, Any], bad: dict[str, Any], key: str
) -> None:
    with pytest.raises(pw.ConfigError) as caught:
        pw.count({"model_type": model_type, **sizes, **bad})
    assert key in str(caught.value)


@pytest.mark.parametrize("differs", [{"expansion_ratio": 2}, {"attn_config": {"qk_ln": True}}])
def test_mpt_in_its_own_class_is_refused_where_transformers_would_build_something_else(
    differs: dict[str, Any],
) -> None:
    own = {"model_type": "mpt", "architectures": ["MPTForCausalLM"], **MPT}
    assert pw.count(own).stored == pw.count({**own, "architectures": ["MptForCausalLM"]}).stored
    with pytest.raises(pw.ConfigError, match=next(iter(differs))):
        pw.count({**own, **differs})


def test_mpt_in_its_own_class_may_have_biases_and_learned_positions() -> None:
    own = {"model_type": "mpt", "architectures": ["MPTForCausalLM"], **MPT, "max_seq_len": 9}
    plain, hidden, layers = pw.count(own).stored, own["d_model"], own["n_layers"]
    biases = layers * (3 + 1 + 4 + 1 + 2) * hidden + hidden
    assert pw.count({**own, "no_bias": False}).stored == plain + biases
    learned = {**own, "attn_config": {"alibi": False}}
    assert pw.count(learned).stored == plain + 9 * hidden
    assert pw.count({**learned, "learned_pos_emb": False}).stored == plain
