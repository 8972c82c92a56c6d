"""All samples, by repository."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from . import aws_neuron_sdk, language_examples, nki_api, nki_library, nki_samples, spectral_dns, trnsci
from .sample import Sample

__all__ = ["SAMPLES"]

SAMPLES: Final[Mapping[str, Sequence[Sample]]] = {
    "aws-neuron-sdk": (*aws_neuron_sdk.SAMPLES, *nki_api.SAMPLES),
    "aws-neuron-sdk, examples of nki.language": language_examples.SAMPLES,
    "nki-library": nki_library.SAMPLES,
    "nki-samples": nki_samples.SAMPLES,
    "sample-spectral-dns-on-aws-neuron": spectral_dns.SAMPLES,
    "trnsci": trnsci.SAMPLES,
}
