"""What is read of a repository: one commit, headers by range, the index past them, the Hub's own total beside."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from paramwidget.errors import BadCheckpoint, Incomplete, NotFound, SourceError, Unreachable
from paramwidget.sources.checkpoint import read_checkpoint
from paramwidget.sources.files import FolderFiles
from paramwidget.sources.hub import read_inventory

from . import OLD, SHA, Fault, File, Hub, safetensors, sharded
from .headers import Tensor

ONE: list[Tensor] = [("a.weight", "BF16", (1000, 1000)), ("a.bias", "F32", (7,))]
TWO: list[Tensor] = [("b.weight", "F8_E4M3", (30, 20))]
REPO = "some/model"
TOKEN = "hf_" + "secret" * 5


def paths_asked(hub: Hub, host: str = "hub") -> list[str]:
    return [a.path.split("?")[0].rpartition("/resolve/")[2] for a in hub.asked_about(REPO, host)]


# ------------------------------------------------------------------ one commit, few bytes


def test_a_single_file_is_read_at_the_commit_that_its_branch_names(hub: Hub) -> None:
    hub.add(
        REPO,
        {"config.json": "{}", "model.safetensors": safetensors(ONE)},
        total={"BF16": 1_000_000, "F32": 7},
    )
    found = read_inventory(REPO)
    assert [(t.name, t.dtype, t.shape, t.nbytes, t.file) for t in found.tensors] == [
        ("a.weight", "BF16", (1000, 1000), 2_000_000, 0),
        ("a.bias", "F32", (7,), 28, 0),
    ]
    assert (found.format, found.repo, found.revision) == ("safetensors", REPO, SHA)
    assert (found.elements, found.nbytes) == (1_000_007, 2_000_028)
    assert (found.hub_total, found.hub_by_dtype) == (1_000_007, {"BF16": 1_000_000, "F32": 7})
    assert (found.problems, found.others, found.missing) == ((), (), {})
    assert found.files[0].path == "model.safetensors"
    assert found.files[0].size == found.files[0].header_bytes + 2_000_028
    assert found.metadata == {"format": "pt"}


def test_the_commit_is_asked_for_once_and_every_other_request_names_it(hub: Hub) -> None:
    hub.add(REPO, {"config.json": "{}", **sharded([ONE, TWO])}, names=("main", "v1"), total={"BF16": 1})
    read_inventory(REPO, "v1")
    first, *others = [a for a in hub.asked if REPO in a.path]
    assert first.bare == f"/api/models/{REPO}/revision/v1"
    assert others
    assert all(SHA in a.path for a in others)


def test_each_revision_has_its_own_files_and_its_own_total(hub: Hub) -> None:
    hub.add(REPO, {"model.safetensors": safetensors(ONE)}, total={"BF16": 1_000_007})
    hub.add(REPO, {"model.safetensors": safetensors(TWO)}, commit=OLD, names=("v0",), total={"F8_E4M3": 600})
    assert (read_inventory(REPO).elements, read_inventory(REPO).hub_total) == (1_000_007, 1_000_007)
    for revision in ("v0", OLD):
        old = read_inventory(REPO, revision)
        assert (old.elements, old.hub_total, old.revision) == (600, 600, OLD)


def test_a_revision_with_a_slash_is_one_revision(hub: Hub) -> None:
    hub.add(REPO, {"model.safetensors": safetensors(ONE)}, names=("refs/pr/4",))
    assert read_inventory(REPO, "refs/pr/4").elements == 1_000_007
    assert f"/api/models/{REPO}/revision/refs%2Fpr%2F4" in hub.asked[0].path


def test_of_a_large_file_little_more_than_the_header_is_read(hub: Hub) -> None:
    hub.add(REPO, {"model.safetensors": safetensors([("a", "F32", (1 << 20, 1 << 18))])})
    assert read_inventory(REPO).nbytes == 1 << 40
    assert sum(a.sent for a in hub.asked_about(REPO, "cdn")) <= 96 << 10


def test_a_header_longer_than_the_first_range_is_read_to_its_end_and_no_further(hub: Hub) -> None:
    many = [(f"layers.{i}.weight", "U8", (1000,)) for i in range(3000)]
    file = safetensors(many)
    hub.add(REPO, {"model.safetensors": file})
    assert len(read_inventory(REPO).tensors) == 3000
    assert sum(a.sent for a in hub.asked_about(REPO, "cdn")) == len(file.head) > 96 << 10


def test_where_ranges_are_ignored_the_answer_is_left_after_the_header(hub: Hub) -> None:
    many = [(f"layers.{i}.weight", "U8", (1 << 20,)) for i in range(3000)]  # 3 GB, a header of 200 kB
    file = safetensors(many)
    hub.add(REPO, {"model.safetensors": file}, faults=[Fault(how="whole", where="cdn")])
    assert len(read_inventory(REPO).tensors) == 3000
    assert sum(a.sent for a in hub.asked_about(REPO, "cdn")) < 30_000_000  # what was on its way


def test_shards_are_read_with_about_one_request_each_and_in_their_order(hub: Hub) -> None:
    shards = [[(f"layers.{s}.{i}.weight", "BF16", (8, 8)) for i in range(400)] for s in range(60)]
    files = sharded(shards, digits=6)
    hub.add(REPO, {"config.json": "{}", **files})
    found = read_inventory(REPO)
    assert [t.name for t in found.tensors] == [name for shard in shards for name, _, _ in shard]
    assert [f.path for f in found.files] == [p for p in files if p.endswith(".safetensors")]
    assert found.problems == ()
    headers = sum(f.header_bytes for f in found.files)
    assert sum(a.sent for a in hub.asked_about(REPO, "cdn")) < 1.2 * headers
    assert len(hub.asked_about(REPO, "cdn")) < 1.5 * 60


def test_without_another_host_the_hub_itself_is_read(hub: Hub) -> None:
    hub.cdn = False
    hub.add(REPO, {"model.safetensors": safetensors(ONE)})
    assert read_inventory(REPO).elements == 1_000_007
    assert hub.asked_about(REPO, "cdn") == []


def test_a_total_that_the_api_leaves_out_at_first_is_asked_for_at_the_commit(
    hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    from . import server

    hub.add(REPO, {"model.safetensors": safetensors(TWO)}, total={"F8_E4M3": 600})
    whole = server._model_info
    monkeypatch.setattr(
        server,
        "_model_info",
        lambda repo, commit, query: whole(
            repo, commit, query if "expand" in query else {**query, "expand": ["siblings"]}
        ),
    )
    assert read_inventory(REPO, "main").hub_total == 600
    assert hub.asked[1].path == f"/api/models/{REPO}/revision/{SHA}?expand=safetensors"


def test_the_hub_may_say_nothing_of_a_total(hub: Hub) -> None:
    hub.add(REPO, {"model.safetensors": safetensors(TWO)})
    found = read_inventory(REPO)
    assert (found.hub_total, found.hub_by_dtype) == (None, {})


def test_a_list_of_files_without_sizes_is_completed_by_the_tree_at_the_commit(
    hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    from . import server

    hub.add(REPO, {"model.safetensors": safetensors(TWO), "a/b.txt": "x"})
    whole = server._model_info
    monkeypatch.setattr(server, "_model_info", lambda repo, commit, query: whole(repo, commit, {}))
    assert read_inventory(REPO).elements == 600
    assert any(a.bare == f"/api/models/{REPO}/tree/{SHA}" for a in hub.asked)


def test_progress_is_told_file_by_file_and_no_bar_is_shown(
    hub: Hub, capsys: pytest.CaptureFixture[str]
) -> None:
    hub.add(REPO, sharded([[(f"{i}.weight", "U8", (2,))] for i in range(12)]))
    told: list[tuple[int, int, str]] = []
    read_inventory(REPO, progress=lambda *step: told.append(step))
    assert [step for step in told if step[2] == "headers"] == [(n, 12, "headers") for n in range(1, 13)]
    assert told[-1] == (1, 1, "index")
    assert capsys.readouterr().err == ""


def test_a_bar_is_shown_for_many_files_that_take_long(
    hub: Hub, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from paramwidget.sources.hub import ranges

    monkeypatch.setattr(ranges, "BAR_AFTER", 0)
    hub.latency = 0.1
    hub.add(REPO, sharded([[(f"{i}.weight", "U8", (2,))] for i in range(12)]))
    read_inventory(REPO)
    assert f"{REPO}: headers" in capsys.readouterr().err


# ------------------------------------------------------------------ what disagrees


def edited(files: dict[str, File | bytes], **metadata: object) -> dict[str, File | bytes]:
    raw = files["model.safetensors.index.json"]
    assert isinstance(raw, bytes)
    return files | {
        "model.safetensors.index.json": json.dumps({**json.loads(raw), "metadata": metadata}).encode()
    }


def test_an_index_that_agrees_is_not_spoken_of(hub: Hub) -> None:
    hub.add(REPO, sharded([ONE, TWO]))
    found = read_inventory(REPO)
    assert found.problems == ()
    assert [(d.key, d.value) for d in found.declared] == [("total_size", 2_000_628)]


def test_a_total_of_the_index_that_is_wrong_is_said_and_the_headers_are_believed(hub: Hub) -> None:
    hub.add(REPO, edited(sharded([ONE, TWO]), total_size=0, total_parameters=1_000_607))
    found = read_inventory(REPO)
    assert found.elements == 1_000_607
    assert found.problems == (
        "model.safetensors.index.json declares total_size 0; the headers hold 2,000,628 bytes (-2,000,628).",
    )


def test_a_missing_shard_is_said_and_the_tensors_that_it_should_hold_are_named(hub: Hub) -> None:
    files = sharded([ONE, TWO])
    del files["model-00002-of-00002.safetensors"]
    hub.add(REPO, files)
    found = read_inventory(REPO)
    assert found.elements == 1_000_007
    assert found.missing == {"b.weight": "model-00002-of-00002.safetensors"}
    assert found.problems == (
        "Shards of model-*-of-2.safetensors that are missing: 1 of 2.",
        "model-00002-of-00002.safetensors is named by model.safetensors.index.json and not there.",
        "'b.weight' is in model.safetensors.index.json, and in none of the files that were read.",
        "model.safetensors.index.json declares total_size 2,000,628; the headers hold 2,000,028 bytes (+600).",
    )


def test_a_shard_that_the_index_does_not_name_is_counted_and_said(hub: Hub) -> None:
    files = sharded([ONE, TWO])
    weight_map = dict.fromkeys(["a.weight", "a.bias"], "model-00001-of-00002.safetensors")
    files["model.safetensors.index.json"] = json.dumps({"weight_map": weight_map}).encode()
    hub.add(REPO, files)
    found = read_inventory(REPO)
    assert found.elements == 1_000_607
    assert found.problems == (
        "model-00002-of-00002.safetensors is not named by model.safetensors.index.json, and counted: headers are "
        "believed.",
        "'b.weight' is in the files, and not in model.safetensors.index.json.",
    )


def test_a_file_of_another_name_that_the_index_names_is_read_too(hub: Hub) -> None:
    files = sharded([ONE, TWO])
    weight_map = {
        **dict.fromkeys(["a.weight", "a.bias"], "model-00001-of-00002.safetensors"),
        "b.weight": "model-00002-of-00002.safetensors",
        "mtp.weight": "mtp.safetensors",
    }
    files["model.safetensors.index.json"] = json.dumps({"weight_map": weight_map}).encode()
    files["mtp.safetensors"] = safetensors([("mtp.weight", "BF16", (3, 3))])
    hub.add(REPO, files)
    found = read_inventory(REPO)
    assert (found.elements, found.problems, found.others) == (1_000_616, (), ())


def test_of_two_shard_sets_the_one_that_the_index_names_is_read(hub: Hub) -> None:
    files = {**sharded([ONE, TWO]), **sharded([[t] for t in (*ONE, *TWO)])}  # the index is that of the three
    hub.add(REPO, files)
    found = read_inventory(REPO)
    assert [f.path for f in found.files] == [f"model-0000{i}-of-00003.safetensors" for i in (1, 2, 3)]
    assert (found.elements, found.problems) == (1_000_607, ())
    assert [(o.path, o.files) for o in found.others] == [("model-*-of-2.safetensors", 2)]


def test_a_tensor_in_two_files_is_counted_once_and_said(hub: Hub) -> None:
    hub.add(REPO, {k: v for k, v in sharded([ONE, [*TWO, ONE[0]]]).items() if k.endswith(".safetensors")})
    found = read_inventory(REPO)
    assert found.elements == 1_000_607
    assert found.problems == (
        "Tensors in more than one file, counted once: 1 (1,000,000 elements), such as 'a.weight' in "
        "model-00001-of-00002.safetensors and model-00002-of-00002.safetensors.",
    )


def test_an_index_that_points_out_of_the_repository_is_refused(hub: Hub) -> None:
    index = json.dumps({"weight_map": {"a": "../../other/model/resolve/main/x.safetensors"}})
    hub.add(REPO, {"model.safetensors.index.json": index})
    with pytest.raises(BadCheckpoint, match="which is not a file below its folder"):
        read_inventory(REPO)


def test_an_index_of_files_that_are_not_there_is_incomplete(hub: Hub) -> None:
    hub.add(REPO, {"model.safetensors.index.json": json.dumps({"weight_map": {"a": "x.safetensors"}})})
    with pytest.raises(
        Incomplete, match=r"some/model has model.safetensors.index.json, and none of the files that it"
    ):
        read_inventory(REPO)


def test_an_unknown_dtype_is_named(hub: Hub) -> None:
    from .headers import framed

    head = framed(b'{"a":{"dtype":"F3_NEW","shape":[8],"data_offsets":[0,3]}}')
    hub.add(REPO, {"model.safetensors": File(head, len(head) + 3)})
    found = read_inventory(REPO)
    assert [(t.dtype, t.nbytes) for t in found.tensors] == [("F3_NEW", 3)]
    assert found.problems == (
        "The dtype 'F3_NEW' is not known here; tensors that have it: 1, with the bytes of the file.",
    )


# ------------------------------------------------------------------ which files


def test_the_parts_of_a_pipeline_are_read_and_their_tensors_named_with_the_folder(hub: Hub) -> None:
    listed = {
        "_class_name": "X",
        "unet": ["diffusers", "UNet"],
        "vae": ["diffusers", "VAE"],
        "safety_checker": [None, None],
    }
    hub.add(
        REPO,
        {
            "model_index.json": json.dumps(listed),
            "unet/diffusion_pytorch_model.safetensors": safetensors(ONE),
            **{f"vae/{k}": v for k, v in sharded([ONE, TWO], stem="diffusion_pytorch_model").items()},
            "safety_checker/model.safetensors": safetensors(TWO),
        },
    )
    found = read_inventory(REPO)
    assert [t.name for t in found.tensors] == [
        *("unet/a.weight", "unet/a.bias", "vae/a.weight", "vae/a.bias", "vae/b.weight")
    ]
    assert (found.elements, found.problems) == (2_000_614, ())
    assert [o.path for o in found.others] == ["safety_checker/model.safetensors"]


def test_the_modules_of_sentence_transformers_are_read(hub: Hub) -> None:
    modules = [{"idx": i, "path": path, "type": "x"} for i, path in enumerate(["", "1_Pooling", "2_Dense"])]
    hub.add(
        REPO,
        {
            "modules.json": json.dumps(modules),
            "model.safetensors": safetensors(ONE),
            "1_Pooling/config.json": "{}",
            "2_Dense/model.safetensors": safetensors([("linear.weight", "F32", (4, 4))]),
        },
    )
    found = read_inventory(REPO)
    assert [t.name for t in found.tensors] == ["a.weight", "a.bias", "2_Dense/linear.weight"]


def test_a_list_of_parts_that_is_no_json_is_refused(hub: Hub) -> None:
    hub.add(REPO, {"model_index.json": "<html>", "model.safetensors": safetensors(ONE)})
    with pytest.raises(
        BadCheckpoint, match=r"model_index\.json is not JSON, so it cannot say where the parts are"
    ):
        read_inventory(REPO)


def test_weights_beside_the_model_are_listed_and_never_read(hub: Hub) -> None:
    hub.add(
        REPO,
        {
            "model.safetensors": safetensors(ONE),
            "original/model.safetensors": safetensors(ONE),
            "metal/model.bin": File(b"", 5000),
        },
    )
    found = read_inventory(REPO)
    assert [(o.path, o.files, o.why) for o in found.others] == [
        ("original/model.safetensors", 1, "the weights in the layout in which they were trained"),
        ("metal/model.bin", 1, "the weights laid out for Metal"),
    ]
    assert not any("original" in a.path or "metal" in a.path for a in hub.asked)


def test_pytorch_files_alone_have_no_header_to_read(hub: Hub) -> None:
    hub.add(REPO, {"config.json": "{}", "pytorch_model.bin": File(b"PK", 5000)})
    found = read_inventory(REPO)
    assert (found.format, found.tensors, found.revision) == ("unread", (), SHA)
    assert found.problems == (
        "The weights are in the format PyTorch alone (pytorch_model.bin), which has no header to read. "
        "The count is that of the config; nothing was measured.",
    )
    assert not any("pytorch_model" in a.path for a in hub.asked)


def test_a_repository_without_weights_is_incomplete(hub: Hub) -> None:
    hub.add(REPO, {"config.json": "{}", "README.md": "x"})
    with pytest.raises(Incomplete, match=r"some/model holds no weights: no file of it is safetensors"):
        read_inventory(REPO)


# ------------------------------------------------------------------ offline, and folders


def in_cache(tmp_path: Path, files: dict[str, File | bytes]) -> Path:
    snapshot = tmp_path / "hub" / "models--some--model" / "snapshots" / SHA
    refs = tmp_path / "hub" / "models--some--model" / "refs"
    refs.mkdir(parents=True)
    (refs / "main").write_text(SHA)
    for path, content in {"config.json": b"{}", **files}.items():
        (snapshot / path).parent.mkdir(parents=True, exist_ok=True)
        with (snapshot / path).open("wb") as file:
            file.write(content if isinstance(content, bytes) else content.head)
            file.truncate(len(content) if isinstance(content, bytes) else content.size)
    return snapshot


def test_offline_the_files_in_the_cache_are_read(
    hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from huggingface_hub import constants

    in_cache(tmp_path, sharded([ONE, TWO]))
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    for revision in (None, "main", SHA):
        found = read_inventory(REPO, revision)
        assert (found.elements, found.revision, found.problems) == (1_000_607, SHA, ())
        assert (found.repo, found.hub_total) == (REPO, None)
    assert hub.asked == []


def test_offline_a_cache_without_weights_is_incomplete_and_says_so(
    hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from huggingface_hub import constants

    in_cache(tmp_path, {})
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    with pytest.raises(Incomplete) as caught:
        read_inventory(REPO)
    assert str(caught.value).startswith(
        f"{REPO}: HF_HUB_OFFLINE is set, and the cache of this machine holds no weights at commit {SHA[:12]}"
    )
    with pytest.raises(
        Unreachable, match="HF_HUB_OFFLINE is set, and the cache of this machine does not hold it"
    ):
        read_inventory("other/model")
    assert hub.asked == []


def test_a_folder_is_read_as_a_repository_is(tmp_path: Path) -> None:
    found = read_checkpoint(FolderFiles(in_cache(tmp_path, sharded([ONE, TWO])), label="mine"))
    assert (found.repo, found.revision, found.elements) == ("mine", None, 1_000_607)


def test_a_shard_of_a_folder_that_is_cut_is_named(tmp_path: Path) -> None:
    folder = in_cache(tmp_path, {"model.safetensors": safetensors(ONE)})
    with (folder / "model.safetensors").open("r+b") as file:
        file.truncate(1000)
    with pytest.raises(BadCheckpoint) as caught:
        read_checkpoint(FolderFiles(folder))
    assert f"The header of '{folder}/model.safetensors' puts 'a.weight'" in str(caught.value)
    assert "it was not written to its end" in str(caught.value)


# ------------------------------------------------------------------ names


@pytest.mark.parametrize("revision", ["v9", "f" * 40, "0123456789abcdef0123456789abcdef0123456"])
def test_a_revision_that_is_not_there_is_not_found_and_no_other_is_read(hub: Hub, revision: str) -> None:
    hub.add(REPO, {"config.json": "{}", "model.safetensors": safetensors(ONE)})
    with pytest.raises(NotFound) as caught:
        read_inventory(REPO, revision)
    assert str(caught.value) == (
        f"{REPO} at revision '{revision}': the repository has no such revision. So there is no config.json to read; "
        f"nothing was read from another one. Check the branch, tag or commit. Incomplete."
    )
    assert len(hub.asked_about(REPO)) == 1


def test_a_repository_that_is_not_there_is_not_found(hub: Hub) -> None:
    with pytest.raises(
        NotFound, match="openai/gpt-oss-210b: the Hub knows no such repository, or it is private"
    ):
        read_inventory("openai/gpt-oss-210b", token=TOKEN)
    with pytest.raises(SourceError, match="'not an id' is not a repository id"):
        read_inventory("not an id")
