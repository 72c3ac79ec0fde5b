/**
 * Wire data of four models, built from the dimensions of their configs, for the tests and the development page.
 * The first three are real: their totals are checked in sum.test.ts against published integers.
 */

import words from "../../tests/golden/words.json";
import { claim } from "./claim";

interface Given {
  role: string;
  kind?: string;
  layers?: string;
  copies?: number;
  active_copies?: number;
  stacked?: [number, string];
  tied_to?: string;
  implied?: boolean;
  note?: string;
}

type Dim = [value: number, symbols: string];

const comma = (n: number) => n.toLocaleString("en-US");
const group = (text: string) => (/[×+]/.test(text) ? `(${text})` : text);

function tensor(name: string, dims: Dim[], given: Given) {
  const copies = given.copies ?? 1;
  return {
    name,
    shape: dims.map(([n]) => n),
    symbols: dims.map(([, s]) => group(s)).join(" × "),
    numbers: dims.map(([n]) => comma(n)).join(" × "),
    kind: "weight",
    layers: "",
    copies,
    active_copies: copies,
    ...given,
  };
}

type Tensor = ReturnType<typeof tensor>;

const ORDER =
  "vision projector embedding attention linear_attention router shared_expert routed_expert mlp norm mtp lm_head".split(
    " ",
  );
const TOGGLES = "embedding lm_head mtp vision projector router shared_expert norm bias buffer scale".split(
  " ",
);
const LABELS: Record<string, string> = {
  routed_expert: "routed experts",
  shared_expert: "shared expert",
  linear_attention: "linear attention",
  mtp: "MTP",
  mlp: "MLP",
  norm: "norms",
  bias: "biases",
  buffer: "buffers",
  scale: "scales",
};
const named = (key: string) => ({ key, label: LABELS[key] ?? key });

function wire(model: string, tensors: Tensor[], more: Record<string, unknown>) {
  const has = (key: string) => tensors.some((t) => t.role === key || t.kind === key);
  return {
    schema: 1,
    model,
    model_type: "",
    architecture: "",
    facts: [] as string[],
    provenance: {
      kind: "catalog",
      repo: model,
      revision: null,
      path: null,
      fetched: null,
      label: "bundled snapshot",
      pin: "not pinned",
      text: "Counted from the config bundled with the package. No checkpoint header was read, so nothing here is compared with the files.",
      url: `https://huggingface.co/${model}`,
      cite: `${model} (bundled snapshot, revision not pinned), paramwidget 0.1.0`,
    },
    tensors,
    roles: ORDER.filter((key) => tensors.some((t) => t.role === key)).map(named),
    toggles: TOGGLES.filter(has).map((key) => ({
      ...named(key),
      help:
        key === "embedding"
          ? "Counted whole, although a token reads one row."
          : `Count the ${named(key).label}.`,
    })),
    defaults: {
      stored: ["scale"],
      architectural: ["scale"],
      active: ["mtp", "encoder", "vision", "audio", "projector", "scale", "unread"],
    },
    layers: [],
    presets: [] as unknown[],
    words,
    claims: [] as unknown[],
    headline: null as number | null,
    defaulted: [] as unknown[],
    weight_bytes: null,
    ...more,
    ...(Array.isArray(more.claims) && { claims: more.claims.map(claim) }),
  };
}

const preset = (key: string, label: string, off: string[], citation: string, url = "", basis = "active") => ({
  key,
  label,
  basis,
  off,
  on: [],
  citation,
  url,
  documented: !["full_forward_pass", "non_embedding", "one_table"].includes(key),
});

const FULL = preset(
  "full_forward_pass",
  "one token, tables in",
  [],
  "Both tables in, as Mixtral and Qwen count.",
);
const NONE = preset(
  "non_embedding",
  "non-embedding",
  ["embedding", "lm_head"],
  "Both tables out, as in Qwen's “non-embedding”.",
);

/** openai/gpt-oss-120b: 36 layers, 4 of 128 experts, stacked. */
export function gptOss() {
  const H: Dim = [2880, "hidden_size"];
  const V: Dim = [201088, "vocab_size"];
  const Q: Dim = [4096, "num_attention_heads × head_dim"];
  const KV: Dim = [512, "num_key_value_heads × head_dim"];
  const F2: Dim = [5760, "2 × intermediate_size"];
  const E: Dim = [128, "num_local_experts"];
  const layers = "0-35";
  const at = (role: string, kind = "weight", implied = false): Given =>
    implied ? { role, kind, layers, copies: 36, implied } : { role, kind, layers, copies: 36 };
  const expert = (kind: string): Given => ({
    role: "routed_expert",
    kind,
    layers,
    copies: 36 * 128,
    active_copies: 36 * 4,
    stacked: [128, "num_local_experts"],
  });
  const p = "model.layers.{layer}.";
  return wire(
    "openai/gpt-oss-120b",
    [
      tensor("model.embed_tokens.weight", [V, H], { role: "embedding" }),
      tensor(`${p}self_attn.q_proj.weight`, [Q, H], at("attention")),
      tensor(`${p}self_attn.q_proj.bias`, [Q], at("attention", "bias")),
      tensor(`${p}self_attn.k_proj.weight`, [KV, H], at("attention")),
      tensor(`${p}self_attn.k_proj.bias`, [KV], at("attention", "bias")),
      tensor(`${p}self_attn.v_proj.weight`, [KV, H], at("attention")),
      tensor(`${p}self_attn.v_proj.bias`, [KV], at("attention", "bias")),
      tensor(`${p}self_attn.o_proj.weight`, [H, Q], at("attention")),
      tensor(`${p}self_attn.o_proj.bias`, [H], at("attention", "bias")),
      tensor(`${p}self_attn.sinks`, [[64, "num_attention_heads"]], at("attention", "weight", true)),
      tensor(`${p}mlp.router.weight`, [E, H], at("router", "weight", true)),
      tensor(`${p}mlp.router.bias`, [E], at("router", "bias", true)),
      tensor(`${p}input_layernorm.weight`, [H], at("norm")),
      tensor(`${p}post_attention_layernorm.weight`, [H], at("norm")),
      tensor("model.norm.weight", [H], { role: "norm" }),
      tensor(`${p}mlp.experts.gate_up_proj`, [H, F2], expert("weight")),
      tensor(`${p}mlp.experts.gate_up_proj_bias`, [F2], expert("bias")),
      tensor(`${p}mlp.experts.down_proj`, [[2880, "intermediate_size"], H], expert("weight")),
      tensor(`${p}mlp.experts.down_proj_bias`, [H], expert("bias")),
      tensor("lm_head.weight", [V, H], { role: "lm_head" }),
    ],
    {
      model_type: "gpt_oss",
      architecture: "GptOssForCausalLM",
      facts: ["36 layers", "4 of 128 experts"],
      presets: [
        FULL,
        preset(
          "gpt_oss_card",
          "gpt-oss model card",
          ["embedding"],
          "gpt-oss model card, Table 1: unembedding parameters count towards active, embeddings do not.",
          "https://arxiv.org/abs/2508.10925",
        ),
        NONE,
      ],
      claims: [
        {
          text: "117B",
          source: "gpt-oss model card, Table 1",
          url: "https://arxiv.org/abs/2508.10925",
          quote: "",
        },
        {
          text: "5.13B active",
          off: ["embedding"],
          source: "gpt-oss model card, Table 1",
          url: "https://arxiv.org/abs/2508.10925",
          quote: "Unembedding parameters are counted towards active, but not embeddings.",
        },
        {
          text: "5.5B active",
          source: "a number that nothing explains",
          url: "",
          quote: "",
        },
      ],
      headline: 1,
      defaulted: [{ key: "attention_bias", value: true, rule: "default of GptOssConfig" }],
    },
  );
}

/** Qwen/Qwen2.5-0.5B: dense, the head tied to the embedding. */
export function qwenTied() {
  const H: Dim = [896, "hidden_size"];
  const V: Dim = [151936, "vocab_size"];
  const Q: Dim = [896, "num_attention_heads × head_dim"];
  const KV: Dim = [128, "num_key_value_heads × head_dim"];
  const F: Dim = [4864, "intermediate_size"];
  const layers = "0-23";
  const at = (role: string, kind = "weight", implied = false): Given => ({
    role,
    kind,
    layers,
    copies: 24,
    ...(implied && { implied }),
  });
  const p = "model.layers.{layer}.";
  return wire(
    "Qwen/Qwen2.5-0.5B",
    [
      tensor("model.embed_tokens.weight", [V, H], { role: "embedding" }),
      tensor(`${p}self_attn.q_proj.weight`, [Q, H], at("attention")),
      tensor(`${p}self_attn.q_proj.bias`, [Q], at("attention", "bias", true)),
      tensor(`${p}self_attn.k_proj.weight`, [KV, H], at("attention")),
      tensor(`${p}self_attn.k_proj.bias`, [KV], at("attention", "bias", true)),
      tensor(`${p}self_attn.v_proj.weight`, [KV, H], at("attention")),
      tensor(`${p}self_attn.v_proj.bias`, [KV], at("attention", "bias", true)),
      tensor(`${p}self_attn.o_proj.weight`, [H, Q], at("attention")),
      tensor(`${p}mlp.gate_proj.weight`, [F, H], at("mlp")),
      tensor(`${p}mlp.up_proj.weight`, [F, H], at("mlp")),
      tensor(`${p}mlp.down_proj.weight`, [H, F], at("mlp")),
      tensor(`${p}input_layernorm.weight`, [H], at("norm")),
      tensor(`${p}post_attention_layernorm.weight`, [H], at("norm")),
      tensor("model.norm.weight", [H], { role: "norm" }),
      tensor("lm_head.weight", [V, H], { role: "lm_head", tied_to: "model.embed_tokens.weight" }),
    ],
    {
      model_type: "qwen2",
      architecture: "Qwen2ForCausalLM",
      facts: ["24 layers", "dense", "tied head"],
      presets: [FULL, NONE],
      claims: [
        {
          text: "0.36B non-embedding",
          source: "Qwen2.5-0.5B model card",
          url: "https://huggingface.co/Qwen/Qwen2.5-0.5B",
          quote: "Number of Paramaters (Non-Embedding): 0.36B",
        },
        {
          text: "0.49B",
          source: "Qwen2.5-0.5B model card",
          url: "https://huggingface.co/Qwen/Qwen2.5-0.5B",
          quote: "Number of Parameters: 0.49B",
        },
      ],
      headline: 1,
      defaulted: [{ key: "head_dim", value: 64, rule: "hidden_size ÷ num_attention_heads" }],
    },
  );
}

/** deepseek-ai/DeepSeek-V3: MLA, shared and routed experts, and an MTP layer whose tables are copies. */
export function deepseekV3() {
  const H: Dim = [7168, "hidden_size"];
  const V: Dim = [129280, "vocab_size"];
  const QR: Dim = [1536, "q_lora_rank"];
  const KR: Dim = [512, "kv_lora_rank"];
  const F: Dim = [18432, "intermediate_size"];
  const M: Dim = [2048, "moe_intermediate_size"];
  const E: Dim = [256, "n_routed_experts"];
  const R: Dim = [64, "qk_rope_head_dim"];
  const p = "model.layers.{layer}.";
  type Place = { layers: string; n: number; role?: string };
  const block = (place: Place, moe: boolean) => {
    const { layers, n } = place;
    const at = (role: string, times = 1, used = times, kind = "weight"): Given => ({
      role: place.role ?? role,
      kind,
      layers,
      copies: n * times,
      active_copies: n * used,
    });
    const kvA: Dim = [KR[0] + R[0], "kv_lora_rank + qk_rope_head_dim"];
    const q: Dim = [128 * 192, "num_attention_heads × (qk_nope_head_dim + qk_rope_head_dim)"];
    const kv: Dim = [128 * 256, "num_key_value_heads × (qk_nope_head_dim + v_head_dim)"];
    const o: Dim = [128 * 128, "num_attention_heads × v_head_dim"];
    const names = place.role ? `${place.role}.${layers}` : moe ? p : "model.layers.{dense}.";
    const prefix = names.endsWith(".") ? names : `${names}.`;
    const ffn = moe
      ? [
          tensor(`${prefix}mlp.gate.weight`, [E, H], at("router")),
          tensor(`${prefix}mlp.gate.e_score_correction_bias`, [E], at("router", 1, 1, "buffer")),
          ...["gate", "up"].map((w) =>
            tensor(`${prefix}mlp.shared_experts.${w}_proj.weight`, [M, H], at("shared_expert")),
          ),
          tensor(`${prefix}mlp.shared_experts.down_proj.weight`, [H, M], at("shared_expert")),
          ...["gate", "up"].map((w) =>
            tensor(`${prefix}mlp.experts.{expert}.${w}_proj.weight`, [M, H], at("routed_expert", 256, 8)),
          ),
          tensor(`${prefix}mlp.experts.{expert}.down_proj.weight`, [H, M], at("routed_expert", 256, 8)),
        ]
      : [
          ...["gate", "up"].map((w) => tensor(`${prefix}mlp.${w}_proj.weight`, [F, H], at("mlp"))),
          tensor(`${prefix}mlp.down_proj.weight`, [H, F], at("mlp")),
        ];
    return [
      tensor(`${prefix}self_attn.q_a_proj.weight`, [QR, H], at("attention")),
      tensor(`${prefix}self_attn.q_a_layernorm.weight`, [QR], at("attention")),
      tensor(`${prefix}self_attn.q_b_proj.weight`, [q, QR], at("attention")),
      tensor(`${prefix}self_attn.kv_a_proj_with_mqa.weight`, [kvA, H], at("attention")),
      tensor(`${prefix}self_attn.kv_a_layernorm.weight`, [KR], at("attention")),
      tensor(`${prefix}self_attn.kv_b_proj.weight`, [kv, KR], at("attention")),
      tensor(`${prefix}self_attn.o_proj.weight`, [H, o], at("attention")),
      ...ffn,
      tensor(`${prefix}input_layernorm.weight`, [H], at("norm")),
      tensor(`${prefix}post_attention_layernorm.weight`, [H], at("norm")),
    ];
  };
  const mtp: Given = { role: "mtp", layers: "61" };
  return wire(
    "deepseek-ai/DeepSeek-V3",
    [
      tensor("model.embed_tokens.weight", [V, H], { role: "embedding" }),
      ...block({ layers: "0-2", n: 3 }, false),
      ...block({ layers: "3-60", n: 58 }, true),
      tensor("model.norm.weight", [H], { role: "norm" }),
      tensor("lm_head.weight", [V, H], { role: "lm_head" }),
      ...block({ layers: "61", n: 1, role: "mtp" }, true),
      tensor("model.layers.61.enorm.weight", [H], mtp),
      tensor("model.layers.61.hnorm.weight", [H], mtp),
      tensor("model.layers.61.eh_proj.weight", [H, [14336, "2 × hidden_size"]], mtp),
      tensor("model.layers.61.shared_head.norm.weight", [H], mtp),
      tensor("model.layers.61.embed_tokens.weight", [V, H], { ...mtp, tied_to: "model.embed_tokens.weight" }),
      tensor("model.layers.61.shared_head.head.weight", [V, H], { ...mtp, tied_to: "lm_head.weight" }),
    ],
    {
      model_type: "deepseek_v3",
      architecture: "DeepseekV3ForCausalLM",
      facts: ["61 layers", "8 of 256 experts, 1 shared", "MLA", "1 MTP layer"],
      presets: [
        FULL,
        preset("one_table", "head only", ["embedding"], "One table out, not said which.", ""),
        NONE,
        preset(
          "total_without_mtp",
          "main model",
          ["mtp"],
          "The README's 671B: without the MTP module.",
          "https://github.com/deepseek-ai/DeepSeek-V3",
          "stored",
        ),
      ],
      claims: [
        {
          text: "671B total",
          source: "DeepSeek-V3 model card",
          url: "https://huggingface.co/deepseek-ai/DeepSeek-V3",
          quote: "671B of the Main Model weights and 14B of the Multi-Token Prediction (MTP) Module weights",
        },
        {
          text: "37B activated",
          source: "DeepSeek-V3 model card",
          url: "https://huggingface.co/deepseek-ai/DeepSeek-V3",
          quote: "",
        },
      ],
      headline: 1,
    },
  );
}

/** A made-up hybrid with as many roles as one model has: vision, linear attention, shared experts, MTP, scales. */
export function hybrid() {
  const H: Dim = [2048, "hidden_size"];
  const V: Dim = [248320, "vocab_size"];
  const M: Dim = [512, "moe_intermediate_size"];
  const E: Dim = [256, "num_experts"];
  const lin = "0-2,4-6,8-10,12-14,16-18,20-22,24-26,28-30,32-34,36-38";
  const fullAt = "3,7,11,15,19,23,27,31,35,39";
  const all = "0-39";
  const p = "model.language_model.layers.{layer}.";
  const at = (role: string, layers: string, copies: number, used = copies, kind = "weight"): Given => ({
    role,
    kind,
    layers,
    copies,
    active_copies: used,
  });
  return wire(
    "example/hybrid-35b-a3b",
    [
      tensor(
        "model.visual.patch_embed.proj.weight",
        [
          [1152, "vision.hidden_size"],
          [1536, "patch"],
        ],
        { role: "vision" },
      ),
      tensor(
        "model.visual.blocks.{layer}.attn.qkv.weight",
        [
          [3456, "3 × vision.hidden_size"],
          [1152, "vision.hidden_size"],
        ],
        at("vision", "0-26", 27),
      ),
      tensor(
        "model.visual.blocks.{layer}.mlp.fc1.weight",
        [
          [4304, "vision.intermediate_size"],
          [1152, "vision.hidden_size"],
        ],
        at("vision", "0-26", 27),
      ),
      tensor("model.visual.merger.weight", [[4608, "4 × vision.hidden_size"], H], { role: "projector" }),
      tensor("model.language_model.embed_tokens.weight", [V, H], { role: "embedding" }),
      tensor(
        `${p}linear_attn.in_proj_qkvz.weight`,
        [[12288, "key_dim × 2 + value_dim × 2"], H],
        at("linear_attention", lin, 30),
      ),
      tensor(`${p}linear_attn.A_log`, [[32, "linear_num_value_heads"]], at("linear_attention", lin, 30)),
      tensor(`${p}linear_attn.out_proj.weight`, [H, [4096, "value_dim"]], at("linear_attention", lin, 30)),
      tensor(
        `${p}self_attn.q_proj.weight`,
        [[8192, "num_attention_heads × head_dim × 2"], H],
        at("attention", fullAt, 10),
      ),
      tensor(
        `${p}self_attn.o_proj.weight`,
        [H, [4096, "num_attention_heads × head_dim"]],
        at("attention", fullAt, 10),
      ),
      tensor(`${p}mlp.gate.weight`, [E, H], at("router", all, 40)),
      tensor(
        `${p}mlp.shared_expert.gate_up_proj.weight`,
        [[1024, "2 × shared_expert_intermediate_size"], H],
        at("shared_expert", all, 40),
      ),
      tensor(
        `${p}mlp.experts.gate_up_proj`,
        [[1024, "2 × moe_intermediate_size"], H],
        at("routed_expert", all, 40 * 256, 40 * 8),
      ),
      tensor(`${p}mlp.experts.down_proj`, [H, M], at("routed_expert", all, 40 * 256, 40 * 8)),
      tensor(
        `${p}mlp.experts.down_proj_scale`,
        [
          [16, "hidden_size ÷ 128"],
          [4, "moe_intermediate_size ÷ 128"],
        ],
        at("routed_expert", all, 40 * 256, 40 * 8, "scale"),
      ),
      tensor(`${p}input_layernorm.weight`, [H], at("norm", all, 40)),
      tensor(
        "mtp.layers.0.mlp.experts.gate_up_proj",
        [[1024, "2 × moe_intermediate_size"], H],
        at("mtp", "40", 256, 8),
      ),
      tensor("mtp.fc.weight", [H, [4096, "2 × hidden_size"]], at("mtp", "40", 1)),
      tensor("lm_head.weight", [V, H], { role: "lm_head" }),
    ],
    {
      model_type: "hybrid",
      facts: ["40 layers, 10 full attention", "8 of 256 experts, 1 shared", "vision"],
      presets: [FULL, NONE],
    },
  );
}
