"""Reading a config.json: one alias table, declared defaults, and an error that names the key.

A key that is neither in the config nor declared by the architecture is an error, never a guess.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from .class_defaults import class_defaults
from .dim import Dim
from .errors import ConfigError, nearest_names, shown

#: the name used here -> other spellings of the same field
ALIASES: dict[str, tuple[str, ...]] = {
    "hidden_size": ("n_embd", "d_model", "n_embed", "model_dim", "vt_hidden_size"),
    "num_hidden_layers": (
        "n_layer",
        "n_layers",
        "num_layers",
        "num_transformer_layers",
        "vt_num_hidden_layers",
    ),
    "num_attention_heads": ("n_head", "n_heads", "num_heads", "attention_heads", "vt_num_attention_heads"),
    "intermediate_size": (
        "n_inner",
        "ffn_dim",
        "d_ff",
        "dff",
        "ffn_hidden_size",
        "ff_intermediate_size",
        "vt_intermediate_size",
    ),
    "head_dim": ("kv_channels",),
    "vocab_size": ("padded_vocab_size", "n_words", "n_token"),
    "max_position_embeddings": ("n_positions", "n_ctx"),
    "in_channels": ("in_chans",),
    "num_key_value_heads": ("n_head_kv", "num_kv_heads", "num_attention_groups"),
    "num_experts": ("num_local_experts",),
    "num_local_experts": ("num_experts",),
    "num_experts_per_tok": (
        "experts_per_token",
        "num_experts_per_token",
        "top_k_experts",
        "moe_topk",
        "moe_top_k",
        "moe_router_topk",
    ),
    "n_routed_experts": ("moe_num_experts", "num_experts"),
    "n_shared_experts": ("num_shared_experts",),
    "num_nextn_predict_layers": ("num_mtp_layers",),
    "share_expert_dim": ("share_expert_dims",),
    "pos_emb_height": ("init_pos_emb_height",),
    "pos_emb_width": ("init_pos_emb_width",),
    "vision_feature_layer": ("vision_feature_layers",),
    "dtype": ("torch_dtype",),
    "layer_types": ("layers_block_type",),
    "mamba_conv_bias": ("use_conv_bias",),
    "mamba_d_conv": ("conv_kernel",),
    "mamba_d_state": ("state_size", "ssm_state_size"),
    "mamba_dt_rank": ("time_step_rank",),
    "mamba_expand": ("expand",),
    "mamba_n_groups": ("mamba_ngroups", "n_groups"),
    "mamba_n_heads": ("mamba_num_heads", "n_mamba_heads"),
    "tie_word_embeddings": ("tie_embedding",),
}

#: the names of params.json, which Mistral and Meta publish beside config.json or instead of it; read only where
#: ``dim`` and ``n_layers`` show that a file is one: elsewhere ``dim`` is anything
PARAMS_JSON: dict[str, tuple[str, ...]] = {
    "hidden_size": ("dim",),
    "intermediate_size": ("hidden_dim",),
    "num_key_value_heads": ("n_kv_heads",),
    "tie_word_embeddings": ("tied_embeddings",),
}

#: the sizes that a config.json gives, unless it is written in the short form (Config._is_short)
ALWAYS_GIVEN = frozenset(
    {
        "hidden_size",
        "intermediate_size",
        "num_hidden_layers",
        "num_attention_heads",
        "vocab_size",
        "num_experts",
        "num_local_experts",
        "n_routed_experts",
        "num_experts_per_tok",
        "moe_intermediate_size",
        "encoder_layers",
        "encoder_attention_heads",
        "encoder_ffn_dim",
        "decoder_layers",
        "decoder_attention_heads",
        "decoder_ffn_dim",
        "dim",
        "hidden_dim",
        "embedding_size",
    }
)

#: what a config may say without giving a size or a switch
NAMES = frozenset({"architectures", "dtype", "model_type", "torch_dtype", "transformers_version"})

#: fields that count layers of the stack, of a tower or of an MTP module; a list may be made of each
LAYER_COUNTS = frozenset(
    {
        "num_hidden_layers",
        "num_layers",
        "layers",
        "depth",
        "encoder_layers",
        "decoder_layers",
        "num_decoder_layers",
        "num_hidden_groups",
        "inner_group_num",
        "num_global_layers",
        "vt_num_hidden_layers",
        "conf_num_hidden_layers",
        "num_blocks",
        "num_res_blocks",
        "num_nextn_predict_layers",
        "mtp_num_hidden_layers",
        "num_mtp_modules",
        "num_mtp_layers",
        "num_code_groups",
        "resampler_depth",
        "altup_num_inputs",
        "num_mem_blocks",
        "merger_times",
        "enc_res2net_scale",
    }
)
MAX_LAYERS = 100_000
MAX_INT = 2**53 - 1


def is_params_json(data: Mapping[str, Any]) -> bool:
    """Whether a config has the names of a params.json."""
    return "dim" in data and "n_layers" in data and "hidden_size" not in data


class Config:
    """A config as its architecture reads it.

    ``c.hidden_size`` is a dimension: a whole number of at least 1, as a Dim that remembers its key.
    ``c.natural(key)`` also takes 0, ``c.flag(key)`` is true or false, ``c.list_of(key, n)`` has an entry a layer,
    ``c.get(key)`` is any value.

    A key that the file leaves out takes what the architecture declares, else the default of its config class, else a
    rule (RULES); what was taken is listed in ``defaulted``. A null asks for the rule. Without any of them it is a
    ConfigError: never a guess. The sizes that make a model what it is (ALWAYS_GIVEN) may be left out only where the
    config is its difference from the class: nested configs are, and a whole file in the short form.
    """

    def __init__(
        self,
        data: Mapping[str, Any],
        declared: Mapping[str, Any] | None = None,
        where: str = "the config",
        *,
        class_defaults: Mapping[str, Any] | None = None,
        path: str = "",
        defaulted: dict[str, Any] | None = None,
    ) -> None:
        self.data = data
        self.where = where
        self.path = path
        self.model_type = ""
        self.architecture = ""  # the class, as the config names it or as it follows from the type
        self.head = "none"  # what the class puts on top (architectures/blocks/heads.py)
        self.defaulted: dict[str, Any] = {} if defaulted is None else defaulted
        self._declared = declared or {}
        self._class_defaults = class_defaults or {}
        self._known: dict[str, Dim] = {}
        self._whole: Config | None = None  # what this is one layer's view of

    def __getattr__(self, key: str) -> Dim:
        if key.startswith("_"):
            raise AttributeError(key)
        if key not in self._known:
            self._known[key] = self._int(key, least=1)
        return self._known[key]

    def natural(self, key: str) -> Dim:
        """A count that may be 0."""
        return self._int(key, least=0)

    def flag(self, key: str, *, otherwise: bool | None = None) -> bool:
        """A field that is true or false; with ``otherwise``, a key that the file does not give (or null) is that."""
        if otherwise is not None and self._find(key) is None:
            return otherwise
        name, value = self._value(key)
        if not isinstance(value, bool):
            raise self.error(name, value, "must be true or false")
        return value

    def get(self, key: str, fallback: Any = None) -> Any:
        """The value of a field, whatever it is; null and a key that nobody gives are the fallback."""
        found = self._find(key)
        if found is None and not self._is_null(key):
            found = key, self._default(key)
        return fallback if found is None or found[1] is None else found[1]

    def has(self, key: str) -> bool:
        """Whether the field has a value that is not null, given or by default."""
        return self.get(key) is not None

    def undecided(self, key: str) -> bool:
        """Whether no one says a value, the config class included: it declares null itself (DeepSeek-V2's top-k).

        A null written over a class that has a value is not that, but an error where a number is read.
        """
        names = self._names(key)
        says = [self._class_defaults[n] for n in names if n in self._class_defaults]
        return bool(says) and says[0] is None and key not in self._declared and self._find(key) is None

    def sub(
        self,
        key: str,
        model_type: str = "",
        also: tuple[str, ...] = (),
        declared: Mapping[str, Any] | None = None,
    ) -> Config:
        """A nested config: ``vision_config``; ``model_type`` is what it is where neither it nor the class says so.

        One that the file leaves out, or gives as null, is the default of the class around it, where that class has
        one; a few classes also take from there what a given one leaves out (``merged``). Keys in ``also`` are those of
        the whole: whether matrices are tied is declared outside. ``declared`` is what its own architecture declares;
        else the same as here.
        """
        kind = self.kind_of(key, model_type)
        value = self.data.get(key)
        if value is None and key == "text_config" and not self.is_bare:  # it holds the sizes
            raise self.missing(key)
        spec = self._nested(key)
        if value is None:
            left_out = spec["left_out"] if spec and not spec["optional"] else self._declared.get(key)
            if isinstance(left_out, Mapping):
                self.defaulted[self.path + key] = value = {**left_out, "model_type": kind}
        if not isinstance(value, Mapping):
            raise self.error(key, value, "must be an object")
        outer = {k: self.get(k) for k in also if self.has(k)}
        merged = spec["left_out"] if spec.get("merged") else {}
        c = Config(
            {**value, **outer},
            self._declared if declared is None else declared,
            self.where,
            class_defaults={**(class_defaults(kind) or class_defaults(model_type)), **merged},
            path=f"{self.path}{key}.",
            defaulted=self.defaulted,
        )
        c.model_type, c.architecture, c.head = kind, self.architecture, self.head
        return c

    def flat(self, model_type: str, declared: Mapping[str, Any] | None = None) -> Config:
        """This config read as one of another type: files that are older than the nesting keep its keys at the top."""
        c = Config(
            self.data,
            declared,
            self.where,
            class_defaults={**class_defaults(model_type), **_ties(self._class_defaults)},
            path=self.path,
            defaulted=self.defaulted,
        )
        c.model_type, c.architecture, c.head = model_type, self.architecture, self.head
        return c

    def layer(self, key: str, own: Any) -> Config:
        """This config as one layer sees it: what ``key`` gives the layer of its own goes first."""
        if not isinstance(own, Mapping):
            raise self.error(key, own, "must give each layer an object")
        c = Config(
            {**self.data, **own},
            self._declared,
            self.where,
            class_defaults=self._class_defaults,
            path=self.path,
            defaulted=self.defaulted,
        )
        c._whole = self
        c.model_type, c.architecture, c.head = self.model_type, self.architecture, self.head
        return c

    def kind_of(self, key: str, model_type: str = "") -> str:
        """The model_type of a nested config: its own where the class lets it choose, else the one of the class."""
        value, spec = self.data.get(key), self._nested(key)
        own = value.get("model_type") if isinstance(value, Mapping) else None
        if isinstance(own, str) and own and spec.get("any", True):
            return own
        kind: str = spec.get("model_type") or model_type
        return kind

    def _nested(self, key: str) -> Mapping[str, Any]:
        """What the config class says of a nested config (class_defaults.py)."""
        found: Mapping[str, Any] = self._class_defaults.get("sub_configs", {}).get(key, {})
        return found

    def list_of(self, key: str, length: int, allowed: Sequence[str] | None = None) -> list[Any]:
        """A list with one entry a layer, its length and its words checked."""
        key, value = self._value(key)
        if not isinstance(value, list | tuple):
            raise self.error(key, value, "must be a list with one entry a layer")
        if len(value) != length:
            what = f"has {len(value)} entries; it must have one for each of the {length} layers"
            raise self.error(key, value, what)
        for i, entry in enumerate(value):
            if allowed is not None and entry not in allowed:
                raise self.error(f"{key}[{i}]", entry, f"is none of {', '.join(allowed)}")
        return list(value)

    def layers_in(self, key: str, value: Any, length: int) -> list[int]:
        """A list of layer indices; those of no layer are left out, as a class leaves them that asks of each layer."""
        if not isinstance(value, list | tuple):
            raise self.error(key, value, "must be a list of layer indices")
        for i in value:
            if type(i) is not int or i < 0:
                raise self.error(key, i, "is no index of a layer")
        return sorted({i for i in value if i < length})

    def counts_of(self, key: str, length: int) -> list[Dim]:
        """A list with one count of at least 1 a layer."""
        counts = self.list_of(key, length)
        for i, value in enumerate(counts):
            if type(value) is not int or not 1 <= value <= MAX_INT:
                raise self.error(f"{key}[{i}]", value, "must be a whole number of at least 1")
        return [Dim.field(f"{key}[{i}]", value) for i, value in enumerate(counts)]

    def per_layer(self, key: str, length: int, least: int = 1) -> list[Dim]:
        """A size that is one number for all layers, or a list with one for each."""
        name, value = self._value(key)
        if not isinstance(value, list | tuple):
            return [self._int(key, least)] * length
        for i, entry in enumerate(self.list_of(key, length)):
            if type(entry) is not int or not least <= entry <= MAX_INT:
                raise self.error(f"{name}[{i}]", entry, f"must be a whole number of at least {least}")
        known = {entry: Dim.field(name, entry) for entry in value}
        return [known[entry] for entry in value]

    def divide(self, key: str, by: str) -> Dim:
        """One field divided by another, which must leave no rest."""
        a, b = self.__getattr__(key), self.__getattr__(by)
        if a % b:
            raise self.error(key, int(a), f"is not a multiple of {self.path}{by} = {int(b)}")
        return a // b

    def scaled(self, key: str, by: int) -> Dim:
        """``by`` times a field that may be a fraction, rounded down as the modelling code's ``int(...)`` does.

        The product is one of floats there too, so that 0.29 × 100 is 28 here as it is in the model.
        """
        name, value = self._value(key)
        if type(value) not in (int, float) or not 0 < value < MAX_LAYERS:
            raise self.error(name, value, "must be a number above 0")
        return Dim.field(f"⌊{getattr(by, 'symbols', by)} × {name}⌋", int(by * value))

    def error(self, key: str, value: object, what: str) -> ConfigError:
        """A ConfigError about one key of this config."""
        given = "null" if value is None else shown(value)
        return ConfigError(
            f"{self.where}: {self.path}{key} = {given} {what}.", key=self.path + key, value=value
        )

    def missing(self, key: str) -> ConfigError:
        """A ConfigError about a key that is not there, or null."""
        names = self._names(key)
        null = next((n for n in names if n in self.data), None)
        if null:
            return ConfigError(
                f"{self.where}: {self.path}{null} is null, and this architecture declares no default for it. "
                f"Give it a value.",
                key=self.path + null,
            )
        also = f" (or {', '.join(names[1:])})" if names[1:] else ""
        near = nearest_names(key, (k for k in self.data if isinstance(k, str)), 1)
        hint = f" The nearest key it has is {shown(near[0])}." if near else ""
        return ConfigError(
            f"{self.where}: {self.path}{key} is missing{also}, and this architecture declares no default for it.{hint}"
            f" Add the key to the config.",
            key=self.path + key,
        )

    # ---------------------------------------------------------------- inside

    def _names(self, key: str) -> tuple[str, ...]:
        """The spellings of a field."""
        more = PARAMS_JSON.get(key, ()) if is_params_json(self.data) else ()
        return (key, *ALIASES.get(key, ()), *more)

    def _find(self, key: str) -> tuple[str, Any] | None:
        """The spelling that the config uses, and its value, unless that is null."""
        for name in self._names(key):
            value = self.data.get(name)
            if value is not None:
                return name, value
        return None

    def _is_null(self, key: str) -> bool:
        """Whether the config has the key and says null: that is not the same as leaving it out."""
        return any(name in self.data for name in self._names(key))

    @property
    def _is_short(self) -> bool:
        """Whether a whole config is written as its difference from its class, so that a size left out is the class's.

        Such a file names its type, and none of its keys has the value that the class has. One that gives sizes must
        also have been saved by transformers, with a version in it: in what is written by hand, a size that is missing
        was forgotten.
        """
        if self._whole is not None:
            return self._whole._is_short
        if "model_type" not in self.data or any(self.data.get(k) == v for k, v in self._written_in_full()):
            return False
        sizes = {name for key in ALWAYS_GIVEN for name in (key, *ALIASES.get(key, ()))}
        return "transformers_version" in self.data or not sizes & self.data.keys()

    @property
    def is_bare(self) -> bool:
        """Whether a config only names its type, so that all else is as the class has it."""
        return "model_type" in self.data and all(v is None or k in NAMES for k, v in self.data.items())

    def _written_in_full(self) -> Iterator[tuple[str, Any]]:
        """Keys at the class's defaults, which only a file written in full repeats; any file may say what is tied."""
        yield from {"use_cache": True, "initializer_range": 0.02}.items()  # so in nearly every class
        yield from (
            (k, v) for k, v in self._class_defaults.items() if v is not None and k != "tie_word_embeddings"
        )

    def _default(self, key: str) -> Any:
        """What a key that the file leaves out stands for; None where nobody says, or where the class says null."""
        value = self._declared.get(key)
        if callable(value):
            value = value(self)
        if value is None and (self.path or key not in ALWAYS_GIVEN or self._is_short):
            names = self._names(key)
            value = next((self._class_defaults[n] for n in names if n in self._class_defaults), None)
        if value is not None:
            self.defaulted[self.path + key] = value
        return value

    def _value(self, key: str) -> tuple[str, Any]:
        """The spelling and the value of a field: given, by default, or by rule."""
        found = self._find(key)
        if found is not None:
            return found
        value = None if self._is_null(key) else self._default(key)
        if value is None:
            rule = self._declared.get(key) or RULES.get(key)
            if not callable(rule):
                raise self.missing(key)
            value = rule(self)
            if value is None:
                raise self.missing(key)
            self.defaulted[self.path + key] = value
        return key, value

    def _int(self, key: str, least: int) -> Dim:
        name, value = self._value(key)
        for other in self._names(key):
            again = self.data.get(other)
            if other != name and again is not None and again != value:
                raise self.error(
                    other, again, f"contradicts {self.path}{name} = {shown(value)}: two names of one field"
                )
        if isinstance(
            value, Dim
        ):  # a rule such as head_dim = hidden_size ÷ num_attention_heads keeps its formula
            return value
        if type(value) is not int:
            raise self.error(name, value, "must be a whole number")
        if value < least:
            raise self.error(name, value, f"must be at least {least}")
        if value > MAX_INT:
            raise self.error(name, value, "is larger than 2^53 − 1, which no model reaches")
        if key in LAYER_COUNTS and value > MAX_LAYERS:
            raise self.error(name, value, f"is more than {MAX_LAYERS:,} layers")
        return Dim.field(name, value)


def _ties(class_defaults: Mapping[str, Any]) -> dict[str, Any]:
    """Whether a class ties the head, where it says so."""
    tied = class_defaults.get("tie_word_embeddings")
    return {} if tied is None else {"tie_word_embeddings": tied}


#: what config classes compute for a field that is null or left out, whatever the family
RULES: dict[str, Callable[[Config], Any]] = {
    "num_key_value_heads": lambda c: c.num_attention_heads,
    "head_dim": lambda c: c.divide("hidden_size", "num_attention_heads"),
    "num_labels": lambda c: 2,
}
