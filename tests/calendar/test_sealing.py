"""Sealed secrets open with the key that sealed them and for the purpose they were sealed for, and not otherwise."""

import stat
from pathlib import Path

import pytest

from kalends.calendar import sealing
from kalends.settings import Settings, load

PURPOSE = "a test"


def settings_of(data: Path, **more: str) -> Settings:
    return load(None, {"data": str(data), **more}, {})


@pytest.mark.parametrize("text", ["a secret", "", "Zürich ✓", "x" * 2000])
def test_what_was_sealed_opens_again(tmp_path: Path, text: str) -> None:
    settings = settings_of(tmp_path, secret_key="a key of some length")
    sealed = sealing.seal(settings, PURPOSE, text)
    assert not text or text not in sealed
    assert sealing.unseal(settings, PURPOSE, sealed) == text
    assert not list(tmp_path.iterdir())


def test_another_key_another_purpose_and_other_bytes_open_nothing(tmp_path: Path) -> None:
    settings = settings_of(tmp_path, secret_key="a key of some length")
    sealed = sealing.seal(settings, PURPOSE, "a secret")
    assert sealing.unseal(settings, "another", sealed) is None
    assert sealing.unseal(settings_of(tmp_path, secret_key="another key"), PURPOSE, sealed) is None
    assert sealing.unseal(settings_of(tmp_path), PURPOSE, sealed) is None
    for damaged in ("", "x", sealed[:-2], sealed[:20] + "AAAA" + sealed[24:], "é"):
        assert sealing.unseal(settings, PURPOSE, damaged) is None


def test_beside_sqlite_a_file_has_the_key_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    settings = settings_of(tmp_path)
    sealed = sealing.seal(settings, PURPOSE, "a secret")
    path = tmp_path / sealing.KEY_FILE
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert sealing.unseal(settings, PURPOSE, sealed) == "a secret"
    assert sealing.unseal(settings, PURPOSE, sealing.seal(settings, PURPOSE, "more")) == "more"
    assert [one.name for one in tmp_path.iterdir()] == [sealing.KEY_FILE]
    path.unlink()
    assert sealing.unseal(settings, PURPOSE, sealed) is None


def test_several_nodes_need_the_setting(tmp_path: Path) -> None:
    database = "postgresql://calendar@db.example/kalends"
    assert not sealing.is_possible(settings_of(tmp_path, database=database))
    assert sealing.is_possible(settings_of(tmp_path, database=database, secret_key="a key"))
    assert sealing.is_possible(settings_of(tmp_path))
