# Homebrew. .ci/dist fills in the version and the checksums.
class Q3dissect < Formula
  desc "Explain captures and demos of Quake III, Teeworlds and their relatives"
  homepage "https://github.com/q3dissect/q3dissect"
  version "@VERSION@"
  license "MIT"

  on_macos do
    on_arm do
      url "@URL@/q3dissect_@VERSION@_darwin_arm64.tar.gz"
      sha256 "@SHA256_darwin_arm64@"
    end
    on_intel do
      url "@URL@/q3dissect_@VERSION@_darwin_amd64.tar.gz"
      sha256 "@SHA256_darwin_amd64@"
    end
  end
  on_linux do
    on_arm do
      url "@URL@/q3dissect_@VERSION@_linux_arm64.tar.gz"
      sha256 "@SHA256_linux_arm64@"
    end
    on_intel do
      url "@URL@/q3dissect_@VERSION@_linux_amd64.tar.gz"
      sha256 "@SHA256_linux_amd64@"
    end
  end

  def install
    bin.install "q3dissect"
    man1.install Dir["man/*.gz"]
    bash_completion.install "completions/q3dissect.bash" => "q3dissect"
    zsh_completion.install "completions/_q3dissect"
    fish_completion.install "completions/q3dissect.fish"
    doc.install "docs"
  end

  test do
    assert_match "@VERSION@", shell_output("#{bin}/q3dissect --version")
    assert_match "LabAlpha", shell_output("#{bin}/q3dissect demo")
  end
end
