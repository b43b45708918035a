#!/usr/bin/env python3
"""The bootstrap script without its downloads: the fast path, the messages, two at once. A fake CMake builds a fake
program, so that no minute is spent; the real set-up is what every CI run begins with."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

CMAKE = """#!/bin/sh
case "$1" in
  --version) echo "cmake version 3.25.1" ;;
  -S) mkdir -p "$4"; : > "$4/CMakeCache.txt"; echo configure >> "$FAKE_LOG" ;;
  --build)
    echo "build $*" >> "$FAKE_LOG"
    if [ -n "$FAKE_BROKEN" ]; then echo "src/x.cpp:1:1: error: broken"; exit 1; fi
    sleep "${FAKE_SECONDS:-0}"
    mkdir -p "$2/bin"
    printf '#!/bin/sh\\necho "program in $WORKBOOK_ROOT: $*"\\n' > "$2/bin/workbook-cli"
    chmod +x "$2/bin/workbook-cli" ;;
esac
"""
NVCC = "#!/bin/sh\necho 'Cuda compilation tools, release VERSION, VVERSION.88'\n"


class Bootstrap(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="워크북 copy ")
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name) / "the book"
        for part in ("cmake", "src", "include", "kernels", "tests/exercises/01_a/01_b/wrong", "tools"):
            (self.root / part).mkdir(parents=True)
        (self.root / "CMakeLists.txt").write_text("")
        shutil.copy(ROOT / "workbook", self.root)
        shutil.copy(ROOT / "tools/setup.sh", self.root / "tools")
        # What the set-up unpacked for this checkout serves the copy too; where the libraries are the system's, there is none.
        if (ROOT / ".deps").is_dir():
            (self.root / ".deps").symlink_to(ROOT / ".deps")
        self.log = pathlib.Path(folder.name) / "log"
        self.fakes = pathlib.Path(folder.name) / "fakes"
        self.program("bin/cmake", CMAKE)
        self.program("bin/ninja", "#!/bin/sh\necho 1.11\n")
        self.nvcc("13.0")
        (self.fakes / "include").mkdir()
        (self.fakes / "include/cuda_runtime_api.h").write_text("")
        self.environment = {"PATH": f"{self.fakes}/bin:{os.environ['PATH']}", "HOME": os.environ.get("HOME", "/"),
                            "FAKE_LOG": str(self.log), "WORKBOOK_NVCC": f"{self.fakes}/bin/nvcc"}
        for name in ("CPATH", "LIBRARY_PATH"):
            if name in os.environ:
                self.environment[name] = os.environ[name]

    def program(self, name, text):
        path = self.fakes / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)

    def nvcc(self, version):
        self.program("bin/nvcc", NVCC.replace("VERSION", version))

    def run_it(self, *arguments, **more):
        return subprocess.run([str(self.root / "workbook"), *arguments], env={**self.environment, **more}, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True, timeout=100)

    def builds(self):
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        return sum(line.startswith("build ") for line in lines)

    def test_sets_up_once_then_hands_over_at_once(self):
        result = self.run_it("check", "2.1 x")
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertIn("Setting up", result.stdout)
        self.assertIn("nvcc          13.0.88", result.stdout)
        self.assertIn(f"program in {self.root}: check 2.1 x", result.stdout)
        self.assertIn("--target workbook_ready", self.log.read_text())
        times = []
        for _ in range(5):
            began = time.time()
            result = self.run_it("list")
            times.append(time.time() - began)
            self.assertEqual(result.stdout, f"program in {self.root}: list\n")
        self.assertEqual(self.builds(), 1)
        print(f"\nfast path: {min(times) * 1000:.0f} ms")

    def test_a_change_builds_again(self):
        self.run_it("list")
        for change in (lambda: (self.root / "src/new.cpp").write_text("x"), lambda: (self.root / "src/new.cpp").unlink()):
            before = self.builds()
            time.sleep(0.05)
            change()
            self.run_it("list")
            self.assertEqual(self.builds(), before + 1)
        before = self.builds()
        (self.root / "tests/exercises/01_a/01_b/wrong/new.cu").write_text("an answer is no source of the build")
        self.run_it("list")
        self.assertEqual(self.builds(), before)

    def test_a_broken_build_says_so_and_is_tried_again(self):
        result = self.run_it("list", FAKE_BROKEN="1")
        self.assertEqual(result.returncode, 3)
        self.assertIn("The build failed.", result.stdout)
        self.assertIn("src/x.cpp:1:1: error: broken", result.stdout)
        self.assertEqual(self.run_it("list").returncode, 0)

    def test_another_build_folder(self):
        elsewhere = self.root.parent / "else where"
        self.assertEqual(self.run_it("list", WORKBOOK_BUILD_DIR=str(elsewhere)).returncode, 0)
        self.assertTrue((elsewhere / "bin/workbook-cli").exists())
        self.assertFalse((self.root / ".build").exists())

    def test_a_folder_that_cannot_be_written(self):
        result = self.run_it("list", WORKBOOK_BUILD_DIR="/proc/nothing")
        self.assertEqual(result.returncode, 3)
        self.assertIn("can't be written", result.stdout)
        self.assertIn("WORKBOOK_BUILD_DIR=", result.stdout)

    def test_an_nvcc_that_is_too_old_or_does_not_run_is_passed_over(self):
        self.nvcc("12.4")
        good = self.fakes / "cuda13"
        (good / "include").mkdir(parents=True)
        (good / "include/cuda_runtime_api.h").write_text("")
        self.program("cuda13/bin/nvcc", NVCC.replace("VERSION", "13.1"))
        result = self.run_it("list", CUDA_HOME=str(good))
        self.assertIn("older than CUDA 13: not used", result.stdout)
        self.assertIn("13.1.88", result.stdout)

    def test_two_at_once_build_once(self):
        command = [str(self.root / "workbook"), "list"]
        environment = {**self.environment, "FAKE_SECONDS": "2"}
        both = [subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) for _ in range(2)]
        outputs = [child.communicate(timeout=100)[0] for child in both]
        self.assertEqual([child.returncode for child in both], [0, 0], outputs)
        self.assertEqual(self.builds(), 1)
        self.assertTrue(any("waiting for it" in text for text in outputs), outputs)


if __name__ == "__main__":
    unittest.main()
