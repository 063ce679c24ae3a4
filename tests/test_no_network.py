"""Tests reach this machine and no other."""

import socket
import urllib.request

import pytest


def test_this_machine_is_reached() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()):
        assert socket.getaddrinfo("localhost", 80)


@pytest.mark.parametrize("address", ["192.0.2.1", "2001:db8::1"])
def test_no_other_address_is(address: str) -> None:
    with pytest.raises(pytest.fail.Exception, match="reach no network"):
        socket.create_connection((address, 80), timeout=1)


def test_no_name_is_looked_up() -> None:
    with pytest.raises(pytest.fail.Exception, match=r"`example\.invalid`: tests reach no network"):
        urllib.request.urlopen("http://example.invalid", timeout=1)
