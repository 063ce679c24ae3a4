"""Refuses connections to other machines: no test reaches a network, so all of them pass without one."""

import ipaddress
import socket
import sys
from typing import Any

import pytest


def refuse_networks() -> None:
    """From now on, for this process; what is not on this machine fails the test that asks for it."""
    sys.addaudithook(_look_at)


def _look_at(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "socket.connect":
        asked, address = arguments
        # Connecting a datagram socket sends nothing; Dask asks so for the address of this machine.
        if asked.family in (socket.AF_INET, socket.AF_INET6) and asked.type != socket.SOCK_DGRAM:
            _refuse(address[0])
    elif event == "socket.getaddrinfo":
        _refuse(arguments[0])


def _refuse(host: str | bytes | None) -> None:
    name = host.decode() if isinstance(host, bytes) else host or ""
    if not _is_here(name):
        pytest.fail(f"A test asks for `{name}`: tests reach no network")


def _is_here(name: str) -> bool:
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return name in {"", "localhost", socket.gethostname()}
