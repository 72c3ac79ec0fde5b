"""Which stored tensor is which predicted one: by name, by name without its prefix, and within bundles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from .. import aliases, packing_methods, unpacking
from ..aliases import Pattern
from ..inventory import Inventory, StoredTensor
from ..tensors import TensorSpec
from ..unpacking import Part

#: the label of a part whose shape cannot be compared with one predicted tensor
IN_BUNDLE = "in bundle"


class Stored(NamedTuple):
    """A stored tensor by its template: what it is of, and the numbers in its name."""

    tensor: StoredTensor
    template: str
    numbers: tuple[int, ...]
    part: Part


@dataclass(slots=True)
class Held:
    """What files hold of one predicted tensor.

    whole     siblings whose parameters are as predicted
    other     stored tensors of that name whose shape is not the predicted one
    nbytes    bytes of both
    packed    elements as stored, and parameters, of those that are packed: label and dtype -> (elements, parameters)
    layers    the layers in which a sibling was found
    """

    spec: TensorSpec
    whole: int = 0
    other: list[StoredTensor] = field(default_factory=list)
    nbytes: int = 0
    packed: dict[tuple[str, str], tuple[int, int]] = field(default_factory=dict)
    layers: set[int] = field(default_factory=set)

    @property
    def in_file(self) -> tuple[int, ...]:
        """The shape of one tensor of the files."""
        shape = tuple(map(int, self.spec.shape))
        return shape if self.spec.stacked is None else (int(self.spec.stacked), *shape)

    @property
    def tensors(self) -> int:
        """How many tensors of the files are predicted."""
        return int(self.spec.copies) // int(self.spec.stacked or 1)

    @property
    def numel(self) -> int:
        """Parameters of one tensor of the files."""
        return self.spec.numel * int(self.spec.stacked or 1)


@dataclass(slots=True)
class Bundled:
    """A bundle of one layer: what is predicted of it and what is stored, under different names."""

    name: str
    layer: int | None
    specs: list[TensorSpec] = field(default_factory=list)
    stored: list[Stored] = field(default_factory=list)
    predicted: int = 0


@dataclass(slots=True)
class Matched:
    """All of a checkpoint, sorted: what is predicted by name, in bundles, as bookkeeping, and what is left."""

    held: list[Held]
    scales: list[tuple[Stored, TensorSpec | None]]
    bundles: list[Bundled]
    left: list[Stored]
    beside: dict[tuple[str, tuple[int, ...]], dict[str, tuple[tuple[int, ...], str]]]


def stored_of(inventory: Inventory, predicted: Iterable[str] = ()) -> list[Stored]:
    """Every tensor with its template and what it is of; the work is done once a template.

    predicted  the names that a config implies: of the names that a GGUF file's tensor may have, one of these is taken
    """
    named: list[tuple[StoredTensor, str, tuple[int, ...]]] = []
    dtypes: dict[str, str] = {}
    for tensor in inventory.tensors:
        template, numbers = aliases.template(tensor.name)
        named.append((tensor, template, numbers))
        if dtypes.setdefault(template, tensor.dtype) != tensor.dtype and (
            tensor.dtype in unpacking.WORDS or tensor.dtype.startswith("F8")
        ):
            dtypes[template] = (
                tensor.dtype
            )  # some layers are quantized: what stands beside them is bookkeeping
    parts = _of_gguf(dtypes, predicted) if inventory.format == "gguf" else unpacking.parts(dtypes)
    return [Stored(t, template, numbers, parts[template]) for t, template, numbers in named]


def _of_gguf(templates: Iterable[str], predicted: Iterable[str]) -> dict[str, Part]:
    """What each tensor of a GGUF file is of, in Hugging Face's names; blocks hold their scales, shapes are of values.

    A name that stands for a half of a matrix, or for the experts of a layer that are predicted one by one, keeps a
    mark: it is compared within its bundle.
    """
    from ..sources.gguf_names import describe

    known = {aliases.bare(aliases.pattern(name).template) for name in predicted}
    parts: dict[str, Part] = {}
    for template in templates:
        found = describe(template.replace(aliases.NUMBER, "0"))
        names = [aliases.pattern(name).template for name in found.hf]
        base = next((n for n in names if aliases.bare(n) in known), names[0] if names else template)
        parts[template] = Part(base, "scale" if found.kind == "scale" else "data", "")
    uses = Counter(part.base for part in parts.values())
    return {
        template: part._replace(label=IN_BUNDLE)
        if uses[part.base] > 1 or part.base.count(aliases.NUMBER) != template.count(aliases.NUMBER)
        else part
        for template, part in parts.items()
    }


class _Index:
    """The predicted tensors by template, exactly and without prefix."""

    def __init__(self, specs: Iterable[TensorSpec]) -> None:
        self.specs = list(specs)
        self.patterns = [aliases.pattern(spec.name) for spec in self.specs]
        self.by_template: dict[str, list[int]] = {}
        for i, each in enumerate(self.patterns):
            self.by_template.setdefault(each.template, []).append(i)
        self.by_bare = aliases.distinct(self.by_template)
        self.layers = [frozenset(map(int, spec.layers)) for spec in self.specs]

    def candidates(self, template: str, unprefixed: Mapping[str, str]) -> list[int]:
        """The predicted tensors of a template; one without its prefix only where no second stored one is the same."""
        found = self.by_template.get(template)
        if found is None:
            short = aliases.bare(template)
            known = self.by_bare.get(short)
            if known is not None and unprefixed.get(short) == template:
                found = self.by_template[known]
        return found or []

    def choose(self, candidates: list[int], numbers: tuple[int, ...]) -> int | None:
        """The one of the candidates whose layers and fixed numbers a stored name has."""
        for i in candidates:
            each, layers = self.patterns[i], self.layers[i]
            if each.layer is not None and layers and numbers[each.layer] not in layers:
                continue
            if all(numbers[position] == number for position, number in each.fixed):
                return i
        return None

    def layer(self, i: int, numbers: tuple[int, ...]) -> int | None:
        position = self.patterns[i].layer
        return None if position is None else numbers[position]


def match(specs: Iterable[TensorSpec], stored: list[Stored], config: Mapping[str, Any]) -> Matched:
    """Sort every stored tensor; each is used once."""
    index = _Index(specs)
    unprefixed = aliases.distinct({s.part.base for s in stored} | {s.template for s in stored})
    held = [Held(spec) for spec in index.specs]
    scales: list[tuple[Stored, TensorSpec | None]] = []
    left: list[Stored] = []
    cached: dict[str, tuple[list[int], bool]] = {}
    sizes: dict[tuple[int, str, tuple[int, ...], str], unpacking.Unpacked | None] = {}
    beside: dict[tuple[str, tuple[int, ...]], dict[str, tuple[tuple[int, ...], str]]] = {}
    for s in stored:
        known = cached.get(s.template)
        if known is None:
            own = index.candidates(s.template, unprefixed) if s.part.label != IN_BUNDLE else []
            as_scale = bool(own) and all(index.specs[i].kind == "scale" for i in own)
            if s.part.label == IN_BUNDLE:
                own = []
            elif (s.part.role == "data" and not as_scale and not own) or (
                s.part.role == "scale" and not as_scale
            ):
                own = index.candidates(s.part.base, unprefixed)
            known = cached[s.template] = (own, as_scale or s.part.role == "scale")
        candidates, is_scale = known
        i = index.choose(candidates, s.numbers) if candidates else None
        if is_scale:
            scales.append((s, None if i is None else index.specs[i]))
            beside.setdefault((s.part.base, s.numbers), {})[s.part.label] = (s.tensor.shape, s.tensor.dtype)
        elif i is None:
            left.append(s)
        else:
            key = (i, s.part.label, s.tensor.shape, s.tensor.dtype)
            if key not in sizes:
                sizes[key] = unpacking.against(held[i].in_file, s.tensor.shape, s.tensor.dtype)
            _hold(held[i], s, sizes[key], index.layer(i, s.numbers))
    bundles, left = _bundle(held, left)
    return Matched(held, scales, bundles, left, beside)


def _hold(held: Held, s: Stored, size: unpacking.Unpacked | None, layer: int | None) -> None:
    held.nbytes += s.tensor.nbytes
    if layer is not None:
        held.layers.add(layer)
    if size is None:
        held.other.append(s.tensor)
        return
    held.whole += 1
    if size.bits:
        key = (s.part.label, s.tensor.dtype)
        elements, parameters = held.packed.get(key, (0, 0))
        held.packed[key] = (elements + s.tensor.elements, parameters + size.parameters)


# ------------------------------------------------------------------ bundles


def _bundle(held: list[Held], left: list[Stored]) -> tuple[list[Bundled], list[Stored]]:
    """What is predicted under names that no file has, and stored under names that nothing predicts, by bundle."""
    bundles: dict[tuple[str, int | None], Bundled] = {}
    for each in held:
        spec = each.spec
        if each.whole or each.other or spec.kind == "scale" or spec.tied_to:
            continue
        name = aliases.bundle_of(aliases.pattern(spec.name).template)
        if name is None:
            continue
        layers: Iterable[int | None] = map(int, spec.layers) if spec.layers else (None,)
        count = len(spec.layers) or 1
        for layer in layers:
            found = bundles.setdefault((name, layer), Bundled(name, layer))
            found.specs.append(spec)
            found.predicted += spec.architectural // count
    if not bundles:
        return [], left
    rest = []
    for s in left:
        name = aliases.bundle_of(s.part.base)
        layer = aliases.layer_of(s.part.base, s.numbers)
        there = bundles.get((name, layer)) if name is not None else None
        if there is None:
            rest.append(s)
        else:
            there.stored.append(s)
    return [b for b in bundles.values() if b.stored], rest


def parameters_of(matched: Matched, s: Stored, config: Mapping[str, Any]) -> unpacking.Unpacked:
    """The parameters of a stored tensor whose shape nobody predicted."""
    beside = matched.beside.get((s.part.base, s.numbers), {})
    return packing_methods.by_method(s.part.label, s.tensor.shape, s.tensor.dtype, beside, config)


__all__ = ["Bundled", "Held", "Matched", "Pattern", "Stored", "match", "parameters_of", "stored_of"]
