"""The image encoder against a reference written with torch's own functions, layer by layer."""

import torch
from torch.nn.functional import batch_norm, conv2d, pad, relu6

from viz_core.models.efficientnet import (
    EPSILON,
    MEAN,
    SPREAD,
    EfficientNetLite,
    folded,
    names,
    pixels_of,
)

# kernel, stride, whether its input is added: as the published network lists its sixteen blocks
BLOCKS = [
    *[(3, 1, False), (3, 2, False), (3, 1, True), (5, 2, False), (5, 1, True)],
    *[(3, 2, False), (3, 1, True), (3, 1, True), (5, 1, False), (5, 1, True), (5, 1, True)],
    *[(5, 2, False), (5, 1, True), (5, 1, True), (5, 1, True), (3, 1, False)],
]


def published():
    """Weights of the published shapes and names, with a normalisation that does something."""
    torch.manual_seed(3)
    ours = EfficientNetLite().state_dict()
    weights = {"_fc.weight": ours["classes.weight"], "_fc.bias": ours["classes.bias"]}
    for name, convolution, norm in names():
        outputs = len(ours[f"{name}.bias"])
        weights[f"{convolution}.weight"] = torch.randn_like(ours[f"{name}.weight"]) * (
            ours[f"{name}.weight"][0].numel() ** -0.5
        )
        weights[f"{norm}.weight"], weights[f"{norm}.running_var"] = torch.rand(2, outputs) + 0.5
        weights[f"{norm}.bias"], weights[f"{norm}.running_mean"] = torch.randn(2, outputs) * 0.2
    return weights


def same(grid, weight, kernel, stride, groups=1):
    """TensorFlow's "same": the odd zero goes to the right and below."""
    total = max(kernel - stride, 0) if grid.shape[-1] % stride == 0 else kernel - 1
    return conv2d(
        pad(grid, (total // 2, total - total // 2) * 2), weight, None, stride, 0, 1, groups
    )


def normed(grid, weights, name):
    parts = (weights[f"{name}.{p}"] for p in ("running_mean", "running_var", "weight", "bias"))
    return batch_norm(grid, *parts, eps=EPSILON)


def reference(weights, pixels):
    w = weights
    grid = same((pixels - MEAN) / SPREAD, w["_conv_stem.weight"], 3, 2)
    grid = relu6(normed(grid, w, "_bn0"))
    yield grid
    for number, (kernel, stride, added) in enumerate(BLOCKS):
        name, wide = f"_blocks.{number}.", grid
        if number:
            wide = conv2d(grid, w[f"{name}_expand_conv.weight"])
            wide = relu6(normed(wide, w, f"{name}_bn0"))
        wide = same(wide, w[f"{name}_depthwise_conv.weight"], kernel, stride, wide.shape[1])
        wide = relu6(normed(wide, w, f"{name}_bn1"))
        narrow = normed(conv2d(wide, w[f"{name}_project_conv.weight"]), w, f"{name}_bn2")
        grid = grid + narrow if added else narrow
        yield grid
    yield relu6(normed(conv2d(grid, w["_conv_head.weight"]), w, "_bn1"))


@torch.inference_mode()
def test_every_layer_equals_the_reference():
    weights = published()
    model = EfficientNetLite().eval()
    model.load_state_dict(folded(weights))
    pixels = torch.rand(2, 3, 64, 64) * 255
    layers = list(model.layers(pixels))
    assert len(layers) == 18
    for ours, theirs in zip(layers, reference(weights, pixels), strict=True):
        torch.testing.assert_close(ours, theirs, atol=1e-3, rtol=1e-3)


@torch.inference_mode()
def test_a_picture_becomes_a_grid_and_the_grid_a_thousand_classes():
    model = EfficientNetLite().eval()
    pixels = pixels_of(torch.randint(0, 256, (50, 90, 3), dtype=torch.uint8))
    assert pixels.shape == (1, 3, 224, 224)
    deep = model.deep(pixels)
    assert deep.shape == (1, 320, 7, 7)
    assert model.classify(model.read(deep)).shape == (1, 1000)
    assert sum(each.numel() for each in model.parameters()) == 4_631_000
