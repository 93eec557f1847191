"""Models of a visitor's own: opened for whom they may be, computed once for all who ask."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Concatenate, ParamSpec, TypeVar

import streamlit as st

from viz_core.probe import own_folder, own_model
from viz_core.probe.own_model import OwnModel
from viz_core.ui.run import call_key, result, wait_for_others, watched
from viz_core.ui.store import Store

P = ParamSpec("P")
R = TypeVar("R")

owned = Store(own_folder.LARGEST)  # the last model, or a few small ones


def may_name_models() -> bool:
    """Strangers may name those of ATLAS_MODELS only; where there are none, nothing."""
    forwarded = "X-Forwarded-For" in st.context.headers
    return own_folder.is_open(st.get_option("server.address"), forwarded)


def owned_model(folder: str) -> OwnModel:
    """Loaded once for all, one at a time."""
    if not may_name_models():
        raise ValueError(own_folder.CLOSED)
    found: OwnModel = owned.once(
        _version(folder),
        lambda: watched(lambda: own_model.load(folder), is_dear=True),
        wait_for_others,
    )
    return found


def run_own(
    function: Callable[Concatenate[OwnModel, P], R],
    folder: str,
    /,
    *args: P.args,
    **kwargs: P.kwargs,
) -> R:
    """function(the model in this folder, *args, **kwargs), as ui.run does it for checkpoints."""
    own = owned_model(folder)
    key = (*_version(folder), *call_key(function, (None, *args), kwargs))
    found: R = result(key, lambda: function(own, *args, **kwargs), is_dear=True)
    return found


def _version(folder: str) -> tuple[Hashable, ...]:
    found = own_folder.find(folder.strip()) if folder.strip() else None
    return (folder.strip(), str(found), *(own_folder.version(found) if found else ()))
