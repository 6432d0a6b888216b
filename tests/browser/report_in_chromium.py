#!/usr/bin/env python3
"""Opens an HTML report in headless Chromium and fails unless it draws itself cleanly.

usage: report_in_chromium.py REPORT.html SCREENSHOT.png [SECTION...]

Required: no console line of any kind; the sections (default: timeline, metrics and provenance) in
the DOM, none of them empty; a screenshot that is not blank. Exit code 77 = skipped, no Chromium.
"""

import html.parser
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # the source tree stays as it is
import png

SKIPPED = 77
SECTIONS = ("timeline", "metrics", "provenance")
LEAST_COLOURS = 16
# "[1:1:1129/210000.1:INFO:CONSOLE(3)] ..." and, from Chromium 131 on, "...:INFO:CONSOLE:3] ..."
CONSOLE_LINE = re.compile(r"^.*:CONSOLE[:(].*$", re.MULTILINE)
NOISY_PAGE = "<!doctype html><script>console.debug('a');undefinedName();</script>"
DRAWN = {"rect", "path", "line", "canvas", "tr", "li"}
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"}


class Sections(html.parser.HTMLParser):
    """Text and drawn elements below each element whose id is one of the sections."""

    def __init__(self, sections):
        super().__init__()
        self.wanted = sections
        self.open = []  # (tag, section or None) of each open element
        self.text = {}
        self.drawn = {}

    def current(self):
        return [section for _, section in self.open if section]

    def handle_starttag(self, tag, attrs):
        for section in self.current():
            self.drawn[section] += tag in DRAWN
        identity = dict(attrs).get("id")
        section = identity if identity in self.wanted else None
        if section:
            self.text.setdefault(section, "")
            self.drawn[section] = self.drawn.get(section, 0) + (tag in DRAWN)
        if tag not in VOID:
            self.open.append((tag, section))

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if any(name == tag for name, _ in self.open):
            while self.open.pop()[0] != tag:
                pass

    def handle_data(self, data):
        if any(tag in ("script", "style") for tag, _ in self.open):
            return
        for section in self.current():
            self.text[section] += data


def find_chromium():
    for name in ("chromium", "chromium-browser", "google-chrome"):
        path = shutil.which(name)
        if path:
            return path
    return None


def run_chromium(chromium, page, *arguments):
    with tempfile.TemporaryDirectory() as profile:
        command = [chromium, "--headless", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                   f"--user-data-dir={profile}", "--enable-logging=stderr", "--v=0",
                   "--virtual-time-budget=5000", "--window-size=1200,900", *arguments,
                   pathlib.Path(page).resolve().as_uri()]
        if os.geteuid() == 0:
            command.insert(1, "--no-sandbox")
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        sys.exit(f"{chromium} ended with {done.returncode}:\n{done.stderr}")
    return done


def faults_of(dom, stderr, screenshot, wanted=SECTIONS):
    faults = [f"console line: {line}" for line in CONSOLE_LINE.findall(stderr)]
    sections = Sections(wanted)
    sections.feed(dom)
    for section in wanted:
        if section not in sections.text:
            faults.append(f"no element with the id '{section}'")
        elif not sections.text[section].strip() and not sections.drawn[section]:
            faults.append(f"'{section}' is empty")
        elif not sections.drawn[section]:
            faults.append(f"'{section}' draws nothing")
    counts = png.colours(screenshot)
    if len(counts) < LEAST_COLOURS:
        faults.append(f"the screenshot has only {len(counts)} colours")
    return faults


def self_check(chromium):
    """Sees to it that console lines are recognised and an empty page is refused at all."""
    with tempfile.TemporaryDirectory() as folder:
        page, shot = pathlib.Path(folder, "noisy.html"), pathlib.Path(folder, "noisy.png")
        page.write_text(NOISY_PAGE, encoding="utf-8")
        done = run_chromium(chromium, page, "--dump-dom")
        run_chromium(chromium, page, f"--screenshot={shot}")
        faults = faults_of(done.stdout, done.stderr, shot.read_bytes())
    wanted = [r"console line: .*undefinedName", "no element .*'timeline'", "only 1 colours"]
    for pattern in wanted:
        if not any(re.search(pattern, fault) for fault in faults):
            sys.exit(f"self-check: no fault like '{pattern}' on a page that has it; found {faults}\n{done.stderr}")


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    report, screenshot = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    chromium = find_chromium()
    if not chromium:
        print("skipped: no Chromium; install it with ./dev deps --browser")
        sys.exit(1 if os.environ.get("QUINTET_REQUIRE_BROWSER") == "1" else SKIPPED)
    self_check(chromium)
    done = run_chromium(chromium, report, "--dump-dom")
    screenshot.unlink(missing_ok=True)
    shot = run_chromium(chromium, report, f"--screenshot={screenshot}")
    wanted = tuple(sys.argv[3:]) or SECTIONS
    faults = faults_of(done.stdout, done.stderr + shot.stderr, screenshot.read_bytes(), wanted)
    for fault in faults:
        print(f"{report}: {fault}")
    print(f"screenshot: {screenshot}")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
