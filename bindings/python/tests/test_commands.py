"""Numbered commands: each file is that of one whole run."""

import sys

import pytest

from brier import commands

WRITES = "import sys; open(sys.argv[1], 'w').write(' '.join(sys.argv[2:]))"


def run(out, *words, count=5):
    return commands.main([str(count), str(out), "txt", "--workers", "2", *words])


def test_each_command_has_its_number_and_its_file(tmp_path):
    words = ["--step", "10", "--", sys.executable, "-c", WRITES, "{out}", "{n}", "{from}-"]
    assert run(tmp_path, *words) == 0
    texts = {path.name: path.read_text() for path in tmp_path.glob("part-*")}
    assert texts == {f"part-{n:06}.txt": f"{n} {10 * n}-" for n in range(5)}
    (tmp_path / "part-000003.txt").unlink()
    (tmp_path / "part-000001.txt").write_text("kept")
    assert run(tmp_path, *words) == 0
    assert (tmp_path / "part-000003.txt").read_text() == "3 30-"
    assert (tmp_path / "part-000001.txt").read_text() == "kept"


@pytest.mark.parametrize(
    "words, said",
    [
        ([sys.executable, "-c", "", "{n}"], "expected a command with {out}"),
        ([sys.executable, "-c", "", "{out}"], "to write {out}, got no file"),
        ([sys.executable, "-c", "raise SystemExit('broken')", "{out}"], "ended with 1: broken"),
        (["no-such-program", "{out}"], "no-such-program"),
    ],
)
def test_what_goes_wrong_is_named(tmp_path, capsys, words, said):
    assert run(tmp_path, "--", *words) == 1
    assert said in capsys.readouterr().err


def test_another_command_is_refused(tmp_path, capsys):
    words = ["--", sys.executable, "-c", WRITES, "{out}"]
    assert run(tmp_path, *words, "a", count=1) == 0
    assert run(tmp_path, *words, "b", count=1) == 1
    assert "results of other settings" in capsys.readouterr().err
