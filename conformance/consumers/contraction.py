"""Libraries that contract networks of tensors and decompose tensors, on Arrays: opt_einsum, cotengra, quimb and TensorLy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .check import Call, numbers

__all__ = ["cotengra_checks", "opt_einsum_checks", "quimb_checks", "tensorly_checks"]


def opt_einsum_checks() -> Mapping[str, Call]:
    """Import opt_einsum and list the calls."""
    import opt_einsum

    expression = opt_einsum.contract_expression("ab,bc,cd->ad", (3, 4), (4, 5), (5, 6))
    return {
        "contract": lambda xp: opt_einsum.contract("abc,adc,be->de", numbers(xp, 4, 6, 8), numbers(xp, 4, 6, 8), numbers(xp, 6, 5)),
        "contract_named": lambda xp: opt_einsum.contract("ab,bc->ac", numbers(xp, 3, 4), numbers(xp, 4, 5), backend=xp.__name__),
        "contract_trace": lambda xp: opt_einsum.contract("aab,bc->c", numbers(xp, 4, 4, 3), numbers(xp, 3, 2)),
        "expression": lambda xp: expression(numbers(xp, 3, 4), numbers(xp, 4, 5), numbers(xp, 5, 6)),
        "optimizer": lambda xp: xp.einsum(
            "ab,bc,cd->ad", numbers(xp, 3, 4), numbers(xp, 4, 5), numbers(xp, 5, 6), optimize=_path(xp, opt_einsum.DynamicProgramming())
        ),
    }


def _path(xp: Any, optimizer: Any) -> Any:
    """Let NumPy have a path, since it takes no optimizers."""
    if xp.__name__ == "trnarray":
        return optimizer
    inputs = [frozenset("ab"), frozenset("bc"), frozenset("cd")]
    return ["einsum_path", *optimizer(inputs, frozenset("ad"), dict(zip("abcd", (3, 4, 5, 6), strict=True)))]


def cotengra_checks() -> Mapping[str, Call]:
    """Import cotengra and list the calls."""
    import cotengra

    names = [("a", "b", "c"), ("a", "d", "c"), ("b", "e")]
    shapes = [(4, 6, 8), (4, 6, 8), (6, 5)]
    return {
        "einsum": lambda xp: cotengra.einsum("abc,adc,be->de", *(numbers(xp, *shape) for shape in shapes)),
        "array_contract": lambda xp: cotengra.array_contract([numbers(xp, *shape) for shape in shapes], names, ("d", "e")),
        "sliced": lambda xp: cotengra.array_contract_tree(names, ("d", "e"), shapes=shapes).slice(target_slices=2).contract(
            [numbers(xp, *shape) for shape in shapes]
        ),
    }


def quimb_checks() -> Mapping[str, Call]:
    """Import quimb and list the calls."""
    import quimb.tensor as qtn

    def tensor(xp: Any, labels: str, *shape: int) -> Any:
        return qtn.Tensor(numbers(xp, *shape), inds=tuple(labels))

    def state(xp: Any) -> Any:
        train = qtn.MPS_rand_state(6, 4, seed=1)
        train.apply_to_arrays(xp.asarray)
        return train.H @ train

    def circuit(xp: Any) -> Any:
        gates = qtn.Circuit(4)
        for qubit in range(4):
            gates.h(qubit)
        gates.cx(0, 1)
        gates.rz(0.3, 1)
        gates.cx(1, 2)
        gates.apply_to_arrays(xp.asarray)
        return xp.asarray(gates.amplitude("0101"))

    return {
        "contract": lambda xp: (tensor(xp, "ij", 4, 5) @ tensor(xp, "jk", 5, 6)).data,
        "network": lambda xp: (tensor(xp, "ij", 4, 5) & tensor(xp, "jk", 5, 6) & tensor(xp, "kl", 6, 3)).contract(all).data,
        "qr": lambda xp: tensor(xp, "ijk", 4, 5, 6).split(["i"], method="qr").contract().data,
        "svd": lambda xp: tensor(xp, "ijk", 4, 5, 6).split(["i"], method="svd").contract().data,
        "state": lambda xp: xp.asarray(state(xp)),
        "circuit": circuit,
    }


def tensorly_checks() -> Mapping[str, Call]:
    """Import TensorLy and list the calls."""
    import tensorly
    from tensorly.datasets import load_kinetic
    from tensorly.decomposition import non_negative_parafac_hals, parafac, tensor_train, tucker

    def factors(xp: Any) -> Any:
        return [numbers(xp, extent, 2) for extent in (4, 5, 6)]

    def fluorescence(xp: Any) -> Any:
        """Decompose the measurement that TensorLy brings by its function, or by ours: a hundred iterations come to 4.3 % each."""
        measured = load_kinetic().tensor
        if xp.__name__ == "trnarray":
            error = xp.tensor.cp(xp.asarray(measured, device="cpu"), 4, nonnegative=True, max_iterations=100, tol=0.0).errors[-1]
        else:
            error = non_negative_parafac_hals(measured, 4, n_iter_max=100, tol=1e-300, return_errors=True)[1][-1]
        return xp.asarray(float(error) < 0.0435)

    return {
        "fluorescence": fluorescence,
        "unfold": lambda xp: tensorly.unfold(numbers(xp, 4, 5, 6), 1),
        "mode_dot": lambda xp: tensorly.tenalg.mode_dot(numbers(xp, 4, 5, 6), numbers(xp, 3, 5), 1),
        "khatri_rao": lambda xp: tensorly.tenalg.khatri_rao(factors(xp)),
        "cp_to_tensor": lambda xp: tensorly.cp_to_tensor((None, factors(xp))),
        "tucker": lambda xp: tensorly.tucker_to_tensor(tucker(numbers(xp, 4, 5, 6), [2, 2, 2])),
        "parafac": lambda xp: tensorly.cp_to_tensor(parafac(numbers(xp, 4, 5, 6), 2, n_iter_max=5)),
        "tensor_train": lambda xp: tensorly.tt_to_tensor(tensor_train(numbers(xp, 4, 5, 6), [1, 2, 2, 1])),
    }
