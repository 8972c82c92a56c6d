"""Tests of modules that are passed through to SciPy, which are about what Arrays cannot be or hold, each with its reason."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

__all__ = ["EDITS", "EXCLUSIONS", "PROCESSES"]

PROCESSES: Final = "other processes, which cannot import a test's module with other modules swapped"
"""Such tests would wait for ever."""
_PRIVATE: Final = "a private name of SciPy's, used directly"
_ARRAYS: Final = "that results, attributes and arguments of callbacks are ndarrays or scalars; they are Arrays"
_BASE: Final = "which object is the base of an array's memory, or is kept between calls"
_DOK: Final = "sparse arrays of dictionaries, which ours are not: they become CSR"
_HALF: Final = "that float16 is refused; ours is computed in float32"
_OTHERS: Final = "functions of SciPy's other modules, which make objects of the class of ours"
_TEXT: Final = "objects of the test's own where arrays are wanted"

EXCLUSIONS: Final[Mapping[str, Mapping[str, str]]] = {
    "scipy/integrate/tests/test__quad_vec.py": {PROCESSES: r"TestQuadVec::test_quad_vec_pool(_args\[.*\])?"},
    "scipy/interpolate/tests/test_bsplines.py": {
        _ARRAYS: "TestBSpline::test_integrate_0D_always TestInterop::test_splint",
        _PRIVATE: r"TestGivensQR::test_(vs_full|py_vs_compiled) TestGenerateKnots::test_split_add_knot",
    },
    "scipy/interpolate/tests/test_fitpack2.py": {_ARRAYS: "TestUnivariateSpline::test_roots"},
    "scipy/interpolate/tests/test_interpolate.py": {_ARRAYS: "TestInterp1D::test_nd"},
    "scipy/interpolate/tests/test_polyint.py": {_ARRAYS: "TestBarycentric::test_int_input", _TEXT: "test_deriv_shapes"},
    "scipy/interpolate/tests/test_rgi.py": {_BASE: "TestRegularGridInterpolator::test_concurrency"},
    "scipy/ndimage/tests/test_filters.py": {
        _HALF: r"test_gaussian_filter_float16\[numpy\]",
        _ARRAYS: r"TestVectorizedFilter::test_edge_cases\[numpy\]",
    },
    "scipy/optimize/tests/test__differential_evolution.py": {
        _PRIVATE: "TestDifferentialEvolutionSolver::test_constraint_wrapper",
        PROCESSES: "TestDifferentialEvolutionSolver::test_parallel_processes",
    },
    "scipy/optimize/tests/test__shgo.py": {PROCESSES: "TestShgoArguments::test_19_parallelization"},
    "scipy/optimize/tests/test_cobyqa.py": {_ARRAYS: "TestCOBYQA::test_minimize_simple"},
    "scipy/optimize/tests/test_constraints.py": {_ARRAYS: "TestBounds::test_array"},
    "scipy/optimize/tests/test_least_squares.py": {
        PROCESSES: "Test(Dogbox|TRF|LM)::test_workers",
        _ARRAYS: "Test(Dogbox|TRF)::test_solver_selection",
    },
    "scipy/optimize/tests/test_optimize.py": {
        PROCESSES: (
            r"TestBrute::test_workers TestWorkers::test_smoke\[(?!Newton-CG|trust-(ncg|krylov)).*-2\] "
            r"TestWorkers::test_equal_bounds\[.*-2\] test_multiprocessing_too_many_open_files_23080"
        ),
        _ARRAYS: "TestOptimizeSimple::test_bfgs_double_evaluations",
    },
    "scipy/signal/tests/test_ltisys.py": {_ARRAYS: "Test_bode::test_08"},
    "scipy/spatial/tests/test_kdtree.py": {
        _DOK: r"Test_sparse_distance_matrix_c?KDTree::test_(consistency_with_neighbors|ckdtree_return_types)",
        _BASE: "test_kdtree_attributes",
    },
    "scipy/spatial/transform/tests/test_rotation.py": {
        _ARRAYS: r"test_slerp\[numpy\]",
        _PRIVATE: r"test_(from_mrp_single_nd_input|pow)\[numpy-[123]\]",
    },
    "scipy/stats/tests/test_discrete_basic.py": {_PRIVATE: r"test_discrete_basic\[poisson_binom-arg17-True\]"},
    "scipy/stats/tests/test_distributions.py": {
        _ARRAYS: (
            r"Test(Bernoulli|Binom|DLaplace|Geom|Hypergeom|Logser|NBinom|Pearson3|Poisson|RvDiscrete|Zipf)::test_rvs "
            r"TestLevyStable::test_[cp]df_nolan_samples\[.*\]"
        ),
    },
    "scipy/stats/tests/test_multivariate.py": {
        _OTHERS: "TestMultivariateT::test_cdf_against_generic_integrators",
        _PRIVATE: r"TestCovariance::test_factories\[.*\]",
    },
    "scipy/stats/tests/test_qmc.py": {_ARRAYS: r"TestLHS::test_sample_stratified\[None-(True|False)-2\]"},
}
"""By file and reason, regular expressions of the names of tests."""

EDITS: Final[Mapping[str, Mapping[str, str]]] = {
    # The class of a proxy is not derived from those of SciPy's classes; what it stands for is asked.
    "scipy/stats/tests/test_continuous_basic.py": {
        "super(type(stats.uniform), stats.uniform).fit(": "super(type(stats.uniform.scipy), stats.uniform.scipy).fit(",
    },
    "scipy/stats/tests/test_distributions.py": {
        "super(type(dist), dist).fit(": "super(type(dist.scipy), dist.scipy).fit(",
        "super(type(stats.invgauss), stats.invgauss).fit": "super(type(stats.invgauss.scipy), stats.invgauss.scipy).fit",
        "super(type(stats.laplace),": "super(type(stats.laplace.scipy),",
        " stats.laplace).fit(": " stats.laplace.scipy).fit(",
    },
}
"""By file, the new text for the old."""
