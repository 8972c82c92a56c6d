"""An Array API program: it uses the namespace that its array brings along, and nothing else."""

from typing import Any


def principal_components(x: Any, count: int) -> tuple[Any, Any]:
    """Give the variances along the `count` principal axes of the rows of `x`, and the rows' coordinates on them."""
    xp = x.__array_namespace__()
    centred = x - xp.mean(x, axis=0, keepdims=True)
    covariance = xp.matmul(xp.matrix_transpose(centred), centred) / (x.shape[0] - 1)
    variances, axes = xp.linalg.eigh(covariance)
    return xp.flip(variances)[:count], xp.matmul(centred, xp.flip(axes, axis=1)[:, :count])


def nearest_centroid(x: Any, labels: Any, classes: int) -> Any:
    """Give the class whose mean is nearest to each row of `x`."""
    xp = x.__array_namespace__()
    centroids = xp.stack([xp.mean(x[labels == label], axis=0) for label in range(classes)])
    distances = xp.sum((x[:, None, :] - centroids[None, :, :]) ** 2, axis=-1)
    return xp.argmin(distances, axis=1)
