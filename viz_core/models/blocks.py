"""What several architectures are built from."""

from __future__ import annotations

from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


def read_both_ways(reader: nn.GRU, embedded: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    """All states of a bidirectional reader (batch, key, width), and the last of either way.

    Padding is not read: the backward reader begins at the last real token.
    """
    if not len(embedded):  # one of several processes may get no row of a small batch
        states, last = reader(embedded)
        return states, last
    lengths = mask.sum(1).cpu()
    packed, last = reader(pack_padded_sequence(embedded, lengths, True, enforce_sorted=False))
    states, _ = pad_packed_sequence(packed, True, total_length=embedded.shape[1])
    return states, last
