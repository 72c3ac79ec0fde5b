"""What the class in ``architectures`` puts on top of the body."""

from __future__ import annotations

from collections.abc import Iterator

from ...config import Config
from ...dim import Dim
from ...tensors import TensorSpec
from .base import linear, vector

#: the ending of a class name -> the head it stands for
ENDINGS: dict[str, str] = {
    "": "causal",
    "ForCausalLM": "causal",
    "LMHeadModel": "causal",
    "ForConditionalGeneration": "causal",
    "ForImageClassification": "image",
    "ForImageClassificationWithTeacher": "teacher",
    "ForSequenceClassification": "sequence",
    "ForTokenClassification": "token",
    "ForQuestionAnswering": "question",
    "ForMaskedLM": "masked",
    "ForPreTraining": "pretraining",
    "ForNextSentencePrediction": "next",
    "ForMultipleChoice": "choice",
    "ForAudioClassification": "audio",
    "ForVisionText2Text": "causal",
    "ForProteinText2Text": "causal",
    "FlashForCausalLM": "causal",
    "WithLMHeadModel": "causal",
    "Decoder": "causal",
    "Encoder": "none",
    "MTModel": "causal",
    "EncoderModel": "encoder",
    "ForRewardModel": "reward",
    "Model": "none",
    "TextForSequenceClassification": "sequence",
    "TextModel": "none",
}

#: families whose ForQuestionAnswering has the body under the same name as their other classes
RENAMED = frozenset({"minimax", "ministral3", "mistral", "mixtral", "modernbert", "qwen2_moe"})


def stem(c: Config, base: str) -> str:
    """The prefix of the body's names; files of a bare body leave out its first word, and some have none at all."""
    if c.head == "none":
        base = base.partition(".")[2]
    # in most families that call their body `model`, transformers keeps the old attribute name for this one class
    elif c.head == "question" and base == "model" and c.model_type not in RENAMED:
        base = "transformer"
    return f"{base}." if base else ""


def head(
    c: Config,
    table: TensorSpec,
    name: str = "lm_head",
    bias: bool = False,
    may_tie: bool = True,
    *,
    sequence: str = "score",
    token: str = "score",
) -> Iterator[TensorSpec]:
    """The head of the config's class; a tied one is a second name of the embedding table.

    name, bias       of the causal one; a bias is never tied
    may_tie          false where the class never ties its head, whatever the config says
    sequence, token  the names of the two classifiers
    """
    width = table.shape[1]
    if c.head == "causal":
        yield from output(c, name, table, bias=bias, tied=None if may_tie else False)
    elif c.head == "reward":
        yield from linear("v_head", 1, c.hidden_size, role="lm_head", note="one score")
    elif c.head == "sequence":
        yield from linear(sequence, labels(c), width, role="lm_head", note="classifier")
    elif c.head == "token":
        yield from linear(token, labels(c), c.hidden_size, role="lm_head", bias=True, note="classifier")
    elif c.head == "question":
        yield from linear(
            "qa_outputs", 2, width, role="lm_head", bias=True, note="start and end of the answer"
        )


def output(
    c: Config, name: str, table: TensorSpec, *, bias: bool = False, tied: bool | None = None
) -> list[TensorSpec]:
    """A map from the width of the embedding table to the vocabulary; tied, a second name of the table."""
    tied = c.flag("tie_word_embeddings") if tied is None else tied
    weight = TensorSpec(
        f"{name}.weight",
        table.shape,
        "lm_head",
        tied_to=table.name if tied else None,
        note="tied to the embedding: one matrix, two names" if tied else "",
    )
    if not bias:
        return [weight]
    return [weight, vector(f"{name}.bias", table.shape[0], role="lm_head", kind="bias", implied=True)]


def labels(c: Config) -> Dim:
    """The number of classes: ``num_labels``, else the entries of ``id2label``; two where the config names neither."""
    names = c.data.get("id2label")
    if c.data.get("num_labels") is not None or names is None:
        return c.num_labels
    if not isinstance(names, dict) or not names:
        raise c.error("id2label", names, "must be an object with one entry a class")
    return Dim.field("num_labels", len(names))
