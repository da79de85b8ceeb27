# For a tap: copy to Formula/brier.rb and fill in the release's address and checksum.
class Brier < Formula
  desc "Chess engine that knows what it does not know"
  homepage "https://github.com/brier-chess/brier"
  url "https://github.com/brier-chess/brier/archive/refs/tags/v0.1.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "GPL-3.0-or-later"

  depends_on "rust" => :build

  def install
    system "cargo", "install", *std_cargo_args(path: "crates/brier")
    generate_completions_from_executable(bin/"brier", "completions")
    (man1/"brier.1").write Utils.safe_popen_read(bin/"brier", "man")
  end

  test do
    assert_match "bestmove", pipe_output(bin/"brier", "go depth 1\n")
  end
end
