"""SHA-256 without OpenSSL, whose library takes longer to load than everything we hash takes to hash."""

try:
    from _sha2 import sha256  # type: ignore[import-not-found,unused-ignore]  # Python 3.12 and later
except ImportError:
    try:
        from _sha256 import sha256  # type: ignore[import-not-found,unused-ignore]  # Python 3.11
    except ImportError:
        from hashlib import sha256

__all__ = ["sha256"]
