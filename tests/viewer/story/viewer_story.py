"""Works the viewer in a window on a virtual display, by key and mouse events, and looks at what came of it.

usage: viewer_story.py PROGRAM RECORDED_FOLDER OUT_FOLDER

Exit status: 0 fine, 1 the story went otherwise, 77 something that it needs is not installed.
"""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

SKIPPED = 77
# A frame of a software rasteriser may take this long; a shorter press can fall between two.
PRESS_SECONDS = 0.2


def skip(reason):
    print(f"skipped: {reason}; install it with ./dev deps --browser")
    sys.exit(1 if os.environ.get("QUINTET_REQUIRE_DISPLAY") == "1" else SKIPPED)


class Display:
    """A virtual X display of its own."""

    def __init__(self):
        reader, writer = os.pipe()
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writer), "-screen", "0", "1600x1000x24", "-nolisten", "tcp"],
            pass_fds=[writer], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(writer)
        with os.fdopen(reader) as numbers:
            number = numbers.readline().strip()
        if not number:
            skip("Xvfb did not start")
        self.environment = dict(os.environ, DISPLAY=f":{number}", LIBGL_ALWAYS_SOFTWARE="1")
        for _ in range(50):  # the number is told a moment before the display takes anyone in
            if subprocess.run(["xdotool", "getdisplaygeometry"], env=self.environment, check=False,
                              capture_output=True).returncode == 0:
                return
            time.sleep(0.1)
        skip(f"the display :{number} takes nobody in")

    def close(self):
        self.server.send_signal(signal.SIGTERM)
        self.server.wait(timeout=20)


class Viewer:
    """The program in its window."""

    def __init__(self, display, program, folder, state, arguments):
        # Drivers of OpenGL leave a little behind and unload; leaks of ours are the windowless tests' business.
        sanitizer = os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"
        self.environment = dict(display.environment, XDG_STATE_HOME=str(state), ASAN_OPTIONS=sanitizer)
        self.process = subprocess.Popen([program, *arguments], cwd=folder, env=self.environment)
        self.window = None

    def tell(self, *words):
        return subprocess.run(["xdotool", *words], env=self.environment, check=False,
                              capture_output=True, text=True).stdout.strip()

    def wait_for(self, what, condition, seconds=40):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.process.poll() is not None:
                raise AssertionError(f"the viewer ended while waiting for {what}")
            if condition():
                return
            time.sleep(0.1)
        raise AssertionError(f"waited in vain for {what}")

    def wait_for_window(self):
        def found():
            self.window = self.tell("search", "--onlyvisible", "--name", "Quintet").split("\n")[0]
            return bool(self.window)
        self.wait_for("the window", found)
        self.tell("windowfocus", "--sync", self.window)
        self.tell("mousemove", "--window", self.window, "700", "400")
        time.sleep(1)

    def title(self):
        return self.tell("getwindowname", self.window)

    def press(self, *keys):
        """Presses keys together: modifiers first."""
        for key in keys:
            self.tell("keydown", key)
        time.sleep(PRESS_SECONDS)
        for key in reversed(keys):
            self.tell("keyup", key)
        time.sleep(PRESS_SECONDS)

    def type(self, text):
        self.tell("type", "--delay", "60", text)
        time.sleep(PRESS_SECONDS)

    def click(self, x, y, button="1"):
        self.tell("mousemove", "--window", self.window, str(x), str(y))
        time.sleep(PRESS_SECONDS)
        self.tell("mousedown", button)
        time.sleep(PRESS_SECONDS)
        self.tell("mouseup", button)
        time.sleep(PRESS_SECONDS)

    def drag(self, begin, end):
        self.tell("mousemove", "--window", self.window, str(begin[0]), str(begin[1]))
        time.sleep(PRESS_SECONDS)
        self.tell("mousedown", "1")
        time.sleep(PRESS_SECONDS)
        self.tell("mousemove", "--window", self.window, str(end[0]), str(end[1]))
        time.sleep(PRESS_SECONDS)
        self.tell("mouseup", "1")
        time.sleep(PRESS_SECONDS)

    def processor_seconds(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def check(condition, message):
    if not condition:
        raise AssertionError(message)


def look_and_export(viewer, folder):
    """The recording that was named on the command line: looked at, exported."""
    viewer.wait_for("the recording in the title", lambda: "serial" in viewer.title())
    for key in ["f", "w", "w", "d", "a", "s", "n", "p", "c", "v", "v", "bracketright", "z"]:
        viewer.press(key)
    viewer.tell("mousemove", "--window", viewer.window, "700", "300")
    viewer.tell("click", "4")
    viewer.tell("click", "5")
    viewer.click(700, 300)
    viewer.press("question")
    viewer.press("Escape")
    viewer.press("ctrl", "t")
    viewer.press("ctrl", "p")
    viewer.type("show findings")
    viewer.press("Return")
    viewer.press("ctrl", "e")
    viewer.press("Return")
    page = folder / "a.html"
    viewer.wait_for("the exported page", lambda: page.exists() and page.stat().st_size > 10_000)


def open_beside(viewer, folder):
    """A second recording, by the open dialog and the keyboard alone."""
    viewer.press("ctrl", "shift", "o")
    time.sleep(1)
    viewer.type("b.qtrace")
    viewer.press("Return")
    time.sleep(2)
    viewer.press("ctrl", "p")
    viewer.type("show comparison")
    viewer.press("Return")
    viewer.press("space")
    viewer.press("space")
    viewer.wait_for("B alone in the title", lambda: "renaissance" in viewer.title(), 10)
    # The border of the pane on the right.
    width = int(viewer.tell("getwindowgeometry", "--shell", viewer.window).split("WIDTH=")[1].split()[0])
    viewer.drag((width - 312, 200), (width - 400, 200))


def tune_and_take(viewer, state):
    """A better mapping is searched for, the best is taken from the palette, and taken back."""
    viewer.wait_for("the recording in the title", lambda: "serial" in viewer.title())
    time.sleep(1)
    viewer.press("ctrl", "u")
    time.sleep(2)
    viewer.press("ctrl", "p")
    viewer.type("take the best")
    viewer.press("Return")
    draft = state / "quintet" / "drafts" / "a.qtrace.gz.draft.json"
    viewer.wait_for("the draft of the tuned mapping", lambda: draft.exists() and "tuned: " in draft.read_text(), 10)
    viewer.press("ctrl", "z")


def change_and_train(viewer, folder, state):
    """A weight gradient is found and dragged to another stream, saved, trained here; then the policy as it was."""
    viewer.wait_for("the recording in the title", lambda: "serial" in viewer.title())
    viewer.press("slash")
    viewer.type("dW")
    viewer.press("Return")
    viewer.press("z")
    time.sleep(1)
    # The task that was found fills the middle of its lane; COMP_2 is the lane below.
    viewer.drag((832, 157), (832, 179))
    draft = state / "quintet" / "drafts" / "a.qtrace.gz.draft.json"
    # The edit that was taken back goes with the next one.
    viewer.wait_for("the draft of the dragged task", lambda: "tuned: " not in draft.read_text(), 10)
    check("COMP_2" in draft.read_text(), "the task was not dragged to COMP_2")
    viewer.press("ctrl", "s")
    saved = folder / "serial-step-whole_step-edited.toml"
    viewer.wait_for("the saved policy", saved.exists, 10)
    check('"FC_AMP_BWD/dW" = "COMP_2"' in saved.read_text(), "the saved policy lacks the move")
    for runs in [1, 2]:
        viewer.press("ctrl", "r")
        time.sleep(1)
        viewer.wait_for(f"run {runs}", lambda: len(list(folder.glob("generated-mlp-512*.qtrace"))) == runs
                        and not list(folder.glob("*.qtrace-wal")), 60)
        viewer.press("ctrl", "z")
    viewer.press("ctrl", "p")
    viewer.type("show comparison")
    viewer.press("Return")
    time.sleep(1)


def sleeps(viewer):
    """Nothing happens, so nothing is drawn."""
    time.sleep(2)
    before = viewer.processor_seconds()
    time.sleep(3)
    used = viewer.processor_seconds() - before
    check(used < 0.3, f"an idle viewer used {used:.2f} s of the processor in 3 s")


def take_picture(viewer, file):
    """For people, where ImageMagick is installed: no part of the test."""
    if shutil.which("import"):
        subprocess.run(["import", "-window", "root", str(file)], env=viewer.environment, check=False)


def story(program, recorded, out):
    display = Display()
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="viewer-story-"))
    try:
        state = scratch / "state"
        shutil.copy(recorded / "mlp-b128-serial-whole_step.qtrace.gz", scratch / "a.qtrace.gz")
        shutil.copy(recorded / "mlp-b128-renaissance-whole_step.qtrace.gz", scratch / "b.qtrace.gz")
        viewer = Viewer(display, program, scratch, state, ["a.qtrace.gz"])
        try:
            viewer.wait_for_window()
            look_and_export(viewer, scratch)
            open_beside(viewer, scratch)
            sleeps(viewer)
            take_picture(viewer, out / "viewer_story.png")
            viewer.press("ctrl", "q")
            check(viewer.process.wait(timeout=20) == 0, "the viewer did not end in order")
        finally:
            if viewer.process.poll() is None:
                viewer.process.kill()
        remembered = json.loads((state / "quintet" / "view.json").read_text())
        check(remembered["theme"] == "light", "the theme was not remembered")
        check(remembered["tab"] == "compare", f"the tab is {remembered['tab']}")
        check([pathlib.Path(file).name for file in remembered["open"]] == ["a.qtrace.gz", "b.qtrace.gz"],
              f"open are {remembered['open']}")
        check(abs(remembered["right_width"] - 398) < 12, f"the pane is {remembered['right_width']} wide")
        if not pathlib.Path(program).with_name("quintet").exists():
            return  # nobody here can train
        viewer = Viewer(display, program, scratch, scratch / "other_state", ["a.qtrace.gz"])
        try:
            viewer.wait_for_window()
            tune_and_take(viewer, scratch / "other_state")
            change_and_train(viewer, scratch, scratch / "other_state")
            take_picture(viewer, out / "viewer_story_trained.png")
            viewer.press("ctrl", "q")
            check(viewer.process.wait(timeout=20) == 0, "the viewer did not end in order")
        finally:
            if viewer.process.poll() is None:
                viewer.process.kill()
    finally:
        display.close()
        shutil.rmtree(scratch)


def main():
    program, recorded, out = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    for tool in ["Xvfb", "xdotool"]:
        if shutil.which(tool) is None:
            skip(f"{tool} is not there")
    try:
        story(program, recorded, out)
    except AssertionError as error:
        print(f"failed: {error}")
        return 1
    print("fine: opened, looked at, exported, compared, slept, remembered; tuned, dragged, saved, trained")
    return 0


if __name__ == "__main__":
    sys.exit(main())
