"""The shapes of objects, parameters and events, as `TypedDict`: `from tollgate.types import Payment`."""

from .generated.types import *  # noqa: F403
