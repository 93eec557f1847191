"""Greedy and beam search over one protocol, the whole search tree on record."""

from viz_core.decoding.search import (
    STEEPEST as STEEPEST,
    Beam as Beam,
    Candidate as Candidate,
    Found as Found,
    Next as Next,
    Node as Node,
    Normalisation as Normalisation,
    State as State,
    Steps as Steps,
    Tree as Tree,
    beam as beam,
    greedy as greedy,
    normalised as normalised,
)
