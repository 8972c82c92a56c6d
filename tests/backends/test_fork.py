"""A child that is forked while other threads hold a lock does not inherit it locked."""

import os
import subprocess
import sys

import pytest

PROGRAM = """
import os, signal, sys, threading
from trnarray.backends.coverage import coverage, record_fallback
from trnarray.backends.settings import get_config, set_config

def work():
    while not stop:
        {call}

stop = False
sys.setswitchinterval(1e-6)
threads = [threading.Thread(target=work) for _ in range(3)]
for each in threads: each.start()
failed = 0
for _ in range(60):
    child = os.fork()
    if child == 0:
        signal.alarm(10)  # ends a child that waits forever
        {call}
        os._exit(0)
    failed += os.waitpid(child, 0)[1] != 0
    if failed: break
stop = True
for each in threads: each.join()
raise SystemExit(failed)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
@pytest.mark.parametrize("call", ["record_fallback('op', 'float32', 'why', 'here:1')", "coverage()", "set_config(fallback='allow')"])
def test_forked_child_is_not_stuck(call):
    # Python 3.12 warns of what this does on purpose: to fork while threads run.
    program = PROGRAM.format(call=call)
    done = subprocess.run([sys.executable, "-W", "ignore::DeprecationWarning", "-c", program], timeout=300, check=False)
    assert done.returncode == 0
