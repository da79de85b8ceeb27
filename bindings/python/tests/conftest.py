"""What several tests need: the UCI program to compare with."""

import os

import pytest


@pytest.fixture(scope="session")
def program():
    """The path of the UCI program, built from the same source."""
    path = os.environ.get("BRIER_PROGRAM")
    if not path:
        pytest.fail("expected the path of the UCI program in BRIER_PROGRAM")
    return path
