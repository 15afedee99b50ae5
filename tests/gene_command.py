"""Runs the ``gene`` command as a user does: in a process of its own."""

import os
import subprocess
import sys


def gene(*arguments, cwd=None, text=None, env=None, timeout=60):
    """Run the command and return the finished process, with its output as text."""
    return subprocess.run(
        [sys.executable, "-m", "gene", *arguments],
        cwd=cwd,
        input=text if text is not None else "",
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=environment(**(env or {})),
        timeout=timeout,
        check=False,
    )


def environment(**more):
    """The environment of a process that finds this checkout, whatever directory it starts in."""
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    path = os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH")]))
    return {**os.environ, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8", **more}
