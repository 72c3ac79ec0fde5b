"""Public reports of counters that went wrong, each with the right integer and the term that was missed."""

from __future__ import annotations

from typing import Any

import pytest
from configs import bundled

import paramwidget as pw


def config(model_type: str, architecture: str, **fields: Any) -> dict[str, Any]:
    return {"model_type": model_type, "architectures": [architecture], **fields}


def llama(
    hidden: int, layers: int, heads: int, kv_heads: int, ffn: int, rows: int, *, tied: bool = False
) -> dict[str, Any]:
    return config(
        "llama",
        "LlamaForCausalLM",
        hidden_size=hidden,
        num_hidden_layers=layers,
        num_attention_heads=heads,
        num_key_value_heads=kv_heads,
        intermediate_size=ffn,
        vocab_size=rows,
        tie_word_embeddings=tied,
    )


def bert(architecture: str) -> dict[str, Any]:
    return config(
        "bert",
        architecture,
        vocab_size=30522,
        hidden_size=768,
        num_hidden_layers=12,
        num_attention_heads=12,
        intermediate_size=3072,
        max_position_embeddings=512,
        type_vocab_size=2,
    )


# ------------------------------------------------------------------ tied tables


@pytest.mark.parametrize(
    ("model", "once", "under_each_name"),
    [
        # the file holds lm_head too; 151,936 × 1,024 = 155,582,464 apart
        # https://github.com/huggingface/candle/pull/2930
        pytest.param("Qwen/Qwen3-0.6B", 596_049_920, 751_632_384, id="Qwen3-0.6B"),
        # a state dict keeps both names; 32,000 × 288, × 512 and × 768 apart
        # https://github.com/karpathy/llama2.c/issues/378
        pytest.param(llama(288, 6, 6, 6, 768, 32000, tied=True), 15_191_712, 24_407_712, id="tinyllamas-15M"),
        pytest.param(
            llama(512, 8, 8, 8, 1376, 32000, tied=True), 41_689_600, 58_073_600, id="tinyllamas-42M"
        ),
        pytest.param(
            llama(768, 12, 12, 12, 2048, 32000, tied=True), 109_529_856, 134_105_856, id="tinyllamas-110M"
        ),
        # the head was copied, not shared; 128,256 × 2,048 = 262,668,288 apart
        # https://github.com/rasbt/LLMs-from-scratch/issues/822
        pytest.param("meta-llama/Llama-3.2-1B", 1_235_814_400, 1_498_482_688, id="Llama-3.2-1B"),
        # the sum over submodules; 50,257 × 768 = 38,597,376 apart
        # https://github.com/huggingface/transformers/issues/14960
        pytest.param("openai-community/gpt2", 124_439_808, 163_037_184, id="gpt2"),
        # the decoder alone, the same summary tied or not; 50,000 × 384 = 19,200,000 apart
        # https://github.com/TylerYep/torchinfo/issues/377
        pytest.param(
            config(
                "mbart",
                "MBartForCausalLM",
                vocab_size=50000,
                d_model=384,
                decoder_layers=6,
                decoder_ffn_dim=1024,
                decoder_attention_heads=6,
                encoder_layers=6,
                encoder_ffn_dim=1024,
                encoder_attention_heads=6,
                tie_word_embeddings=True,
            ),
            31_432_704,
            50_632_704,
            id="mbart-decoder",
        ),
        # 30,522 × 768 for the decoder's matrix and 30,522 for its bias, which is tied too. The 132,955,194 of a tool
        # that sums layers has the matrix twice and the bias once: Stack Overflow, answer 70299993
        pytest.param(bert("BertForMaskedLM"), 109_514_298, 132_985_716, id="bert-masked-lm"),
    ],
)
def test_a_tied_head_is_counted_once_and_declared_twice(
    model: str | dict[str, Any], once: int, under_each_name: int
) -> None:
    b = pw.count(model)
    assert (b.stored, b.architectural) == (once, under_each_name)


def test_a_tied_table_is_not_taken_off_a_second_time_and_still_works_for_each_token() -> None:
    # 136,134,464 = 151,936 × 896 is in both, once
    # https://github.com/pytorch/torchtitan/pull/3225
    # https://github.com/bigscience-workshop/Megatron-DeepSpeed/issues/99 (a copy on the first and the last stage)
    b = pw.count("Qwen/Qwen2.5-0.5B")
    assert (b.stored, b.active) == (494_032_768, 494_032_768)


@pytest.mark.parametrize(("tied", "total"), [(True, 80_448), (False, 86_848)])
def test_an_untied_head_is_a_table_of_its_own(tied: bool, total: int) -> None:
    # 100 × 64 = 6,400 apart; twice a layer of 3 × 64² + 3 × 64 × 128 + 2 × 64, and a norm of 64
    # https://github.com/jranaraki/vllm-fit/issues/27
    b = pw.count(llama(64, 2, 4, 2, 128, 100, tied=tied))
    assert b.stored == total


# ------------------------------------------------------------------ totals of models that tools saw packed


@pytest.mark.parametrize(
    ("model", "total"),
    [
        # 10,597,552,128 = half of 44 × 12 × 6,144² packed, the rest, and a LoRA of 8,650,752
        # https://github.com/huggingface/peft/issues/1020
        pytest.param(
            config(
                "gpt_neox",
                "GPTNeoXForCausalLM",
                hidden_size=6144,
                num_hidden_layers=44,
                num_attention_heads=64,
                intermediate_size=24576,
                vocab_size=50432,
                tie_word_embeddings=False,
            ),
            20_554_567_680,
            id="GPT-NeoX-20B",
        ),
        # 3,540,389,888 = 6,476,005,376 ÷ 2 + 262,410,240 + a LoRA of 39,976,960
        # https://github.com/bitsandbytes-foundation/bitsandbytes/issues/834
        pytest.param("meta-llama/Llama-2-7b-chat-hf", 6_738_415_616, id="Llama-2-7B"),
        # "4B" for 12B; head_dim 128 is given, the quotient would be 160
        # https://github.com/unslothai/unsloth/issues/2493
        pytest.param(
            config(
                "mistral",
                "MistralForCausalLM",
                hidden_size=5120,
                num_hidden_layers=40,
                num_attention_heads=32,
                num_key_value_heads=8,
                head_dim=128,
                intermediate_size=14336,
                vocab_size=131072,
                tie_word_embeddings=False,
            ),
            12_247_782_400,
            id="Mistral-Nemo-12B",
        ),
    ],
)
def test_a_config_gives_the_total_that_packed_tensors_hide(model: str | dict[str, Any], total: int) -> None:
    assert pw.count(model).stored == total


def test_about_2b_of_a_packed_70b_are_the_tables_and_the_norms() -> None:
    # 2 × 128,256 × 8,192 + (2 × 80 + 1) × 8,192: all that parameters() sees where packed matrices are buffers
    # https://github.com/huggingface/transformers/issues/34317
    b = pw.count("meta-llama/Llama-3.1-70B-Instruct")
    assert b.stored == 70_553_706_496
    roles = b.by_role("stored")
    assert roles["embedding"] + roles["lm_head"] + roles["norm"] == 2_102_665_216


# ------------------------------------------------------------------ head_dim is not always a quotient

GEMMA_3_270M = config(
    "gemma3_text",
    "Gemma3ForCausalLM",
    hidden_size=640,
    num_hidden_layers=18,
    num_attention_heads=4,
    num_key_value_heads=1,
    intermediate_size=2048,
    vocab_size=262144,
)
QWEN3_235B = config(
    "qwen3_moe",
    "Qwen3MoeForCausalLM",
    hidden_size=4096,
    num_hidden_layers=94,
    num_attention_heads=64,
    num_key_value_heads=4,
    num_experts=128,
    num_experts_per_tok=8,
    moe_intermediate_size=1536,
    intermediate_size=12288,
    vocab_size=151936,
    tie_word_embeddings=False,
)
QWEN3_4B = config(
    "qwen3",
    "Qwen3ForCausalLM",
    hidden_size=2560,
    num_hidden_layers=36,
    num_attention_heads=32,
    num_key_value_heads=8,
    intermediate_size=9728,
    vocab_size=151936,
    tie_word_embeddings=True,
)
GEMMA_7B = config(
    "gemma",
    "GemmaForCausalLM",
    hidden_size=3072,
    num_hidden_layers=28,
    num_attention_heads=16,
    num_key_value_heads=16,
    intermediate_size=24576,
    vocab_size=256000,
)


@pytest.mark.parametrize(
    ("model", "head_dim", "total", "quotient", "of_the_quotient"),
    [
        # the report's 257,029,760 leaves out the norms of q and k: 18 × 2 × 160 = 5,760
        # https://github.com/EleutherAI/gpt-neox/issues/1434
        pytest.param(GEMMA_3_270M, 256, 268_098_176, 160, 257_035_520, id="gemma-3-270m"),
        # the report's 231,742,361,600 leaves them out too: 94 × 2 × 64 = 12,032
        # https://github.com/NVIDIA-NeMo/RL/pull/2736
        pytest.param(QWEN3_235B, 128, 235_093_634_560, 64, 231_742_373_632, id="Qwen3-235B-A22B"),
        # and 3,668,564,480: 36 × 2 × 80 = 5,760
        # https://github.com/LMCache/LMCache/issues/688
        pytest.param(QWEN3_4B, 128, 4_022_468_096, 80, 3_668_570_240, id="Qwen3-4B"),
        # "7B" by name; 28 × 4 × 3,072 × 16 × (256 − 192) = 352,321,536 apart
        # https://github.com/ollama/ollama/issues/5254
        pytest.param(GEMMA_7B, 256, 8_537_680_896, 192, 8_185_359_360, id="gemma-7b"),
    ],
)
def test_head_dim_is_read_and_not_divided_out(
    model: dict[str, Any], head_dim: int, total: int, quotient: int, of_the_quotient: int
) -> None:
    assert model["hidden_size"] // model["num_attention_heads"] == quotient
    assert pw.count(model | {"head_dim": head_dim}).stored == total
    assert pw.count(model | {"head_dim": quotient}).stored == of_the_quotient


def test_a_head_dim_left_out_is_that_of_the_class() -> None:
    # 256, not 640 ÷ 4
    # https://github.com/EleutherAI/gpt-neox/issues/1434
    assert pw.count(GEMMA_3_270M).stored == 268_098_176


def test_a_head_dim_taken_for_the_quotient_is_wrong_in_the_active_count_too() -> None:
    # 94 × (2 × 4,096 × 64 × (64 + 4) + 2 × 64) = 3,351,260,928 less
    # https://github.com/NVIDIA-NeMo/RL/pull/2736
    assert pw.count(QWEN3_235B | {"head_dim": 128}).active == 22_190_763_520
    assert pw.count(QWEN3_235B | {"head_dim": 64}).active == 18_839_502_592


def test_keys_and_values_of_one_layer_may_differ_in_width() -> None:
    # keys 128 + 64, values 128, and 512 + 64 of the latent
    # https://github.com/ollama/ollama/pull/17201
    layers = pw.count("deepseek-ai/DeepSeek-V2-Lite").layers
    assert {(layer.k_dim, layer.v_dim, layer.latent) for layer in layers} == {(192, 128, 576)}


@pytest.mark.parametrize(
    ("key", "value"),
    [
        # https://github.com/AlexsJones/llmfit/pull/1055
        ("head_dim", 0),
        ("vocab_size", 0),
        # https://github.com/ggml-org/llama.cpp/pull/5019
        ("vocab_size", -1),
    ],
)
def test_a_size_that_is_no_size_is_refused_by_its_key(key: str, value: int) -> None:
    with pytest.raises(pw.ConfigError, match=f"{key} = {value} must be at least 1"):
        pw.count(llama(64, 1, 4, 4, 64, 9) | {key: value})


# ------------------------------------------------------------------ terms that no key names


def test_the_key_norm_of_olmo_3_is_as_wide_as_its_key_heads() -> None:
    # 8 × 128 = 1,024, not 5,120: 64 × 4,096 = 262,144 less
    # https://github.com/allenai/OLMo-core/pull/477
    b = pw.count("allenai/Olmo-3.1-32B-Instruct")
    assert b.stored == 32_233_522_176
    assert [(int(t.numel), int(t.copies)) for t in b.tensors if "k_norm" in t.name] == [(1024, 64)]


def test_qwen3_5_has_a_last_norm_and_norms_of_q_and_k_in_its_full_layers() -> None:
    # 2,048, and 10 × (256 + 256)
    # https://github.com/mlx-node/mlx-node/pull/19
    tensors = [t for t in pw.count("Qwen/Qwen3.6-35B-A3B").tensors if t.role != "mtp"]
    ends = ("language_model.norm.weight", "self_attn.q_norm.weight", "self_attn.k_norm.weight")
    found = sorted((int(t.numel), int(t.copies)) for t in tensors if t.name.endswith(ends))
    assert found == [(256, 10), (256, 10), (2048, 1)]


def test_without_q_lora_rank_there_is_one_query_matrix_and_no_norm_of_it() -> None:
    # 27 × (2,048 × 3,072)
    # https://github.com/NVIDIA-NeMo/Megatron-Bridge/issues/5261
    tensors = pw.count("deepseek-ai/DeepSeek-V2-Lite").tensors
    queries = [(t.name.rpartition("self_attn.")[2], int(t.copies)) for t in tensors if ".q_" in t.name]
    assert queries == [("q_proj.weight", 27)]


def test_a_layout_with_a_zero_bias_for_each_linear_does_not_change_the_base_model() -> None:
    # 8,031,637,504 − 32 × (4,096 + 1,024 + 1,024 + 4,096 + 14,336 + 14,336 + 4,096)
    # https://github.com/huggingface/huggingface.js/pull/1770
    assert pw.count("meta-llama/Llama-3.1-8B").stored == 8_030_261_248 == 8_031_637_504 - 32 * 43_008


def test_85m_of_gpt2_are_the_matrices_of_its_layers_alone() -> None:
    # 12 × 12 × 768²
    # https://github.com/TransformerLensOrg/TransformerLens/issues/903
    b = pw.count("openai-community/gpt2")
    body = sum(t.stored for t in b.tensors if t.kind == "weight" and t.role in ("attention", "mlp"))
    assert (body, b.stored) == (84_934_656, 124_439_808)


def test_a_gated_mlp_has_three_matrices() -> None:
    # 32 × 3 × 4,096 × 11,008, and 32 × 4 × 4,096² of attention
    # https://github.com/jranaraki/vllm-fit/issues/8
    roles = pw.count("meta-llama/Llama-2-7b-chat-hf").by_role("stored")
    assert (roles["mlp"], roles["attention"]) == (4_328_521_728, 2_147_483_648)


def test_codegen_6b_has_seven_billion_parameters() -> None:
    # 2 × 51,200 × 4,096 + 51,200 + 33 × (4 × 4,096² + 2 × 4,096 × 16,384 + 16,384 + 3 × 4,096) + 2 × 4,096; the
    # report's 7,064,217,600 has one vector of 4,096 more
    # https://github.com/salesforce/jaxformer/issues/3
    b = pw.count(
        config(
            "codegen",
            "CodeGenForCausalLM",
            n_embd=4096,
            n_layer=33,
            n_head=16,
            vocab_size=51200,
            n_positions=2048,
            rotary_dim=64,
            tie_word_embeddings=False,
        )
    )
    assert b.stored == 7_064_213_504


def test_a_mamba_layer_is_seven_things_and_a_norm() -> None:
    # in_proj, conv with bias, x_proj, dt_proj with bias, A, D, out_proj, at d = 2,560 and 2 × d inside:
    # 64 × (26,214,400 + 25,600 + 983,040 + 824,320 + 81,920 + 5,120 + 13,107,200 + 2,560) + 50,280 × 2,560 + 2,560
    # https://github.com/huggingface/nanotron/pull/111
    b = pw.count(
        config(
            "mamba",
            "MambaForCausalLM",
            hidden_size=2560,
            num_hidden_layers=64,
            vocab_size=50280,
            state_size=16,
            time_step_rank=160,
            conv_kernel=4,
            expand=2,
            use_bias=False,
            use_conv_bias=True,
        )
    )
    assert b.stored == 2_768_345_600


@pytest.mark.parametrize(
    ("name", "attention", "layers_with_v"),
    [
        # 50 × (5,376 × 24,576 + 512) + 10 × (5,376 × 34,816 + 1,024); a V in the 10 would add 110,100,480
        ("nvidia/Gemma-4-31B-IT-NVFP4", 8_477_772_800, 50),
        # 25 × (2,816 × 12,288 + 512) + 5 × (2,816 × 17,408 + 1,024); a V in the 5 would add 14,417,920
        ("google/gemma-4-26B-A4B", 1_110_197_760, 25),
    ],
)
def test_where_keys_serve_as_values_full_layers_have_no_v(
    name: str, attention: int, layers_with_v: int
) -> None:
    # https://github.com/vllm-project/vllm/pull/41944
    b = pw.count(name)
    assert b.by_role("stored")["attention"] == attention
    assert (
        sum(int(t.copies) for t in b.tensors if "v_proj" in t.name and t.role == "attention") == layers_with_v
    )


# ------------------------------------------------------------------ which layers have experts, and how many work


@pytest.mark.parametrize(
    ("name", "text", "active"),
    [
        # 24 layers of 128 experts and one shared, 24 dense of 16,384; all 48 with experts would be 784,254,735,360
        # https://github.com/vllm-project/tpu-inference/pull/779
        ("meta-llama/Llama-4-Maverick-17B-128E-Instruct-FP8", 400_711_848_960, 17_184_691_200),
        # 48 layers of 16 experts and one shared, of 8,192; a catalogue said 11.88B
        # https://github.com/AlexsJones/llmfit/issues/445
        ("meta-llama/Llama-4-Scout-17B-16E", 107_769_861_120, 17_172_894_720),
    ],
)
def test_llama_4_has_experts_where_its_step_says(name: str, text: int, active: int) -> None:
    b = pw.count(name)
    assert (b.total("stored", off={"vision", "projector"}), b.active) == (text, active)


def test_llama_4_maverick_with_experts_in_every_layer_would_be_twice_as_large() -> None:
    # 24 × (129 × 3 × 5,120 × 8,192 + 128 × 5,120 − 3 × 5,120 × 16,384) = 383,542,886,400 more
    # https://github.com/vllm-project/tpu-inference/pull/779
    model = bundled("meta-llama/Llama-4-Maverick-17B-128E-Instruct-FP8")
    model["text_config"]["interleave_moe_layer_step"] = 1
    assert pw.count(model).total("stored", off={"vision", "projector"}) == 784_254_735_360


@pytest.mark.parametrize(
    ("step", "dense", "sparse", "qwen2", "qwen3"),
    [
        (2, [], [1, 3, 5], 87_648, 73_392),
        (2, [1, 3], [5], 74_976, 70_000),
        (1, [0], [1, 2, 3, 4, 5, 6], 106_656, 78_480),
        (3, [], [2, 5], 81_312, 71_696),
    ],
)
def test_a_layer_has_experts_where_its_number_from_one_is_a_multiple_of_the_step(
    step: int, dense: list[int], sparse: list[int], qwen2: int, qwen3: int
) -> None:
    # a dense MLP 3 × 32 × 64; experts 5 × 3 × 32 × 16 and a router 5 × 32; for qwen2 a shared one 3 × 32 × 48 and 32
    # https://github.com/huggingface/trl/pull/7069
    fields = {
        "hidden_size": 32,
        "num_hidden_layers": 7,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "head_dim": 8,
        "num_experts": 5,
        "num_experts_per_tok": 2,
        "moe_intermediate_size": 16,
        "intermediate_size": 64,
        "vocab_size": 50,
        "tie_word_embeddings": False,
        "decoder_sparse_step": step,
        "mlp_only_layers": dense,
    }
    a = pw.count(config("qwen2_moe", "Qwen2MoeForCausalLM", shared_expert_intermediate_size=48, **fields))
    b = pw.count(config("qwen3_moe", "Qwen3MoeForCausalLM", **fields))
    assert (a.stored, b.stored) == (qwen2, qwen3)
    for counted in (a, b):
        assert [layer.index for layer in counted.layers if layer.ffn == "moe"] == sparse


def test_mixtral_has_eight_mlps_in_a_layer() -> None:
    # 32 × 8 × 3 × 4,096 × 14,336 of experts; one MLP a layer would be 7.24B
    # https://github.com/jranaraki/vllm-fit/issues/27
    b = pw.count("mistralai/Mixtral-8x7B-v0.1")
    assert (b.stored, b.by_role("stored")["routed_expert"]) == (46_702_792_704, 45_097_156_608)


def test_gemma_4_uses_eight_experts_and_the_dense_mlp_beside_them() -> None:
    # 30 × 8 × 3 × 2,816 × 704 (top_k_experts) and 30 × 3 × 2,816 × 2,112
    # https://github.com/decoderesearch/interp-engine/pull/1
    b = pw.count("google/gemma-4-26B-A4B")
    roles = b.by_role("active")
    assert (roles["routed_expert"], roles["mlp"]) == (1_427_374_080, 535_265_280)
    assert b.active == 3_822_530_590


@pytest.mark.parametrize(
    ("off", "active"),
    [
        (set(), 2_661_150_208),
        ({"embedding"}, 2_451_435_008),  # the claim of 2.4B; each table is 102,400 × 2,048 = 209,715,200
        ({"embedding", "lm_head"}, 2_241_719_808),
    ],
)
def test_the_active_count_of_deepseek_v2_lite_depends_on_its_tables(off: set[str], active: int) -> None:
    # https://github.com/deepseek-ai/DeepSeek-V2/issues/73
    b = pw.count("deepseek-ai/DeepSeek-V2-Lite")
    assert (b.stored, b.total("active", off=off)) == (15_706_484_224, active)


def test_a_35b_with_3b_active_uses_a_tenth_of_itself_for_a_token() -> None:
    # 8 of 256 experts: 40 × 248 × 3 × 2,048 × 512 are idle, and so are MTP, the tower and the projector
    # https://github.com/AlexsJones/llmfit/issues/474
    b = pw.count("Qwen/Qwen3.6-35B-A3B")
    assert (b.stored, b.active) == (35_951_822_704, 3_454_988_928)


# ------------------------------------------------------------------ modules beside the decoder


def test_llava_is_the_language_model_and_the_tower_and_the_projector() -> None:
    # https://github.com/haotian-liu/LLaVA/issues/1083
    b = pw.count("llava-hf/llava-1.5-7b-hf")
    roles = b.by_role("stored")
    assert (roles["vision"], roles["projector"]) == (303_507_456, 20_979_712)
    assert b.stored == 7_063_427_072 == 6_738_939_904 + 303_507_456 + 20_979_712


@pytest.mark.parametrize(
    ("name", "unread"),
    [
        # of 20 layers that take keys and values over: 16 × (2 × 1,536 × 256 + 256) + 4 × (2 × 1,536 × 512 + 512)
        ("google/gemma-4-E2B-it", 18_880_512),
        # of 18: 15 × (2 × 2,560 × 512 + 256) + 3 × (2 × 2,560 × 1,024 + 512)
        ("google/gemma-4-E4B", 55_055_616),
    ],
)
def test_matrices_that_no_token_reads_are_stored_and_not_active(name: str, unread: int) -> None:
    # https://github.com/vllm-project/tpu-inference/pull/3299
    b = pw.count(name)
    roles = b.by_role("stored")
    assert sum(t.stored for t in b.tensors if t.kind == "unread") == unread
    assert b.stored - b.active == unread + roles["vision"] + roles["audio"] + roles["projector"]


@pytest.mark.parametrize(
    ("name", "scales", "stored"),
    [
        ("deepseek-ai/DeepSeek-V3", 41_540_496, 682_636_487_424),  # one for each 128 × 128 values
        ("deepseek-ai/DeepSeek-V4-Pro", 49_150_268_416, 1_598_839_674_782),  # for each 32 of an expert
    ],
)
def test_scales_of_a_quantization_are_no_parameters(name: str, scales: int, stored: int) -> None:
    # https://github.com/huggingface/huggingface.js/pull/2321
    b = pw.count(name)
    assert sum(int(t.numel) * int(t.copies) for t in b.tensors if t.kind == "scale") == scales
    assert b.stored == stored


# ------------------------------------------------------------------ layers that are not alike

FULL = [*range(4, 93, 4), 93]
KIMI_K3 = config(
    "kimi_k3",
    "KimiK3ForConditionalGeneration",
    text_config={
        "model_type": "kimi_linear",
        "vocab_size": 163840,
        "hidden_size": 7168,
        "num_hidden_layers": 93,
        "num_attention_heads": 96,
        "num_key_value_heads": 96,
        "q_lora_rank": 1536,
        "kv_lora_rank": 512,
        "qk_nope_head_dim": 128,
        "qk_rope_head_dim": 64,
        "v_head_dim": 128,
        "mla_use_output_gate": True,
        "intermediate_size": 33792,
        "first_k_dense_replace": 1,
        "moe_layer_freq": 1,
        "num_experts": 896,
        "num_experts_per_token": 16,
        "num_shared_experts": 2,
        "moe_intermediate_size": 3072,
        "routed_expert_hidden_size": 3584,
        "latent_moe_use_norm": True,
        "attn_res_block_size": 12,
        "linear_attn_config": {
            "full_attn_layers": FULL,
            "kda_layers": [i for i in range(1, 94) if i not in FULL],
            "num_heads": 96,
            "head_dim": 128,
            "short_conv_kernel_size": 4,
            "use_full_rank_gate": True,
        },
        "tie_word_embeddings": False,
    },
)


def test_the_dense_layer_of_kimi_k3_is_one_of_its_93_and_24_of_them_keep_a_latent() -> None:
    # https://github.com/SemiAnalysisAI/InferenceX-app/pull/633 (94 layers)
    # https://github.com/inference-sim/inference-sim/issues/1635 (a latent of 512 + 64 in all 93)
    layers = pw.count(KIMI_K3).layers
    assert len(layers) == 93
    assert [layer.index for layer in layers if layer.ffn == "dense"] == [0]
    assert [layer.latent for layer in layers if layer.mixer == "mla"] == [576] * 24
    assert sum(layer.mixer == "linear" for layer in layers) == 69


def test_a_linear_layer_of_kimi_k3_is_twice_what_a_formula_for_attention_gives() -> None:
    # q, k, v, o and the gate 5 × 7,168 × 12,288; b 96 × 7,168; f 128 × 7,168 + 12,288 × 128; convs 3 × 4 × 12,288;
    # dt_bias 12,288; A_log 128; a norm 128. Two squares of 7,168 and two key matrices gave 204,603,392
    # https://github.com/inference-sim/inference-sim/issues/1691
    assert pw.count(KIMI_K3).by_role("stored")["linear_attention"] == 30_618_088_704 == 69 * 443_740_416


@pytest.mark.parametrize(
    ("name", "full", "layers"),
    [
        # hybrid_override_pattern: 8 stars of 88
        # https://github.com/manjunathshiva/turboquant-mlx/pull/52
        # https://github.com/huggingface/transformers/pull/48021 (the number of layers is the length of the pattern)
        ("nvidia/NVIDIA-Nemotron-3-Super-120B-A12B-FP8", 8, 88),
        ("nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16", 6, 52),
        # one layer in four
        # https://github.com/LMCache/LMCache/pull/3080
        ("Qwen/Qwen3.6-35B-A3B", 10, 40),
        # https://github.com/NVIDIA/TensorRT-LLM/pull/9072
        # https://github.com/alvarobartt/hf-mem/blob/e994679/src/hf_mem/safetensors/kv_cache.py
        ("Qwen/Qwen3-Next-80B-A3B-Instruct", 12, 48),
    ],
)
def test_only_some_layers_of_a_hybrid_attend_to_everything(name: str, full: int, layers: int) -> None:
    mixers = [layer.mixer for layer in pw.count(name).layers]
    assert (mixers.count("full"), len(mixers)) == (full, layers)
    assert "sliding" not in mixers  # what is not full is a state of fixed size, not a window


def test_without_a_list_of_layer_types_every_fourth_layer_of_qwen3_5_is_full() -> None:
    # 8 of 32, as in the 9B
    # https://github.com/AlexsJones/llmfit/pull/203
    model = bundled("Qwen/Qwen3.5-27B")
    text = {k: v for k, v in model["text_config"].items() if k != "layer_types"} | {"num_hidden_layers": 32}
    layers = pw.count(model | {"text_config": text}).layers
    assert [layer.index for layer in layers if layer.mixer == "full"] == [3, 7, 11, 15, 19, 23, 27, 31]


def test_the_width_of_an_openelm_mlp_never_falls_a_tenth_below_its_multiple() -> None:
    # 0.55 × 2,048 rounds to 1,024; 0.62 × 2,048 = 1,269.76 would too, but 1,024 is less than 0.9 of it:
    # 11 × 2,048 + 2 × (2,048 × 6 × 64 + 256 × 2,048 + 2 × 64 + 2 × 2,048) + 3 × 2,048 × (1,024 + 2,048)
    # https://github.com/lablup/mlxcel/pull/1034
    b = pw.count(
        config(
            "openelm",
            "OpenELMForCausalLM",
            model_dim=2048,
            num_transformer_layers=2,
            head_dim=64,
            num_query_heads=[4, 4],
            num_kv_heads=[1, 1],
            ffn_multipliers=[0.55, 0.62],
            ffn_dim_divisor=1024,
            ffn_with_glu=True,
            normalize_qk_projections=True,
            share_input_output_layers=True,
            vocab_size=10,
        )
    )
    assert b.stored == 21_526_784


def test_a_nemotron_nas_block_may_lack_attention_or_mlp() -> None:
    # attention 2 × 64 + 2 × 32 + 8 and 2 × 64 + 2 × 16 + 8; twice an MLP 3 × 8 × 256 + 8; tables 2 × 80; a norm 8
    # https://github.com/NVIDIA/TensorRT-LLM/pull/10206
    # https://github.com/ml-explore/mlx-examples/pull/1371
    b = pw.count(
        config(
            "nemotron-nas",
            "DeciLMForCausalLM",
            hidden_size=8,
            num_hidden_layers=3,
            num_attention_heads=4,
            num_key_value_heads=None,
            intermediate_size=None,
            vocab_size=10,
            tie_word_embeddings=False,
            block_configs=[
                {"attention": {"n_heads_in_group": 2}, "ffn": {"ffn_mult": 2.0}},
                {"attention": {"no_op": True}, "ffn": {"ffn_mult": 1.0}},
                {"attention": {"n_heads_in_group": 4}, "ffn": {"no_op": True}},
            ],
        )
    )
    assert b.stored == 12_840
    assert [(layer.mixer, layer.ffn) for layer in b.layers] == [
        ("full", "dense"),
        ("none", "dense"),
        ("full", "none"),
    ]


@pytest.mark.parametrize(
    ("experts", "total"),
    [
        (64, 80_393_183_232),
        ([64] * 32, 80_393_183_232),
        # 16 × 32 × (3 × 4,096 × 3,072 + 4,096) less
        ([32] * 16 + [64] * 16, 61_063_733_248),
    ],
    ids=["number", "list", "mixed"],
)
def test_hunyuan_gives_its_experts_as_a_number_or_for_each_layer(
    experts: int | list[int], total: int
) -> None:
    # https://github.com/huggingface/transformers/pull/39606
    assert pw.count(bundled("tencent/Hunyuan-A13B-Instruct") | {"num_experts": experts}).stored == total


# ------------------------------------------------------------------ nested and renamed keys


def test_the_text_config_wins_over_keys_of_the_tower_beside_it() -> None:
    # 40 layers, not 33
    # https://github.com/jundot/omlx/pull/1448
    b = pw.count(bundled("Qwen/Qwen3.6-35B-A3B") | {"num_hidden_layers": 33, "hidden_size": 999})
    assert (b.stored, len(b.layers)) == (35_951_822_704, 40)


def test_falcon_7b_has_one_key_head_in_a_fused_matrix() -> None:
    # 4,544 × (71 + 2) × 64 a layer; three full matrices would make it 8,224,576,384; lm_head is 65,024 × 4,544
    # https://github.com/deepjavalibrary/djl-serving/pull/890
    falcon = bundled("tiiuae/falcon-7b-instruct")
    assert pw.count(falcon).stored == 6_921_720_704
    assert pw.count(falcon | {"tie_word_embeddings": False}).stored == 7_217_189_760
    assert pw.count(falcon | {"multi_query": False}).stored == 8_224_576_384


@pytest.mark.parametrize(
    ("blocks", "attention"),
    [
        # twice in a block: 6,144 × 1,536 + 1,536 + 1,536 × 12,288 + 6,144 × 576 + 512 + 512 × 16,384 + 8,192 × 6,144
        # https://github.com/vllm-project/vllm/pull/23991
        (28, 5_072_076_800),
        # https://github.com/huggingface/transformers/pull/48899
        (14, 2_536_038_400),
    ],
)
def test_a_longcat_block_has_two_attentions(blocks: int, attention: int) -> None:
    b = pw.count(bundled("meituan-longcat/LongCat-Flash-Chat") | {"num_layers": blocks})
    assert len(b.layers) == 2 * blocks
    assert b.by_role("stored")["attention"] == attention


# ------------------------------------------------------------------ heads, rows and names


@pytest.mark.parametrize(
    ("architecture", "total"),
    [
        ("BertModel", 109_482_240),
        # 768² + 5 × 768 + 30,522 + 2 of the heads: 624,188 more
        ("BertForPreTraining", 110_106_428),
    ],
)
def test_bert_with_its_heads_is_more_than_bert(architecture: str, total: int) -> None:
    # https://github.com/huggingface/huggingface.js
    assert pw.count(bert(architecture)).stored == total


def test_position_ids_are_no_parameters() -> None:
    # the 124,697,947 of the file has 514 of them
    # https://github.com/huggingface/huggingface.js
    b = pw.count(
        config(
            "roberta",
            "RobertaForMaskedLM",
            vocab_size=50265,
            hidden_size=768,
            num_hidden_layers=12,
            num_attention_heads=12,
            intermediate_size=3072,
            max_position_embeddings=514,
            type_vocab_size=1,
        )
    )
    assert b.stored == 124_697_433 == 124_697_947 - 514


def test_opt_has_two_positions_more_than_its_config_says() -> None:
    # 2,050 × 2,560; 2,048 rows would be 5,120 less
    # https://github.com/huggingface/transformers/issues/24683
    b = pw.count(
        config(
            "opt",
            "OPTForCausalLM",
            hidden_size=2560,
            num_hidden_layers=32,
            num_attention_heads=32,
            ffn_dim=10240,
            vocab_size=50272,
            max_position_embeddings=2048,
            word_embed_proj_dim=2560,
            do_layer_norm_before=True,
        )
    )
    assert b.stored == 2_651_596_800


def test_an_embedding_count_is_the_table_and_not_the_vision_tower() -> None:
    # 248,320 × 2,048, the table of the 2B too; the report had the tower's size in its place
    # https://github.com/embeddings-benchmark/mteb/pull/4592
    roles = pw.count("Qwen/Qwen3.6-35B-A3B").by_role("stored")
    assert (roles["embedding"], roles["vision"]) == (508_559_360, 415_891_440)


def test_llama_30b_has_32_5_billion_parameters() -> None:
    # 60 × (4 × 6,656² + 3 × 6,656 × 17,920 + 2 × 6,656) + 6,656 + 2 × 32,000 × 6,656
    # https://github.com/meta-llama/llama/issues/336
    assert pw.count(llama(6656, 60, 52, 52, 17920, 32000)).stored == 32_528_943_616


def test_two_thirds_of_the_backbone_of_embeddinggemma_are_its_table() -> None:
    # 262,144 × 768; two dense layers, 2 × 768 × 3,072 = 4,718,592, in folders of their own make it 307,581,696, "308M"
    # https://github.com/embeddings-benchmark/mteb/issues/3352
    b = pw.count(
        config(
            "gemma3_text",
            "Gemma3TextModel",
            hidden_size=768,
            num_hidden_layers=24,
            num_attention_heads=3,
            num_key_value_heads=1,
            head_dim=256,
            intermediate_size=1152,
            vocab_size=262144,
        )
    )
    assert (b.stored, b.by_role("stored")["embedding"]) == (302_863_104, 201_326_592)


def test_a_mixture_may_spell_its_number_of_experts_either_way() -> None:
    # Mixtral's files say num_local_experts, Qwen's num_experts; both are one field
    config = dict(pw.count("mistralai/Mixtral-8x7B-v0.1").config)
    config["num_experts"] = config.pop("num_local_experts")
    assert pw.count(config).stored == 46_702_792_704


def test_bytes_of_a_packing_that_is_not_predicted_are_not_known() -> None:
    # Kimi-K2.5 keeps its int4 quantization in the text config
    config = pw.count("moonshotai/Kimi-K2.5").config
    text = {**config["text_config"], "quantization_config": {"quant_method": "compressed-tensors"}}
    assert pw.count({**config, "text_config": text}).weight_bytes is None
