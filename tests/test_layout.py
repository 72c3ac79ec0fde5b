"""Which files of a repository are the model: by the names that the libraries look for."""

from __future__ import annotations

import time

import pytest

from paramwidget.sources.layout import choose


def shards(stem: str, total: int, digits: int = 5) -> dict[str, int]:
    return {f"{stem}-{i:05d}-of-{total:0{digits}d}.safetensors": 10 for i in range(1, total + 1)}


def chosen(files: dict[str, int], components: tuple[str, ...] = ()) -> list[str]:
    return [s.name for s in choose(files, components).sets]


INDEX = {"model.safetensors.index.json": 5}


@pytest.mark.parametrize(
    ("files", "read"),
    [
        ({"model.safetensors": 9, "config.json": 1}, ["model.safetensors"]),
        ({**INDEX, **shards("model", 3)}, ["model-*-of-3.safetensors"]),
        ({**INDEX, **shards("model", 163, 6)}, ["model-*-of-163.safetensors"]),
        # as transformers: the single file goes before the index
        ({"model.safetensors": 9, **INDEX, **shards("model", 3)}, ["model.safetensors"]),
        # Qwen3.5: the ending stands inside of the name too
        ({**INDEX, **shards("model.safetensors", 94)}, ["model.safetensors-*-of-94.safetensors"]),
        # shards without an index
        (shards("model", 2), ["model-*-of-2.safetensors"]),
        # gpt-oss: the root, not original/ nor metal/
        (
            {**INDEX, **shards("model", 15), "original/model.safetensors": 9, "metal/model.bin": 9},
            ["model-*-of-15.safetensors"],
        ),
        # Mistral: shards as transformers reads them, and consolidated ones
        ({**INDEX, **shards("model", 3), **shards("consolidated", 3)}, ["model-*-of-3.safetensors"]),
        (shards("consolidated", 3), ["consolidated-*-of-3.safetensors"]),
        ({"adapter_model.safetensors": 9, "adapter_config.json": 1}, ["adapter_model.safetensors"]),
        ({"model.safetensors": 9, "vision-lora/adapter_model.safetensors": 3}, ["model.safetensors"]),
        # a variant stands in only where there is nothing else
        ({"model.safetensors": 9, "model.fp16.safetensors": 5}, ["model.safetensors"]),
        ({"model.fp16.safetensors": 5}, ["model.fp16.safetensors"]),
        ({"some-name.safetensors": 9}, ["some-name.safetensors"]),
        # one set is whole and another is not
        ({**shards("model", 2), "model-00001-of-00004.safetensors": 10}, ["model-*-of-2.safetensors"]),
    ],
)
def test_the_model_is_what_a_library_would_read(files: dict[str, int], read: list[str]) -> None:
    assert chosen(files) == read


def test_of_two_shard_sets_under_one_index_the_index_decides() -> None:
    found = choose({**INDEX, **shards("model", 2), **shards("model", 4)})
    assert [(s.index, s.paths) for s in found.sets] == [("model.safetensors.index.json", ())]
    assert [o.path for o in found.others] == ["model-*-of-2.safetensors", "model-*-of-4.safetensors"]


def test_the_parts_of_a_pipeline_are_its_folders() -> None:
    files = {
        "model_index.json": 1,
        "flux1-dev.safetensors": 50,
        "unet/diffusion_pytorch_model.safetensors": 9,
        "unet/diffusion_pytorch_model.fp16.safetensors": 5,
        "text_encoder/model.safetensors": 9,
        "transformer/diffusion_pytorch_model.safetensors.index.json": 1,
        **{f"transformer/{k}": v for k, v in shards("diffusion_pytorch_model", 2).items()},
        "vae/diffusion_pytorch_model.safetensors": 9,
    }
    found = choose(files, ("scheduler", "unet", "text_encoder", "transformer"))
    assert [s.name for s in found.sets] == [
        "unet/diffusion_pytorch_model.safetensors",
        "text_encoder/model.safetensors",
        "transformer/diffusion_pytorch_model-*-of-2.safetensors",
    ]
    assert {o.path: o.why for o in found.others} == {
        "flux1-dev.safetensors": "weights in another folder",
        "unet/diffusion_pytorch_model.fp16.safetensors": "the variant fp16",
        "vae/diffusion_pytorch_model.safetensors": "weights in another folder",
    }


def test_the_modules_of_sentence_transformers_are_the_root_and_their_folders() -> None:
    # stella_en_1.5B_v5 has seven more heads beside 2_Dense
    files = {
        "model.safetensors": 90,
        "2_Dense/model.safetensors": 9,
        "2_Dense/pytorch_model.bin": 9,
        "2_Dense_8192/model.safetensors": 18,
    }
    found = choose(files, ("", "1_Pooling", "2_Dense"))
    assert [s.name for s in found.sets] == ["model.safetensors", "2_Dense/model.safetensors"]
    assert [(o.path, o.why) for o in found.others] == [
        ("2_Dense_8192/model.safetensors", "weights in another folder"),
        ("2_Dense/pytorch_model.bin", "another format of the model: PyTorch"),
    ]


def test_what_lies_beside_the_model_is_listed_with_its_bytes_and_the_reason() -> None:
    files = {
        **INDEX,
        **shards("model", 2),
        **{f"original/{k}": v for k, v in shards("model", 7).items()},
        "metal/model.bin": 12,
        **shards("consolidated", 3),
        "pytorch_model-00001-of-00002.bin": 8,
        "pytorch_model-00002-of-00002.bin": 8,
        "tf_model.h5": 16,
        "onnx/model.onnx": 4,
        "training_args.bin": 1,
        "optimizer.pt": 99,
        "README.md": 1,
    }
    assert [(o.path, o.files, o.nbytes, o.why) for o in choose(files).others] == [
        ("consolidated-*-of-3.safetensors", 3, 30, "the weights in the layout in which they were trained"),
        ("original/model-*-of-7.safetensors", 7, 70, "the weights in the layout in which they were trained"),
        ("metal/model.bin", 1, 12, "the weights laid out for Metal"),
        ("*.bin", 2, 16, "another format of the model: PyTorch"),
        ("onnx/model.onnx", 1, 4, "the weights exported to ONNX"),
        ("tf_model.h5", 1, 16, "another format of the model: TensorFlow"),
    ]


def test_weights_in_a_folder_alone_are_read_and_it_is_said() -> None:
    # alibaba/Logics-Thinking keeps its model in model/
    found = choose({"config.json": 1, "model/model.safetensors": 90, "vision/model.safetensors": 9})
    assert [s.name for s in found.sets] == ["model/model.safetensors"]
    assert found.problems == ("There are no weights in its root; what was read lies in model/.",)


def test_missing_shards_are_counted_by_their_names() -> None:
    files = shards("model", 163, 6)
    del files["model-00007-of-000163.safetensors"]
    assert choose(files).problems == ("Shards of model-*-of-163.safetensors that are missing: 1 of 163.",)


@pytest.mark.parametrize(
    ("files", "unread"),
    [
        ({"pytorch_model.bin": 9, "config.json": 1}, "PyTorch"),
        ({"consolidated.00.pth": 9}, "PyTorch"),
        ({"m-Q4_K_M.gguf": 5, "m-Q8_0.gguf": 9}, "GGUF"),
        ({"tf_model.h5": 9, "pytorch_model.bin": 4}, "TensorFlow"),
        ({"config.json": 1, "training_args.bin": 5}, ""),
        ({}, ""),
    ],
)
def test_where_no_file_is_safetensors_the_format_of_the_most_bytes_is_named(
    files: dict[str, int], unread: str
) -> None:
    found = choose(files)
    assert (found.sets, found.unread) == ((), unread)


def test_a_repository_of_very_many_folders_is_sorted_out_in_little_time() -> None:
    files = {
        f"{i}/{name}": i + 1 for i in range(40_000) for name in ("model.safetensors", "pytorch_model.bin")
    }
    start = time.process_time()
    found = choose(files, (str(i) for i in range(0, 40_000, 2)))
    assert (len(found.sets), len(found.others)) == (20_000, 60_000)
    assert choose(files).sets[0].name == "39999/model.safetensors"
    assert time.process_time() - start < 60  # a guard, not a speed
