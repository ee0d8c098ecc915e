"""Commands over many files, as many at a time as there are cores, within a time limit."""

import concurrent.futures
import os
import subprocess
import time


def run_one(command, deadline):
    """(finished, exit status, output)"""
    left = deadline - time.monotonic()
    if left <= 0:
        return False, 0, ""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=left)
        return True, done.returncode, done.stdout + done.stderr
    except subprocess.TimeoutExpired:
        return False, 0, ""


def run_all(commands, limit_s):
    """One (finished, exit status, output) for each command, in their order."""
    deadline = time.monotonic() + limit_s
    workers = max(1, len(os.sched_getaffinity(0)))
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        return list(pool.map(lambda command: run_one(command, deadline), commands))
