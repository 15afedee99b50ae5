"""Which capabilities the Gene program has that calls a function of this package.

Kinds and their methods are shared by all interpreters of a process, so a method that writes a file asks which
program calls it.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from gene.runtime.failures import is_gene_frame
from gene.stdlib.capabilities import denied

if TYPE_CHECKING:
    from types import FrameType


def has(capability: str) -> bool:
    """Whether the innermost Gene code on the way to this call has a capability."""
    frame: FrameType | None = sys._getframe(1)  # noqa: SLF001 - the only way to the callers
    while frame is not None and not is_gene_frame(frame):
        frame = frame.f_back
    if frame is None:
        return False
    interpreter: Any = frame.f_builtins["%gene"]
    return capability in interpreter._capabilities  # noqa: SLF001 - the interpreter does not say it otherwise


def require(capability: str, name: str) -> None:
    """Refuse a call of a program that was not granted a capability.

    Args:
        capability: The capability.
        name: What the message says needs it.

    Raises:
        PermissionException: It was not granted.
    """
    if not has(capability):
        denied(name, capability)()
