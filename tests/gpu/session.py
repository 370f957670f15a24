"""session.py: one run of a kit: what is checked is counted, said and put into a report; a run may have an end."""
import re
import shutil
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timezone
from pathlib import Path


def say(text):
    print(text, flush=True)


class Session:
    """`chosen`: the command line; `kit`: its folder; `facts`: kit.json."""

    def __init__(self, chosen, kit, facts):
        self.chosen, self.kit, self.facts = chosen, kit.resolve(), facts
        self.mogrun = self.kit / "bin/mogrun"
        self.begin = time.monotonic()
        self.end = self.begin + 60 * chosen.minutes if chosen.minutes else None
        self.good, self.report = True, []
        self.devices = self.find_devices()

    def find_devices(self):
        """{id: description} of the GPUs here, or of those asked for."""
        listed = subprocess.run([self.mogrun, "--list-devices"], stdin=subprocess.DEVNULL, capture_output=True, text=True).stdout
        found = dict(line.split(None, 1) for line in listed.splitlines() if line.startswith(("cuda:", "opencl:")))
        if self.chosen.device:
            return {name: found.get(name, "") for name in self.chosen.device}
        return {name: about for name, about in found.items() if not re.search("pthread|cpu", about, re.IGNORECASE)}

    def late(self):
        return self.end is not None and time.monotonic() >= self.end

    def line(self, text):
        self.report.append(f"- {text}")
        say(text)

    def wrong(self, title, problems):
        self.good = False
        self.line(f"{title}: FAILS")
        say("  " + problems.strip()[-3000:].replace("\n", "\n  "))

    def check(self, title, problems):
        """Of one thing: `problems` is empty, or says what is wrong."""
        if problems:
            self.wrong(title, problems)
        else:
            self.line(f"{title}: as it should be")

    def run_all(self, title, jobs, work):
        """work(job) for all jobs, several at a time: what is wrong as text, "" if nothing, None if there was nothing to run. Jobs are
        (name, ...). The line that sums them up says how many there was no time for."""
        ran = left = failed = 0

        def one(job):
            return job, "late" if self.late() else work(job)

        with ThreadPoolExecutor(self.chosen.jobs) as pool:
            for job, problems in pool.map(one, jobs):
                if problems == "late":
                    left += 1
                    continue
                ran += problems is not None
                if ran % 100 == 0:
                    say(f"{title}: {ran} of {len(jobs)}")
                if problems:
                    failed += 1
                    self.wrong(f"{title}: {job[0]}", problems)
        if ran + left == 0:
            return
        self.line(f"{title}: {ran} runs, {failed} differ" + (f"; no time for {left} more" if left else ""))
        self.good = self.good and left == 0

    def run(self, command, seconds=None, **more):
        """A command's exit status and all that it printed."""
        try:
            done = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, timeout=seconds or self.chosen.timeout, **more)
        except subprocess.TimeoutExpired as late:
            return "none", (late.stdout or b"").decode(errors="replace") + "\nno end in time"
        return done.returncode, done.stdout.decode(errors="replace")

    def head(self):
        driver = ""
        if shutil.which("nvidia-smi"):
            driver = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version,memory.total", "--format=csv,noheader"],
                                    capture_output=True, text=True).stdout.strip()
        when = f"{datetime.now(timezone.utc):%Y-%m-%d}, MOG at {self.facts['commit']}"
        listed = [f"- `{device}`: {about}" for device, about in self.devices.items()]
        return [f"# {self.name()}", "", when + (f"; {driver}" if driver else ""), "", *listed, ""]

    def name(self):
        """Of the first device, as people call it."""
        return next(iter(self.devices.values())).split(",")[0].split(":")[-1].strip() or next(iter(self.devices))

    def write(self, root):
        """The report; its exit status."""
        file = re.sub(r"[^A-Za-z0-9]+", "-", self.name()).strip("-").lower() + ".md"
        results = self.chosen.results or root / "bench/results" / file
        Path(results).parent.mkdir(parents=True, exist_ok=True)
        Path(results).write_text("\n".join(self.head() + self.report) + "\n")
        verdict = "all as it should be" if self.good else "SOMETHING DIFFERS, or was left out"
        say(f"{verdict}; {time.monotonic() - self.begin:.0f} s; {results}")
        return 0 if self.good else 1
