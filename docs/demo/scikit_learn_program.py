"""A scikit-learn program that knows nothing of trnarray: it computes wherever its arrays are."""

from typing import Any

import sklearn
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import Ridge


def fit(x: Any, labels: Any, components: int) -> dict[str, Any]:
    """
    Fit three models to the rows of `x`, whose classes are `labels`.

    Gives the principal axes, the coordinates of the rows on the discriminant axes, and the classes that ridge regression and
    linear discriminant analysis find for the rows. scikit-learn's dispatch wants SCIPY_ARRAY_API=1 in the environment before SciPy
    is imported.
    """
    with sklearn.config_context(array_api_dispatch=True):
        axes = PCA(n_components=components, svd_solver="covariance_eigh").fit(x)
        reduced = axes.transform(x)
        xp = x.__array_namespace__()
        classes = xp.unique_values(labels)
        members = xp.astype(labels[:, None] == classes[None, :], x.dtype)
        ridge = Ridge(alpha=1.0, solver="svd").fit(x, members)
        discriminant = LinearDiscriminantAnalysis(solver="svd").fit(reduced, labels)
        return {
            "principal axes": axes.components_,
            "discriminant coordinates": discriminant.transform(reduced),
            "ridge regression": xp.take(classes, xp.argmax(ridge.predict(x), axis=1)),
            "linear discriminant analysis": discriminant.predict(reduced),
        }
