"""The three pipes to a child process, read and written without ever blocking on one of them alone."""

from __future__ import annotations

import os
from codecs import utf_8_decode
from select import POLLERR, POLLHUP, POLLIN, POLLNVAL, POLLOUT, poll

from gene.runtime.exceptions import IOException
from gene.stdlib.waiting import SLICE, Deadline

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from subprocess import Popen
    from typing import Final

_CHUNK: Final = 65536
_READY: Final = POLLIN | POLLHUP | POLLERR | POLLNVAL


class Pipes:
    """Standard input, output and error of a child process.

    Whatever waits for one pipe takes in what the others deliver, so a child that is blocked because nobody
    reads its errors goes on, and nothing gets lost.
    """

    def __init__(self, process: Popen[bytes]) -> None:
        self._process = process
        self._buffers = {
            pipe.fileno(): bytearray() for pipe in (process.stdout, process.stderr) if pipe is not None
        }
        self._out = process.stdout.fileno() if process.stdout else -1
        self._err = process.stderr.fileno() if process.stderr else -1
        self._open = set(self._buffers)
        if process.stdin is not None:
            os.set_blocking(process.stdin.fileno(), False)

    def is_open(self) -> bool:
        """Whether more output may come."""
        return bool(self._open)

    def at_end(self) -> bool:
        """Whether standard output has ended."""
        return self._out not in self._open

    def pump(self, seconds: float, writable: int = -1) -> bool:
        """Wait until there is output, or room in the pipe ``writable``, and take the output in.

        Args:
            seconds: How long to wait at most.
            writable: A descriptor to be written to, or -1.

        Returns:
            Whether ``writable`` takes input, or has been closed at the other end.
        """
        poller = poll()
        for descriptor in self._open:
            poller.register(descriptor, POLLIN)
        if writable >= 0:
            poller.register(writable, POLLOUT)
        ready = dict(poller.poll(seconds * 1000))
        for descriptor in [*self._open]:
            if ready.get(descriptor, 0) & _READY:
                self._take_in(descriptor)
        return writable in ready

    def _take_in(self, descriptor: int) -> None:
        data = os.read(descriptor, _CHUNK)
        self._buffers[descriptor] += data
        if not data:
            self._open.discard(descriptor)
            for pipe in (self._process.stdout, self._process.stderr):
                if pipe is not None and not pipe.closed and pipe.fileno() == descriptor:
                    pipe.close()

    def write(self, data: bytes) -> None:
        """Write all of ``data`` to the child's input.

        Raises:
            IOException: The child does not read its input any more.
        """
        pipe = self._process.stdin
        if pipe is None or pipe.closed:
            raise IOException("Failed to write to the process: its input is closed")
        rest = memoryview(data)
        while rest:
            if not self.pump(SLICE, pipe.fileno()):
                continue
            try:
                rest = rest[os.write(pipe.fileno(), rest) :]
            except BlockingIOError:
                continue
            except OSError as error:
                raise IOException(f"Failed to write to the process: {error.strerror}") from None

    def close_input(self) -> None:
        """Close the child's input; closing twice does no harm."""
        if self._process.stdin is not None:
            self._process.stdin.close()

    def read_until(self, delimiter: bytes, deadline: Deadline) -> bytes | None:
        """The output up to and with ``delimiter``; None when it does not come in time, or at all."""
        buffer, searched, late = self._buffers[self._out], 0, False
        while True:
            at = buffer.find(delimiter, searched)
            if at >= 0:
                return self._cut(buffer, at + len(delimiter))
            if late or self.at_end():
                return None
            searched = max(0, len(buffer) - len(delimiter) + 1)
            late = deadline.passed()  # a last look at what is there already
            self.pump(deadline.slice())

    def read_errors(self, deadline: Deadline) -> str | None:
        """What standard error has; None when nothing comes in time, or at all."""
        late = False
        while self._err in self._open and not self._buffers[self._err] and not late:
            late = deadline.passed()
            self.pump(deadline.slice())
        buffer = self._buffers.get(self._err)
        return self._text(buffer, self._err) if buffer else None

    def take(self) -> bytes:
        """All output that was taken in and not handed out."""
        buffer = self._buffers[self._out]
        return self._cut(buffer, len(buffer))

    def take_text(self) -> str:
        """All such output as text; the beginning of a character stays until the rest of it is there."""
        return self._text(self._buffers[self._out], self._out)

    def _text(self, buffer: bytearray, descriptor: int) -> str:
        text, used = utf_8_decode(buffer, "replace", descriptor not in self._open)
        del buffer[:used]
        return text

    @staticmethod
    def _cut(buffer: bytearray, length: int) -> bytes:
        data = bytes(buffer[:length])
        del buffer[:length]
        return data
