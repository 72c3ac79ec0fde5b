"""Run the steps of `make test`, each as `make test-STEP`, all of them even if one fails, and sum up."""

import os
import subprocess
import sys
import time


def main(steps: list[str]) -> int:
    # Without the outer make's flags: its jobserver would be announced to a make that cannot reach it.
    environment = {key: value for key, value in os.environ.items() if key not in ("MAKEFLAGS", "MAKELEVEL")}
    results = []
    for step in steps:
        print(f"\n=== {step}", flush=True)
        started = time.monotonic()
        status = subprocess.call(["make", "--no-print-directory", f"test-{step}"], env=environment)
        results.append((step, status, time.monotonic() - started))

    failed = [step for step, status, _ in results if status]
    print("\n=== summary")
    for step, status, seconds in results:
        print(f"{'FAILED' if status else 'passed':8}{step:12}{seconds:7.1f} s")
    if failed:
        print(f"{len(failed)} of {len(steps)} steps failed; run one again with `make test-{failed[0]}`")
        return 1
    print(f"all {len(steps)} steps passed")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
