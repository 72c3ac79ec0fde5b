"""How hypothesis runs here: the same examples in each run, and no clock, as machines differ."""

from hypothesis import settings

settings.register_profile("paramwidget", deadline=None, derandomize=True)
settings.load_profile("paramwidget")
