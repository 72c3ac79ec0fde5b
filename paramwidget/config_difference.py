"""How configs differ: field by field under one name each, and whether a field decides what is counted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from .architectures.nested import TEXT_KEYS
from .breakdown import Breakdown
from .config_names import ALIASES
from .counting import count
from .errors import ParamWidgetError

#: what names a file or its writer, and no size of the model
_LABELS = frozenset({"_name_or_path", "transformers_version", "architectures", "auto_map", "model_type"})

_Path = tuple[str, ...]


class _Absent:
    """The value of a field that a config neither gives nor has a default for."""

    def __repr__(self) -> str:
        return "–"


ABSENT = _Absent()


@dataclass(frozen=True, slots=True)
class Difference:
    """A field that is not the same everywhere.

    field    its name, with the names of the objects around it: ``vision_config.num_hidden_layers``; the canonical one
             where the configs spell it differently
    values   one a model, in their order; ABSENT where a config has none
    decides  whether the tensors of one of these models would change with it
    """

    field: str
    values: tuple[Any, ...]
    decides: bool


def differences(breakdowns: Sequence[Breakdown]) -> tuple[Difference, ...]:
    """The fields that differ, those that decide what is counted first.

    Spellings of one field are one (``n_layer`` is ``num_hidden_layers``); a default that the class gives is as good as
    the same value in the file; of two lists with an entry a layer, one that begins like the other does not differ. To
    see whether a field decides, it is set to another model's value, and the tensors are counted again.

    >>> pair = [count(f"openai/gpt-oss-{size}b") for size in (20, 120)]
    >>> [(d.field, *d.values) for d in differences(pair) if d.decides]
    [('num_hidden_layers', 24, 36), ('num_local_experts', 32, 128)]
    """
    probes = [_Probe(b) for b in breakdowns]
    fields = [p.fields for p in probes]
    names = list(dict.fromkeys(name for some in fields for name in some))
    found = []
    for name in names:
        values = [some[name].value if name in some else ABSENT for some in fields]
        if any(not _alike(values[0], v) for v in values[1:]):
            found.append(Difference(_spelling(name, fields), tuple(values), _decides(probes, name)))
    return tuple(sorted(found, key=lambda d: not d.decides))


@dataclass(frozen=True, slots=True)
class _Field:
    """A value, and where the config has it or would have it."""

    value: Any
    path: _Path
    given: bool = True


def _fields(b: Breakdown) -> dict[str, _Field]:
    """Canonical name -> field. Where two keys have one name and not one value, the later keeps its own path."""
    found: dict[str, _Field] = {}
    for path, value in _walk(b.config):
        name = _name(path)
        if name in found and not _alike(found[name].value, value):
            name = ".".join(path)
        found.setdefault(name, _Field(value, path))
    for key, value in b.defaulted.items():
        path = tuple(key.split("."))
        if value is not None:
            plain = int(value) if type(value) is not bool and isinstance(value, int) else value
            found.setdefault(_name(path), _Field(plain, path, given=False))
    return found


def _name(path: _Path) -> str:
    """The canonical name; what the config of a text model within says is said of the model."""
    inner = path[1:] if len(path) > 1 and path[0] in TEXT_KEYS else path
    return ".".join([*inner[:-1], canonical(inner[-1])])


def _spelling(name: str, fields: Sequence[Mapping[str, _Field]]) -> str:
    """The name by which all configs that give a field call it; else the canonical one."""
    own = {some[name].path[-1] for some in fields if name in some and some[name].given}
    return ".".join([*name.split(".")[:-1], own.pop()]) if len(own) == 1 else name


def _walk(config: Mapping[str, Any], above: _Path = ()) -> Iterator[tuple[_Path, Any]]:
    for key, value in config.items():
        if key in _LABELS:
            continue
        if isinstance(value, Mapping):
            yield from _walk(value, (*above, str(key)))
        elif value is not None:
            yield (*above, str(key)), value


def _spellings() -> dict[str, str]:
    """Each spelling of a field -> the first name of the table that it is linked with."""
    first: dict[str, str] = {}
    for name, others in ALIASES.items():
        known = next((first[n] for n in (name, *others) if n in first), name)
        for n in (name, *others):
            first.setdefault(n, known)
    return first


_SPELLINGS = _spellings()


def canonical(key: str) -> str:
    """One name for all spellings of a field.

    >>> canonical("n_layer"), canonical("num_local_experts"), canonical("rope_theta")
    ('num_hidden_layers', 'num_experts', 'rope_theta')
    """
    return _SPELLINGS.get(key, key)


def _alike(a: Any, b: Any) -> bool:
    """Equal; or two lists of which one is the beginning of the other, as they have an entry for each layer."""
    if isinstance(a, list | tuple) and isinstance(b, list | tuple):
        short = min(len(a), len(b))
        return short > 0 and list(a[:short]) == list(b[:short])
    return bool(a == b) and isinstance(a, bool) == isinstance(b, bool)


class _Probe:
    """Counts a model again with one field set otherwise."""

    def __init__(self, b: Breakdown) -> None:
        self.config = b.config
        self.fields = _fields(b)

    @cached_property
    def tensors(self) -> list[tuple[object, ...]]:
        """What the config implies as it is."""
        return _tensors(count(dict(self.config)))

    def changes(self, name: str, value: Any) -> bool:
        """Whether it then has other tensors, or is no model at all."""
        field = self.fields.get(name)
        inside = [key for key in TEXT_KEYS if isinstance(self.config.get(key), Mapping)][:1]
        path = field.path if field else (*inside, name) if "." not in name else tuple(name.split("."))
        try:
            return _tensors(count(_with(self.config, path, value))) != self.tensors
        except ParamWidgetError:
            return True


def _decides(probes: Sequence[_Probe], name: str) -> bool:
    """Whether another value would change the tensors of one of the models."""
    given = [p.fields[name].value if name in p.fields else ABSENT for p in probes]
    for probe, mine in zip(probes, given, strict=True):
        tried: list[Any] = [mine]
        for value in given:
            # what another family lacks says nothing of this one: then the value itself is varied
            other = _varied(mine) if value is ABSENT else value
            if not any(_alike(other, t) for t in tried):
                tried.append(other)
                if probe.changes(name, other):
                    return True
    return False


def _varied(value: Any) -> Any:
    """Another value of the same kind; of words and fractions there is none that is sure to be allowed."""
    if isinstance(value, bool):
        return not value
    return 2 * value if isinstance(value, int) and value else 1 if value == 0 else ABSENT


def _with(config: Mapping[str, Any], path: _Path, value: Any) -> dict[str, Any]:
    """The config with one field set, or taken out."""
    key, *rest = path
    copy = dict(config)
    if rest:
        inner = copy.get(key)
        copy[key] = _with(inner if isinstance(inner, Mapping) else {}, tuple(rest), value)
    elif value is ABSENT:
        copy.pop(key, None)
    else:
        copy[key] = value
    return copy


def _tensors(b: Breakdown) -> list[tuple[object, ...]]:
    return [
        (t.name, tuple(map(int, t.shape)), t.role, t.kind, int(t.copies), int(t.active_copies), t.tied_to)
        for t in b.tensors
    ]
