"""Which files of a repository or folder are the model, and which are copies of it, parts of training or other formats.

The names decide, as they do for the libraries that read them: ``model.safetensors``, else what
``model.safetensors.index.json`` names; per component where ``model_index.json`` (diffusers) or ``modules.json``
(sentence-transformers) lists folders; an adapter, ``consolidated`` or whatever there is where none of these is.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ..inventory import OtherCopy

SAFETENSORS = ".safetensors"
INDEX = re.compile(r"(?P<stem>.+)\.safetensors\.index(?:\.(?P<variant>[\w-]+))?\.json")
#: "model-00001-of-00163", "model.safetensors-00001-of-00094", "diffusion_pytorch_model.fp16-00001-of-00002"
SHARD = re.compile(r"(?P<stem>.+?)[-_.](?P<number>\d+)-of-(?P<total>\d+)\.safetensors")
#: what follows the name of a file whose dtype, not its content, is another: diffusers' ``variant=``
VARIANT = re.compile(r"\.(?:fp16|bf16|fp32|fp8|float16|bfloat16|non_ema|ema)$")
#: the names by which libraries look for a model, the one that they take first in front
NAMES = ("model", "diffusion_pytorch_model", "pytorch_model", "adapter_model", "consolidated")
#: what weights are called in formats that are not read here: end of the name -> format
FORMATS = {
    ".gguf": "GGUF",
    ".bin": "PyTorch",
    ".pt": "PyTorch",
    ".pth": "PyTorch",
    ".ckpt": "PyTorch",
    ".h5": "TensorFlow",
    ".msgpack": "Flax",
    ".ot": "Rust",
    ".onnx": "ONNX",
    ".onnx_data": "ONNX",
    ".npz": "NumPy",
    ".mlmodel": "Core ML",
}
#: files of these ends that hold no weights of the model
NOT_WEIGHTS = re.compile(
    r"(?:^|/)(?:training_args|optimizer|scheduler|rng_state|scaler|tokenizer)[^/]*$|/weight\.bin$"
)
#: why weights lie beside the model, by the folder that they are in
FOLDERS = {
    "original": "the weights in the layout in which they were trained",
    "metal": "the weights laid out for Metal",
    "onnx": "the weights exported to ONNX",
}


@dataclass(frozen=True, slots=True)
class ShardSet:
    """Files that are one checkpoint together: a single file, or shards and the index that names them.

    folder  "" or a path that ends with /
    stem    "model", with the variant if there is one
    total   how many shards its names speak of; 0 for a single file
    """

    folder: str
    stem: str
    total: int
    paths: tuple[str, ...]
    index: str = ""

    @property
    def name(self) -> str:
        """What the set is called where it is listed."""
        if self.total:
            return f"{self.folder}{self.stem}-*-of-{self.total}{SAFETENSORS}"
        return self.paths[0] if self.paths else self.index

    @property
    def missing(self) -> int:
        """How many shards the names speak of that are not there."""
        return max(self.total - len(self.paths), 0)


@dataclass(frozen=True, slots=True)
class Layout:
    """Which files count.

    sets      those that are read, one for each component
    others    the rest, each with the reason
    paths     the files of each of the rest that is safetensors, by the name it has in ``others``
    unread    the format of the model where it has no header that is read here: GGUF, PyTorch ..., else ""
    problems  sentences on a choice that the names do not settle
    """

    sets: tuple[ShardSet, ...]
    others: tuple[OtherCopy, ...] = ()
    unread: str = ""
    problems: tuple[str, ...] = ()
    paths: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def choose(sizes: Mapping[str, int], components: Iterable[str] = ()) -> Layout:
    """The layout of a repository or folder.

    sizes       path -> bytes
    components  folders that a library's list of modules names ("" is the root)

    >>> [s.name for s in choose({"model.safetensors": 9, "original/model.safetensors": 9}).sets]
    ['model.safetensors']
    """
    sets = list(_sets(sizes))
    rest = _unreadable(sizes)
    if not sets:
        unread = max(rest, key=lambda f: sum(sizes[p] for p in rest[f]), default="")
        return Layout((), _others_of(rest, sizes, ""), unread)
    problems: list[str] = []
    folders = list(dict.fromkeys(f"{c.rstrip('/')}/" if c else "" for c in components)) or [""]
    by_folder: dict[str, list[ShardSet]] = {}
    for s in sets:
        by_folder.setdefault(s.folder, []).append(s)
    main = [min(by_folder[folder], key=_rank) for folder in folders if folder in by_folder]
    if not main:
        folder = max(by_folder, key=lambda f: sum(_bytes(s, sizes) for s in by_folder[f]))
        main = [min(by_folder[folder], key=_rank)]
        where = "in its root" if folders == [""] else "in the folders that its list of modules names"
        problems.append(f"There are no weights {where}; what was read lies in {folder or 'the root'}.")
    for s in main:
        if s.missing:
            problems.append(f"Shards of {s.name} that are missing: {s.missing} of {s.total}.")
    chosen = {id(s) for s in main}
    beside = [s for s in sets if id(s) not in chosen and s.paths]
    others = [OtherCopy(s.name, len(s.paths), _bytes(s, sizes), _why(s, main[0])) for s in beside]
    return Layout(
        tuple(main),
        (*others, *_others_of(rest, sizes, "another format of the model: ")),
        "",
        tuple(problems),
        {s.name: s.paths for s in beside},
    )


def _sets(sizes: Mapping[str, int]) -> Iterable[ShardSet]:
    shards: dict[tuple[str, str, int], list[str]] = {}
    indexes: dict[tuple[str, str], str] = {}
    for path in sorted(sizes):
        cut = path.rfind("/") + 1
        folder, file = path[:cut], path[cut:]
        named, shard = INDEX.fullmatch(file), SHARD.fullmatch(file)
        if named:
            indexes[folder, ".".join(filter(None, [named["stem"], named["variant"]]))] = path
        elif shard:
            shards.setdefault((folder, shard["stem"], int(shard["total"])), []).append(path)
        elif file.endswith(SAFETENSORS):
            yield ShardSet(folder, file.removesuffix(SAFETENSORS), 0, (path,))
    sharded = Counter((folder, stem.removesuffix(SAFETENSORS)) for folder, stem, _ in shards)
    for (folder, stem, total), paths in shards.items():
        key = folder, stem.removesuffix(SAFETENSORS)
        index = indexes.get(key, "") if sharded[key] == 1 else ""
        yield ShardSet(folder, stem, total, tuple(paths), index)
    for (folder, stem), path in indexes.items():
        if (
            sharded[folder, stem] != 1
        ):  # shards that are called otherwise, or of several sets: the index has to say
            yield ShardSet(folder, stem, 0, (), path)


def _rank(s: ShardSet) -> tuple[int, int, bool, int, int, str]:
    """The set of a folder that a library would read comes first: no variant, by its name, whole before sharded."""
    spelled = s.stem.removesuffix(SAFETENSORS)
    plain = VARIANT.sub("", spelled)
    name = NAMES.index(plain) if plain in NAMES else len(NAMES)
    return (spelled != plain, name, bool(s.total or s.index), s.missing, s.total, s.stem)


def _bytes(s: ShardSet, sizes: Mapping[str, int]) -> int:
    return sum(sizes[p] for p in s.paths)


def _why(s: ShardSet, main: ShardSet) -> str:
    for folder in s.folder.split("/"):
        if folder in FOLDERS:
            return FOLDERS[folder]
    if s.stem == "adapter_model":
        return "an adapter, which is not part of the model"
    variant = VARIANT.search(s.stem.removesuffix(SAFETENSORS))
    if variant:
        return f"the variant {variant[0][1:]}"
    if s.stem.startswith("consolidated"):
        return FOLDERS["original"]
    if (s.folder, s.stem) == (main.folder, main.stem):
        return "the same model in another number of files"
    return "other weights" if s.folder == main.folder else "weights in another folder"


def _unreadable(sizes: Mapping[str, int]) -> dict[str, list[str]]:
    """Files of weights that have no header to read here: format -> paths."""
    found: dict[str, list[str]] = {}
    for path in sorted(sizes):
        if NOT_WEIGHTS.search(path):
            continue
        name = next((f for end, f in FORMATS.items() if path.lower().endswith(end)), "")
        if name:
            found.setdefault(name, []).append(path)
    return found


def _others_of(rest: Mapping[str, list[str]], sizes: Mapping[str, int], prefix: str) -> tuple[OtherCopy, ...]:
    """The files of each other format, listed by folder."""
    found = []
    for name, paths in rest.items():
        by_folder: dict[str, list[str]] = {}
        for path in paths:
            by_folder.setdefault(path[: path.rfind("/") + 1], []).append(path)
        for folder, here in by_folder.items():
            why = FOLDERS.get(folder.split("/")[0], f"{prefix}{name}")
            label = here[0] if len(here) == 1 else f"{folder}*{here[0][here[0].rfind('.') :]}"
            found.append(OtherCopy(label, len(here), sum(sizes[p] for p in here), why))
    return tuple(found)
