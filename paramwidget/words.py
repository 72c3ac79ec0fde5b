"""The sentences that Python and the browser say, each once: the browser gets the table with the data.

``{0}`` and the like are slots. js/src/say.ts is the twin of ``say``; where old data has no table, it shows the key and
what would be in the slots, so a key is short English too.
"""

from __future__ import annotations

WORDS: dict[str, str] = {
    # what a basis counts
    "stored": "the tensors that the checkpoint holds",
    "architectural": "what the config declares: a tied matrix counts under each of its names",
    "active": "the distinct parameters that one decoded text token uses",
    "basis_default": "Count what the basis counts by default",
    # claims and verdicts
    "no_number": "{0} has no number that can be read. Write it like {1}.",
    "negative": "{0} is negative, which no count is. Write it like {1}.",
    "zero": "{0} is zero, which no count is. Write it like {1}.",
    "no_unit": "{0} has no unit. Write it like {1}.",
    "of_others": "{0} counts {2}, not parameters. Write it like {1}.",
    "beyond": "{0} is more than any count, which end at 2^53 − 1.",
    "too_fine": "{0} has more places than its unit has.",
    "no_sense": "{0} is no number that can be read: its points and commas make no sense.",
    "not_read": "Not read: {0}.",
    "smaller": "Read as active, as the smaller of two numbers.",
    "no_bytes": "The bytes of the weights are not known: the config names no dtype.",
    "no_average": "An average depends on the text; a config has the two ends.",
    "no_sum": "{0}x{1} is no sum: {1} is compared with the model that has one of {0} experts in each layer; all of "
    "them share the rest, and it stores {2}.",
    "cut_off": ", which is {0} with digits cut off, not rounded",
    "to_digits": ", which is {0} to {1} digit{2}",
    "indistinguishable": "; indistinguishable by number",
    "closest": "Nearest to the printed digits: {0}",
    "that_size": " To the printed digits, that is the size of {0}, {1}.",
    "ask": "A number that somebody printed",
    "no_way": "no way of counting fits",
    "not_stated": "which is not what it states",
    "simple_ways": "{0} equally simple ways of counting fit",
    "position": "positions",  # a tower has a table of them, and the model no toggle
    # the second module
    "coming": "Loading this view",
    "no_more": "This needs a part of paramwidget that the notebook does not hold: run the cell again.",
    "no_png": "The browser cannot draw this as PNG. Save it as SVG.",
    # the picture
    "picture": "Parts of the model in model order; the table view has the same numbers.",
    "used": ": what one token uses, drawn {0} wider",
    "idle": ", {0} of {1} idle for a given token, {2}",
    "unused": " that a token does not use",
    "part_counts": "{0} stored, {1} active, {2} of what is counted ",
    # parts, tensors and layers
    "ledger": "Parts of {0}, {1} {2}. A name opens its tensors.",
    "same_matrix": "same matrix as {0}, counted once",
    "nothing_used": "nothing of it is used on this basis",
    "counting_changes_0": "counting it changes 0: {0}",
    "leaving_out_changes": "leaving it out alone changes {0}: {1}",
    "flipping": " Flipping it changes {0}.",
    "count": "count {0}; flipping it changes {1}",
    "implied": "implied: the config does not name it",
    "uses": "a token uses {0} to {1}, as routing decides",
    "alike": "Layers that are alike, with their sizes",
    "no_layers": "No tensor of this model is in a layer.",
    "your_count": "Your count gives that number: {0}.",
    "exact": "The same in exact integers",
    # the check
    "check": "Compare with the Hub's files",
    "headers": "Reads the headers of the checkpoint, no weights.",
    "reading": "Reading the headers of the files",
    "check_needs": "Reading files needs Python: run the cell again.",
    "unchecked": "The counts above come from the config alone. No checkpoint was read, so nothing is compared yet.",
    "unexplained": "≠ {0} elements are not explained.",
    "explained": "= Every difference is explained.",
    "predicted": "= Every tensor is as predicted.",
    "config": "config: what it implies",
    "files": "headers of the files: parameters",
    "scales": "headers of the files: quantization scales",
    "hub": "Hub: the total it reports",
    # memory, and the kinds of layers
    "full": "full attention",
    "sliding": "sliding window",
    "chunked": "chunks",
    "mla": "latent attention (MLA)",
    "compressed": "window and compressed past",
    "shared": "reads an earlier layer's cache",
    "linear": "linear attention",
    "ssm": "state space or convolution",
    "none": "no mixer",
    "cross": "cross-attention",
    "moe": "experts",
    "not_whole": "{0}: give a whole number from 1 to {1}, such as 131072, 128k or 128Ki. "
    "The figures are still those of {2}.",
    "choose": "the config does not say how files store them: choose a type",
    "in_16": "linear maps; tables, lm_head, routers, norms, biases, convolutions and towers stay in 16 bits",
    "all_in": "every parameter",
    "as_stored": "all that is stored, in the files' own types",
    "keeps_nothing": "This model keeps nothing of a context: it reads a text once, whole.",
    "cross_to": "{0} to {1} tokens of {2} bytes",
    "past_positions": "more than the {0} positions of the config",
    "always": "whatever the context",
    "least": "the least that the architecture needs",
    "reserved": "where an engine keeps the whole context in every layer",
    "kinds": "Cache and states by kind of layer",
    "undescribed": "The layers of this model are not described: weights only.",
    "reads": "A token reads {0} of the {1} active parameters: "
    "{2} in the rows that it looks up in tables, all else whole.",
    "reads_all": "A token reads all of the {0} active parameters.",
    "figures": "It takes {0} FLOPs: 2 × the {1} weights of matrices, each once, without attention to the context. "
    "These are the figures for bandwidth and arithmetic, stored is the one for memory; none is latency.",
    "touches": "If routing is uniform, a batch of {0} touches {1} of {2} experts in each of {3} layers, {4} a token.",
    "units": "1 GiB is 2^30 bytes, 1 GB is 10^9 bytes.",
    # the source
    "unrecorded": "Where the config was read is not recorded.",
    "too_large": "The size of {0} is more than 2^53 − 1: this view cannot count it.",
    "all_named": "Every dimension is named by the config; none was taken from a default.",
    "defaulted": "Not in the config, taken from the defaults of its class:",
    # what a view without a model says, too
    "pick": "Model: a bundled one, a repository id, or a pasted config.json",
    "count_needs": "Counting another model needs Python: run the cell again.",
    "no_answer": "Python does not answer. If busy, this goes on when it is done; if restarted, run the cell again.",
    "no_copying": "The browser allows no copying here: the text is shown.",
}


def say(key: str, *slots: object) -> str:
    """A sentence of the table, its slots filled.

    >>> say("to_digits", "230B", 2, "s")
    ', which is 230B to 2 digits'
    """
    return WORDS[key].format(*slots)
