"""How the tests run: the same examples in each run and no clock, as machines differ; and no torch, wherever it is."""

import sys

from hypothesis import settings

settings.register_profile("paramwidget", deadline=None, derandomize=True)
settings.load_profile("paramwidget")

# a refusal would otherwise be an answer where transformers happens to be installed
sys.modules["torch"] = sys.modules["transformers"] = None  # type: ignore[assignment]
