"""How long the headers of 163 shards take at 50 ms a round trip, how many bytes and how much memory, beside two peers.

The Hub is one of this machine, in a process of its own, with the files of DeepSeek-V3: 91,991 tensors, 684,531,386,000
elements, FP8 with scales. Its files lie on another host, to which each request is redirected, as on the real Hub.
Budgets: faster than hf-mem and than ``huggingface_hub.get_safetensors_metadata``, at most 1.2 × the bytes of the
headers, at most half of hf-mem's memory.

hf-mem is installed into an environment of its own, unless ``HF_MEM_PYTHON`` names a Python that has it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).parents[2]
REPO = "deepseek-ai/DeepSeek-V3"
SHARDS, TENSORS, ELEMENTS = 163, 91_991, 684_531_386_000
LATENCY = 0.05
RUNS = 5

#: what each client runs; it prints the seconds of the call, the most memory that its process had, and what it found
MEASURE = """
import json, sys, time
start = time.perf_counter()
found = read()
seconds = time.perf_counter() - start
with open("/proc/self/status") as status:  # of this program alone; what getrusage says is also of whoever started it
    peak = next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
print(json.dumps({"seconds": seconds, "peak": peak * 1024, "found": found}))
"""
OURS = f"""
from paramwidget.sources.hub import read_inventory
def read():
    found = read_inventory({REPO!r}, progress=lambda *_: None)
    assert not found.problems, found.problems
    return [len(found.tensors), found.elements]
"""
CLIENT = f"""
from huggingface_hub import get_safetensors_metadata
def read():
    found = get_safetensors_metadata({REPO!r})
    return [sum(len(f.tensors) for f in found.files_metadata.values()), sum(found.parameter_count.values())]
"""
#: hf-mem knows one Hub only, so its requests are turned to this one
HF_MEM = f"""
import os, httpx2
class Client(httpx2.AsyncClient):
    async def send(self, request, **about):
        if request.url.host == "huggingface.co":
            hub = httpx2.URL(os.environ["HF_ENDPOINT"])
            request.url = request.url.copy_with(scheme=hub.scheme, host=hub.host, port=hub.port)
            request.headers["Host"] = hub.netloc.decode()
        return await super().send(request, **about)
httpx2.AsyncClient = Client
from hf_mem.run import run
def read():
    found = run({REPO!r}, hf_token="hf_none").safetensors
    return [None, found.param_count]
"""


def hub_of_deepseek_v3() -> None:
    """Serve the files; print the address, then what was sent since the last line on standard input."""
    sys.path.insert(0, str(ROOT / "tests"))
    import layouts
    from hub import Hub, serve, sharded

    import paramwidget as pw

    tensors = list(layouts.with_scales(pw.count(REPO), tied=True))
    assert len(tensors) == TENSORS
    cuts = [i * TENSORS // SHARDS for i in range(SHARDS + 1)]
    files = sharded([tensors[a:b] for a, b in pairwise(cuts)], digits=6)
    headers = sum(len(f.head) for f in files.values() if not isinstance(f, bytes))
    hub = Hub(latency=LATENCY)
    hub.add(REPO, {"config.json": "{}", **files}, total={"F8_E4M3": ELEMENTS})
    with serve(hub):
        print(json.dumps([hub.address, headers]), flush=True)
        for _ in sys.stdin:
            asked, hub.asked = hub.asked, []
            sent = sum(a.sent for a in asked if a.host == "cdn")
            print(json.dumps([len(asked), sent, sum(a.sent for a in asked)]), flush=True)


@contextmanager
def served() -> Iterator[tuple[str, int, Any]]:
    process = subprocess.Popen(
        [sys.executable, __file__, "serve"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin
    assert process.stdout

    def report() -> list[int]:
        process.stdin.write("\n")
        process.stdin.flush()
        return list(json.loads(process.stdout.readline()))

    try:
        address, headers = json.loads(process.stdout.readline())
        yield address, headers, report
    finally:
        process.stdin.close()
        process.wait()


def python_with_hf_mem(folder: Path) -> str | None:
    """A Python that has hf-mem, which is installed if need be; None where it cannot be."""
    given = os.environ.get("HF_MEM_PYTHON")
    if given:
        return given
    venv.create(folder, with_pip=True)
    python = str(folder / "bin" / "python")
    done = subprocess.run([python, "-m", "pip", "install", "-q", "hf-mem"], capture_output=True, check=False)
    return python if done.returncode == 0 else None


def run(python: str, code: str, address: str, home: str) -> dict[str, Any]:
    """One client in a process of its own, with an empty cache."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith("HF_") and "proxy" not in k.lower()}
    with tempfile.TemporaryDirectory(dir=home) as cache:
        done = subprocess.run(
            [python, "-c", code + MEASURE],
            cwd=ROOT,
            env={
                **clean,
                "PYTHONPATH": str(ROOT),
                "HF_ENDPOINT": address,
                "HF_HOME": cache,
                "HF_HUB_DISABLE_TELEMETRY": "1",
                "HF_HUB_DISABLE_PROGRESS_BARS": "1",
                "NO_PROXY": "*",
            },
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stderr[-3000:]
    return dict(json.loads(done.stdout.splitlines()[-1]))


def main() -> None:
    with tempfile.TemporaryDirectory() as home, served() as (address, headers, report):
        hf_mem = python_with_hf_mem(Path(home, "hf-mem"))
        clients = {"paramwidget": (sys.executable, OURS), "huggingface_hub": (sys.executable, CLIENT)}
        if hf_mem:
            clients["hf-mem"] = (hf_mem, HF_MEM)
        report()
        found: dict[str, list[dict[str, Any]]] = {name: [] for name in clients}
        for _ in range(RUNS):  # taken in turns, so that a busy moment falls on all alike
            for name, (python, code) in clients.items():
                one = run(python, code, address, home)
                one["requests"], one["ranges"], one["all"] = report()
                assert one["found"][1] == ELEMENTS, one
                found[name].append(one)
    print(
        f"{SHARDS} shards, {TENSORS:,} tensors, {headers:,} bytes of headers; {LATENCY * 1000:.0f} ms added to each"
    )
    print(f"request; median of {RUNS} runs each")
    print(
        f"{'':16} {'seconds':>8} {'peak MB':>8} {'requests':>9} {'bytes of files ÷ headers':>25} {'all bytes':>12}"
    )
    value = {
        name: {key: median(r[key] for r in runs) for key in ("seconds", "peak", "requests", "ranges", "all")}
        for name, runs in found.items()
    }
    for name, v in value.items():
        print(
            f"{name:16} {v['seconds']:8.2f} {v['peak'] / 1e6:8.1f} {v['requests']:9.0f} "
            f"{v['ranges'] / headers:25.3f} {v['all']:12,.0f}"
        )
    ours = value["paramwidget"]
    for name in ("hf-mem", "huggingface_hub"):
        if name in value:
            ratio = ours["seconds"] / value[name]["seconds"]
            print(f"time ÷ that of {name:16} {ratio:5.2f}  (budget: below 1)")
        else:
            print(f"{name} cannot be installed here, so it is not compared")
    print(f"bytes of files ÷ headers        {ours['ranges'] / headers:5.2f}  (budget: 1.2)")
    if "hf-mem" in value:
        print(f"memory ÷ that of hf-mem         {ours['peak'] / value['hf-mem']['peak']:5.2f}  (budget: 0.5)")


if __name__ == "__main__":
    if sys.argv[1:] == ["serve"]:
        hub_of_deepseek_v3()
    else:
        main()
