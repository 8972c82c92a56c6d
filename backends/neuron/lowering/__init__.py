"""Lowering: what each Op means in primitives, one module per chapter."""

__all__ = ["NotNativeError"]


class NotNativeError(Exception):
    """
    The device has no kernel for a call.

    Parameters
    ----------
    reason : str
        Why, as a clause that continues "it runs on the host: …"; one text for each reason.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
