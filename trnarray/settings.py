"""Settings, the counts of what left the device, and what is warned of or raised when something would."""

from .backends.coverage import Coverage, coverage, reset_coverage
from .backends.policy import FallbackError, FallbackWarning, HostTransferError, HostTransferWarning, LoopError
from .backends.precision import Accuracy, PrecisionError
from .backends.settings import Settings, config, get_config, set_config

__all__ = [
    "Accuracy",
    "Coverage",
    "FallbackError",
    "FallbackWarning",
    "HostTransferError",
    "HostTransferWarning",
    "LoopError",
    "PrecisionError",
    "Settings",
    "config",
    "coverage",
    "get_config",
    "reset_coverage",
    "set_config",
]
