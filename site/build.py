#!/usr/bin/env python3
"""Builds the book into .build/site/html: each language by itself, strictly.

    site/build.py              builds
    site/build.py --serve      builds, serves on localhost, and builds again when a source changes

Anything that a page shows and that is not there any more ends the build with a sentence that says what and where.
"""
import argparse
import functools
import http.server
import os
import pathlib
import shutil
import subprocess
import sys
import threading
import time

SITE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(SITE))

from book import api, slim  # noqa: E402
from book.repository import BUILD, ROOT, Stale, chapters  # noqa: E402

HTML = BUILD / "html"
WATCHED = ("chapters", "solutions", "docs", "site", "kernels", "include", "CONTRIBUTING.md", "CHANGELOG.md")


def languages():
    """English, and every language that at least one lesson has been translated to."""
    return ["en"] + [code for code in ("ko",) if any(c.translated(code).is_file() for c in chapters())]


def mkdocs(language, into):
    config = SITE / ("mkdocs.yml" if language == "en" else f"mkdocs.{language}.yml")
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    run = subprocess.run([sys.executable, "-m", "mkdocs", "build", "--strict", "-f", str(config), "-d", str(into)],
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment,
                         cwd=SITE)  # where the paths of mkdocs.yml begin
    if run.returncode != 0:
        noise = ("INFO", "\n")
        sys.stderr.write("\n".join(line for line in run.stdout.splitlines() if line.strip() and not line.startswith(noise)) + "\n")
    return run.returncode == 0


def build():
    """True when all of it was built. What was there before stays until the new one is whole."""
    began = time.time()
    BUILD.mkdir(parents=True, exist_ok=True)
    fresh = BUILD / "html.new"
    shutil.rmtree(fresh, ignore_errors=True)
    api.build()
    for language in languages():
        if not mkdocs(language, fresh if language == "en" else fresh / language):
            print("The book was not built. The lines above say what is wrong and where.", file=sys.stderr)
            return False
    for page, path in api.files():
        (fresh / page).parent.mkdir(exist_ok=True)
        shutil.copy(path, fresh / page)
    for leftover in [*fresh.rglob("sitemap.xml*"), *fresh.rglob("*.map")]:
        leftover.unlink()
    slim.slim_folder(fresh)
    shutil.rmtree(HTML, ignore_errors=True)
    fresh.rename(HTML)
    pages = sum(1 for _ in HTML.rglob("*.html"))
    print(f"  built         {pages} pages in {time.time() - began:.0f} s: {HTML / 'index.html'}", flush=True)
    return True


def newest():
    times = [0.0]
    for name in WATCHED:
        path = ROOT / name
        for file in path.rglob("*") if path.is_dir() else [path]:
            if file.is_file() and "__pycache__" not in file.parts:
                times.append(file.stat().st_mtime)
    return max(times)


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def end_headers(self):
        self.send_header("Cache-Control", "no-store")
        super().end_headers()


def serve(port):
    handler = functools.partial(Quiet, directory=str(HTML))
    server = None
    for candidate in ([port] if port else range(8123, 8143)):
        try:
            server = http.server.ThreadingHTTPServer(("127.0.0.1", candidate), handler)
            break
        except OSError:
            continue
    if server is None:
        print(f"Port {port or '8123 to 8142'} of localhost is taken. Another one: ./workbook site --port 9000", file=sys.stderr)
        return 2
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(f"  the book      http://localhost:{server.server_port}/   (Ctrl-C ends it; a change to a lesson is built at once)", flush=True)
    seen = newest()
    try:
        while True:
            time.sleep(1)
            now = newest()
            if now > seen:
                seen = now
                build()
    except KeyboardInterrupt:
        print()
    return 0


def main():
    parser = argparse.ArgumentParser(prog="./workbook site", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--build", action="store_true", help="build, and end")
    parser.add_argument("--port", type=int, default=0, help="of localhost; by itself the first free one from 8123")
    options = parser.parse_args()
    try:
        if not build():
            return 1
    except Stale as error:
        print(error, file=sys.stderr)
        return 1
    return serve(options.port) if options.serve and not options.build else 0


if __name__ == "__main__":
    sys.exit(main())
