"""Totals that the Hub reported for a repository's files, explained to the unit from its config.

Files hold more or less than a config declares: an MTP layer or none, scales counted as parameters (until July 2026),
a tied matrix under each of its names, buffers that older versions wrote. Each is a named integer; a total is explained
if the stored count and some of them add up to it exactly.
"""

from __future__ import annotations

import paramwidget as pw
from paramwidget.residual.totals import fewest, parts

__all__ = ["UNEXPLAINED", "explain", "parts"]

#: what no part that the config knows explains: the difference to what is stored, and why
UNEXPLAINED = {
    ("Qwen/Qwen-7B-Chat", 7_721_324_544): (5_884_495_872, "the config at hand is another model's, Qwen-1.8B"),
    ("Qwen/Qwen3-Embedding-8B", 7_567_295_488): (-621_219_840, "a causal class whose files hold no head"),
    ("allenai/Olmo-3-7B-Instruct", 528_384): (-7_297_482_752, "a count of a part of the files"),
    # 738,197,504 and 1,409,286,144 are the head, stored again
    ("google/gemma-4-26B-A4B-it", 26_544_131_376): (
        738_197_504 - 69_074_542,
        "the config at hand has lost the keys of its vision tower, which is smaller than the class's default",
    ),
    ("google/gemma-4-31B-it", 32_682_372_656): (1_409_286_144 - 738_852_492, "the same"),
    ("google/gemma-4-E2B-it", 5_123_178_051): (
        -928,
        "no clipping ranges of the towers, which transformers keeps",
    ),
    ("meta-llama/Llama-3.2-11B-Vision", 10_642_941_475): (
        -27_279_360,
        "positions of a 448-pixel image, where the config at hand says 560",
    ),
    ("meta-llama/Llama-4-Maverick-17B-128E-Instruct-FP8", 401_649_841_664): (
        66_060_288,
        "scales of each channel of the experts, whose layout the config does not give",
    ),
    ("moonshotai/Kimi-K2-Thinking", 1_058_118_284_416): (
        31_708_938_240 + 69_120 * 2 * 8 + 61 * 128,
        "the config at hand has lost its layout: scales and shapes as of Kimi-K2.5; 7,808 more, 128 for each layer, "
        "are not explained",
    ),
    ("moonshotai/Kimi-K2.5", 1_058_589_420_528): (
        31_708_938_240 + 69_120 * 2 * 8,
        "the config at hand has lost its layout: a scale for 32 values of an expert, and the two-element shapes of "
        "69,120 matrices counted as packed; the bundled config explains it",
    ),
    ("XiaomiMiMo/MiMo-V2-Flash", 309_785_318_400): (
        # 48 layers and 3 of MTP keep o_proj unconverted, which has 32 × 64 blocks; the 4 key-value heads of each of the
        # 9 layers of full attention have 192 + 128 rows, of 3 blocks each and not of 2.5: 12 rows of blocks for 10
        18_821_184 - 51 * 32 * 64 + 9 * 2 * 32,
        "block scales, less those of o_proj, more where each head begins a block; the config at hand says neither",
    ),
}


def explain(b: pw.Breakdown, total: int) -> tuple[str, ...] | None:
    """The fewest named parts that turn the stored count into a reported total; None if nothing does."""
    return fewest(total - b.stored, parts(b), most=3)
