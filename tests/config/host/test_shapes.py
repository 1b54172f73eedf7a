"""Two threads that read the first body of a kind at once end no process."""

import subprocess
import sys

RACE = """
import sys, threading, msgspec
from config.processes.preload import work_out_shapes

sys.setswitchinterval(1e-6)
for n in range(60):
    parts = [(f"part{k}", msgspec.defstruct(f"P{n}{k}", [(f"a{j}", int) for j in range(30)]))
             for k in range(20)]
    whole = msgspec.defstruct(f"W{n}", parts)
    text = msgspec.json.encode({name: {f"a{j}": j for j in range(30)} for name, _ in parts})
    if sys.argv[1:]:
        work_out_shapes()
    start = threading.Barrier(6)
    threads = [threading.Thread(target=lambda: start.wait() and None or
               msgspec.json.decode(text, type=whole)) for _ in range(6)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
"""


def test_shapes_are_worked_out_before_there_are_threads():
    done = subprocess.run([sys.executable, "-c", RACE, "worked out"], check=False)
    assert done.returncode == 0
