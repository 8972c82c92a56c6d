"""Kernels that no sample runs, and why: fragments in documents, and tests with a harness of their own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

__all__ = ["reason_not_to_run"]

_SHOWN: Final = "a fragment: it shows a point of the language and has no result"
_VIEWS: Final = "a fragment: it takes a view of a tile that it is not given"
_BEFORE: Final = "written for NKI 0.1: it shows what the migration guide replaces"
_ELSEWHERE: Final = "its code block imports torch_neuronx"

# By file, kernels and reason.
_BY_FILE: Final[Mapping[str, Mapping[str, str]]] = {
    "compiler/neuronx-cc/how-to-convolution-in-unet.rst": {"conv_wrap": "calls a kernel of neuronxcc"},
    "frameworks/torch/pytorch-native-overview.rst": {"sin_kernel": _ELSEWHERE, "cos_kernel": _ELSEWHERE},
    "nki/deep-dives/nki-compiler.rst": {"kernel": _SHOWN},
    "nki/get-started/about/index.rst": {"my_kernel": _SHOWN, "my_function": _SHOWN},
    "nki/get-started/nki-language-guide.rst": {"example_kernel": _SHOWN, "kernel": _SHOWN},
    "nki/guides/nki_simulator.rst": {"my_kernel": "a fragment: it stops in the debugger, or prints a tile"},
    "nki/library/kernel-utils/allocator.rst": dict.fromkeys(("kernel_without_sbm", "kernel_with_sbm", "kernel_multibuffer"), _SHOWN),
    "nki/library/kernel-utils/tensor-view.rst": dict.fromkeys(
        ("kernel_reshape_permute", "kernel_strided_slice", "kernel_broadcast", "kernel_rearrange", "attention_reshape"), _VIEWS
    ),
    "nki/migration/index.rst": {"my_kernel": _SHOWN, "kernel": _SHOWN, "exp_func": _BEFORE, "sb_blocks": _BEFORE},
}

# By folder, for all that no sample runs.
_BY_FOLDER: Final[Mapping[str, str]] = {
    "test/integration/nkilib/": "a test of nki-library: its harness needs the package aws_embedded_metrics",
    "test/unit/": "a test of a tool of nki-library, which fails on purpose",
}


def reason_not_to_run(file: str, kernel: str) -> str:
    """Find why a kernel is not run."""
    of_folder = next((reason for folder, reason in _BY_FOLDER.items() if file.startswith(folder)), "")
    return _BY_FILE.get(file, {}).get(kernel, of_folder)
