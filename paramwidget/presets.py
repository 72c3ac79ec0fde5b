"""The documented conventions: who counts so, and where that is written.

A preset is documented for the model types that it lists: its citation speaks of such models. Matching is by
``model_type``, never by the name of a repository.
"""

from __future__ import annotations

from .breakdown import Breakdown
from .conventions import Convention

_TABLES = ("embedding", "lm_head")
_QWEN_MOE = ("qwen2_moe", "qwen3_moe", "qwen3_vl_moe", "qwen3_5_moe", "qwen3_5_moe_text")
_DEEPSEEK = ("deepseek_v3", "deepseek_v32")
_TRANSFORMERS = "https://github.com/huggingface/transformers/blob/v5.24.0/src/transformers/modeling_utils.py#:~:text=num_parameters"

PRESETS: tuple[Convention, ...] = (
    Convention(
        "full_forward_pass",
        "one token, tables in",
        "active",
        citation="All that one text token uses, its tables in: so Mistral AI counts the 12.9B of Mixtral-8x7B.",
        url="https://mistral.ai/news/mixtral-of-experts/",
        model_types=("mixtral",),
        anywhere=True,
    ),
    Convention(
        "gpt_oss_card",
        "gpt-oss model card",
        "active",
        off=("embedding",),
        citation="gpt-oss model card, Table 1: “Unembedding parameters are counted towards active, "
        "but not embeddings.”",
        url="https://arxiv.org/abs/2508.10925",
        model_types=("gpt_oss",),
    ),
    Convention(
        "qwen_activated",
        "Qwen, activated",
        "active",
        citation="“14.3B parameters in total and 2.7B activated”: both tables in, as in the 22B of Qwen3-235B-A22B; "
        "the 3.353B of Qwen3-30B-A3B is printed as 3.3B.",
        url="https://huggingface.co/Qwen/Qwen1.5-MoE-A2.7B/blob/main/README.md",
        model_types=_QWEN_MOE,
    ),
    Convention(
        "glm_report_active",
        "GLM-4.5 report, active",
        "active",
        off=_TABLES,
        on=("mtp",),
        citation="GLM-4.5 report, Table 1, caption: “we include the parameters of MTP layers but not word embeddings "
        "and the output layer”.",
        url="https://arxiv.org/abs/2508.06471",
        model_types=("glm4_moe",),
        needs=("mtp",),
    ),
    Convention(
        "glm_report",
        "GLM-4.5 report, total",
        "stored",
        off=_TABLES,
        citation="GLM-4.5 report, Table 1, caption: “we include the parameters of MTP layers but not word embeddings "
        "and the output layer”: 355B.",
        url="https://arxiv.org/abs/2508.06471",
        model_types=("glm4_moe",),
        needs=("mtp",),
    ),
    Convention(
        "active_without_tables",
        "both tables out (Moonlight)",
        "active",
        off=_TABLES,
        citation="Moonlight README, table: “Activated Param” 2.24B, without embedding and head. The 3B of "
        "Qwen3-Next-80B-A3B come out so, too.",
        url="https://github.com/MoonshotAI/Moonlight/blob/c2ad5b20c605086526a179d36901bfc41b52b44b/README.md",
        model_types=("deepseek_v2", "deepseek_v3"),
        needs=("embedding", "lm_head", "router"),
        anywhere=True,
    ),
    Convention(
        "nemotron_active",
        "Nemotron, embeddings out",
        "active",
        off=("embedding",),
        citation="“3.2B active parameters per forward pass (3.6B including embeddings)”: Nemotron-3-Nano, "
        "3,227,754,816 without the embedding table.",
        url="https://github.com/NVIDIA-NeMo/Nemotron/blob/e27b37133d652f72dbf631ff8bb487df45f8f7d1/"
        "skills/nemotron-nano3/paper/architecture.md",
        model_types=("nemotron_h",),
        needs=("router",),
    ),
    Convention(
        "nemotron_active_with",
        "Nemotron, including embeddings",
        "active",
        citation="“3.2B active parameters per forward pass (3.6B including embeddings)”: Nemotron-3-Nano, "
        "3,580,076,352.",
        url="https://github.com/NVIDIA-NeMo/Nemotron/blob/e27b37133d652f72dbf631ff8bb487df45f8f7d1/README.md",
        model_types=("nemotron_h",),
        needs=("router",),
    ),
    Convention(
        "gemma_effective",
        "Gemma, effective",
        "active",
        off=("per_layer_embedding",),
        citation="Gemma 4 model card: E2B is “2.3B effective (5.1B with embeddings)”: the per-layer embeddings out.",
        url="https://github.com/huggingface/blog/blob/060165fe92cffea70db93830c818a95326b07e95/gemma4.md",
        model_types=("gemma3n", "gemma3n_text", "gemma4", "gemma4_text"),
        needs=("per_layer_embedding",),
    ),
    Convention(
        "gemma_total",
        "Gemma, vision out",
        "stored",
        off=("vision", "audio", "projector"),
        citation="Gemma 4 model card: “26B A4B MoE, Total 25.2B”, and the vision encoder apart.",
        url="https://github.com/huggingface/blog/blob/060165fe92cffea70db93830c818a95326b07e95/gemma4.md",
        model_types=("gemma3", "gemma4"),
        needs=("vision",),
    ),
    Convention(
        "mistral_with_vision",
        "Mistral Large 3",
        "active",
        on=("vision", "projector"),
        citation="Mistral Large 3: “41B active parameters” are “39B active” and “a 2.5B vision encoder”.",
        url="https://huggingface.co/mistralai/Mistral-Large-3-675B-Instruct-2512",
        model_types=("mistral3",),
        needs=("vision",),
    ),
    Convention(
        "non_embedding",
        "non-embedding",
        "stored",
        off=_TABLES,
        citation="“Number of Parameters (Non-Embedding)” on the cards of Qwen: everything but the two tables.",
        url="https://huggingface.co/Qwen/Qwen2.5-0.5B",
        needs=("embedding", "lm_head"),
        anywhere=True,
    ),
    Convention(
        "without_mtp",
        "main model",
        "stored",
        off=("mtp",),
        citation="DeepSeek-V3, README: “671B of the Main Model weights”, the MTP module counted apart. So Qwen counts "
        "the 80B of Qwen3-Next.",
        url="https://github.com/deepseek-ai/DeepSeek-V3/blob/9b4e9788e4a3a731f7567338ed15d3ec549ce03b/README.md",
        model_types=(*_DEEPSEEK, "qwen3_next", "qwen3_5_moe", "qwen3_5_moe_text"),
        needs=("mtp",),
        anywhere=True,
    ),
    Convention(
        "hub_chip",
        "the Hub's chip",
        "stored",
        citation="The number beside the safetensors mark of a model page: what the files hold, so a tied matrix once.",
        url="https://huggingface.co/docs/hub/safetensors",
        needs=("embedding", "lm_head"),
        tied=True,
        anywhere=True,
    ),
    Convention(
        "hub_chip_with_copies",
        "the Hub's chip",
        "architectural",
        on=("scale",),
        citation="The Hub adds up all that the files of DeepSeek-V3 hold: 684,531,386,000, the tables that the MTP "
        "layer stores again and the FP8 scales in it.",
        url="https://huggingface.co/deepseek-ai/DeepSeek-V3",
        model_types=_DEEPSEEK,
        needs=("mtp", "scale"),
    ),
    Convention(
        "hub_until_2026_07",
        "Hub count until July 2026",
        "stored",
        on=("scale",),
        citation="The Hub counted MXFP4 block scales as parameters until July 2026: 120.4B for gpt-oss-120b.",
        url="https://github.com/huggingface/huggingface.js/blob/fe42e68017ffc76d09922ea8f9b38a6964345710/"
        "packages/hub/src/lib/parse-safetensors-metadata.spec.ts",
        model_types=("gpt_oss",),
        needs=("scale",),
    ),
    Convention(
        "num_parameters",
        "transformers, num_parameters()",
        "stored",
        off=("mtp", "buffer", "unread"),
        citation="transformers builds no MTP layer and counts no buffers: DeepSeek-V3 has 671,026,404,352 there.",
        url=_TRANSFORMERS,
        any_of=("mtp", "buffer", "unread"),
        anywhere=True,
    ),
    *(
        Convention(
            f"exclude_embeddings{'_tied' * tied}",
            "transformers, exclude_embeddings",
            "stored",
            off=("embedding", *head, "position", "per_layer_embedding", "mtp", "buffer", "unread"),
            citation=f"num_parameters(exclude_embeddings=True) of transformers leaves out every nn.Embedding{says}",
            url=_TRANSFORMERS,
            needs=("embedding", "lm_head"),
            lacks=("encoder",),
            tied=tied,
            anywhere=True,
        )
        for tied, head, says in (
            (False, (), ", and counts a head that is no second name of it: 7,504,924,672 for Llama-3.1-8B."),
            (True, ("lm_head",), " and so the head that is tied to it: 85,056,000 for GPT-2."),
        )
    ),
    Convention(
        "mteb_active",
        "MTEB, active",
        "stored",
        off=("embedding",),
        citation="MTEB's n_active_parameters: n_parameters less n_embedding_parameters.",
        url="https://github.com/embeddings-benchmark/mteb/blob/a905523d0111f999360b312bd4a601a0a97a0e1c/"
        "mteb/models/model_implementations/qwen3_models.py",
        needs=("embedding",),
        lacks=("lm_head",),
        anywhere=True,
    ),
    Convention(
        "kaplan",
        "Kaplan, non-embedding",
        "stored",
        off=(*_TABLES, "position", "norm", "bias"),
        citation="Scaling Laws for Neural Language Models, 2.1: N leaves out vocabulary and positional embeddings, "
        "biases “and other sub-leading terms”: 12 × layers × width², 84,934,656 for GPT-2.",
        url="https://arxiv.org/abs/2001.08361",
        needs=("embedding", "lm_head"),
        lacks=("router", "encoder", "vision", "audio"),
        any_of=("position", "bias"),
        anywhere=True,
    ),
)


def presets_for(b: Breakdown) -> list[Convention]:
    """The presets that say something about a model, in the order of PRESETS."""
    has = {t.key for t in b.toggles}
    tied = any(b.takes_over(t, {"embedding"}) for t in b.tensors if t.tied_to)
    return [
        p
        for p in PRESETS
        if (p.anywhere or not p.model_types or b.model_type in p.model_types)
        and has.issuperset(p.needs)
        and has.isdisjoint(p.lacks)
        and not (p.any_of and has.isdisjoint(p.any_of))
        and p.tied in (None, tied)
    ]


def documented(b: Breakdown) -> list[Convention]:
    """Of these, the ones whose citation speaks of this very type of model."""
    return [p for p in presets_for(b) if b.model_type in p.model_types]
