"""The store of compiled programs: whole entries whatever happens to whoever writes them."""

import hashlib
import os
import signal
import subprocess
import sys
import textwrap
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from trnarray.backends.neuron.launch import store as module
from trnarray.backends.neuron.launch.store import Store, UnsafePathError, cache_directory, read_private, size_limit, write_atomically

KEYS = [hashlib.sha256(bytes([number])).hexdigest() for number in range(8)]
posix = pytest.mark.skipif(os.name != "posix", reason="locks and signals are POSIX's")


def python(code, *arguments):
    """Start another process."""
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code), *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def test_keeps_what_it_was_given(tmp_path):
    store = Store(tmp_path)
    assert store.get(KEYS[0]) is None
    store.put(KEYS[0], b"one")
    assert Store(tmp_path).get(KEYS[0]) == b"one"
    assert store.find(KEYS[0], lambda: pytest.fail("it is there")) == b"one"
    assert store.find(KEYS[1], lambda: b"") == b""
    assert store.find(KEYS[1], lambda: b"not made") == b""
    assert (store.statistics.hits, store.statistics.misses) == (2, 2)


def test_keeps_nothing_of_what_could_not_be_made(tmp_path):
    store = Store(tmp_path)
    with pytest.raises(ZeroDivisionError):
        store.find(KEYS[0], lambda: bytes(1 // 0))
    assert store.find(KEYS[0], lambda: b"now") == b"now"


@pytest.mark.parametrize("damage", [lambda data: data[:-1], lambda data: b"", lambda data: data[:-1] + b"?", lambda data: data + b"?"])
def test_damaged_entries_are_absent(tmp_path, damage):
    store = Store(tmp_path)
    store.put(KEYS[0], b"program")
    (path,) = (tmp_path / "entries").iterdir()
    path.write_bytes(damage(path.read_bytes()))
    assert store.get(KEYS[0]) is None
    assert store.statistics.damaged == 1
    assert not path.exists()
    assert store.find(KEYS[0], lambda: b"again") == b"again"


def test_least_recently_used_entries_go_first(tmp_path):
    entry = len(module._header(KEYS[0], bytes(100))) + 1 + 100
    store = Store(tmp_path, limit=3 * entry)
    for number in range(3):
        store.put(KEYS[number], bytes(100))
        path = store._entry(KEYS[number])
        os.utime(path, (1000 + number, 1000 + number))
    assert store.get(KEYS[0]) is not None  # a use
    store.put(KEYS[3], bytes(100))
    assert [store.get(key) is not None for key in KEYS[:4]] == [True, False, True, True]
    assert store.statistics.evicted == 1
    store.put(KEYS[4], bytes(4 * entry))
    assert store.get(KEYS[4]) is None, "too large to be kept"


def test_what_killed_processes_left_is_removed(tmp_path):
    store = Store(tmp_path)
    store.put(KEYS[0], b"one")
    old, new = tmp_path / "entries" / ".new-old", tmp_path / "entries" / ".new-new"
    for path in (old, new):
        path.write_bytes(b"half of a prog")
    os.utime(old, (time.time() - module._ABANDONED - 10,) * 2)
    store.put(KEYS[1], b"two")
    assert not old.exists()
    assert new.exists(), "somebody may be writing it"


def test_failed_writes_leave_the_old_entry(tmp_path, monkeypatch):
    path = tmp_path / "file"
    write_atomically(path, b"old")

    def broken(descriptor):
        raise OSError("disk full")

    monkeypatch.setattr(os, "fsync", broken)
    with pytest.raises(OSError, match="disk full"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["file"]


WRITER = """
    import sys
    from pathlib import Path
    from trnarray.backends.neuron.launch.store import Store
    store = Store(Path(sys.argv[1]))
    print("ready", flush=True)
    while True:  # entries that say which they are in every byte
        for number in range(1, 256):
            store.put(sys.argv[2], bytes([number]) * (1 << 20))
"""


@posix
def test_processes_killed_while_writing_leave_the_store_usable(tmp_path):
    store, seen = Store(tmp_path), 0
    for attempt in range(2):
        writers = [python(WRITER, tmp_path, KEYS[0]) for _ in range(2)]
        for writer in writers:
            assert writer.stdout.readline() == "ready\n", writer.stderr.read()
        end = time.monotonic() + 0.1 + 0.1 * attempt
        while time.monotonic() < end:
            payload = store.get(KEYS[0])
            assert payload is None or payload == payload[:1] * (1 << 20)
            seen += payload is not None
        for writer in writers:
            writer.send_signal(signal.SIGKILL)
            writer.communicate()
        payload = store.get(KEYS[0])
        assert payload is None or payload == payload[:1] * (1 << 20)
    assert seen
    assert store.statistics.damaged == 0
    store.put(KEYS[1], b"still works")
    assert store.get(KEYS[1]) == b"still works"


HOLDER = """
    import sys, time
    from pathlib import Path
    from trnarray.backends.neuron.launch.store import Store
    def make():
        print("making", flush=True)
        time.sleep(60)
    Store(Path(sys.argv[1])).find(sys.argv[2], make)
"""


@posix
def test_the_lock_of_a_killed_process_is_free(tmp_path):
    holder = python(HOLDER, tmp_path, KEYS[0])
    assert holder.stdout.readline() == "making\n"
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(Store(tmp_path).find, KEYS[0], lambda: b"mine")
        time.sleep(0.1)
        assert not waiting.done(), "it did not wait for the process that makes the entry"
        holder.send_signal(signal.SIGKILL)
        holder.communicate()
        assert waiting.result(timeout=10) == b"mine"


FORKER = """
    import os, signal, sys, time
    from pathlib import Path
    from trnarray.backends.neuron.launch.store import Store
    children = []
    def make():
        children.append(os.fork())
        if children[-1] == 0:
            os.closerange(0, 3)  # of which the test reads what the parent writes
            signal.alarm(20)
            time.sleep(60)
        return b"program"
    store = Store(Path(sys.argv[1]))
    store.find(sys.argv[2], make)
    signal.alarm(10)  # ends a process that waits
    store.remove(sys.argv[2])
    print(store.find(sys.argv[2], lambda: b"again"), flush=True)
    os.kill(children[0], signal.SIGKILL)
"""


@posix
def test_children_that_were_forked_meanwhile_hold_no_lock(tmp_path):
    assert python(FORKER, tmp_path, KEYS[0]).communicate()[0] == "b'again'\n"


COMPILER = """
    import os, sys, time
    from pathlib import Path
    from trnarray.backends.neuron.launch.store import Store
    def make():
        with open(sys.argv[3], "a") as log:
            log.write("made\\n")
        time.sleep(0.1)
        return b"program"
    print(Store(Path(sys.argv[1])).find(sys.argv[2], make))
"""


@posix
def test_of_several_processes_one_makes_an_entry(tmp_path):
    log = tmp_path / "log"
    processes = [python(COMPILER, tmp_path / "store", KEYS[0], log) for _ in range(4)]
    assert [process.communicate()[0] for process in processes] == ["b'program'\n"] * 4
    assert log.read_text() == "made\n"


def test_threads(tmp_path):
    store, made = Store(tmp_path), []

    def make():
        made.append(None)
        time.sleep(0.01)
        return b"program"

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(lambda _: store.find(KEYS[0], make), range(32))) == {b"program"}
    if os.name == "posix":
        assert len(made) == 1


def test_directory(monkeypatch, tmp_path):
    monkeypatch.setenv("TRNARRAY_CACHE_DIR", str(tmp_path / "mine"))
    assert cache_directory() == tmp_path / "mine"
    monkeypatch.delenv("TRNARRAY_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_directory() == tmp_path / "trnarray"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("USERPROFILE", str(tmp_path / "home"))
    assert cache_directory() == tmp_path / "home" / ".cache" / "trnarray"


def test_limit(monkeypatch):
    monkeypatch.delenv("TRNARRAY_CACHE_SIZE", raising=False)
    assert size_limit() == 4 << 30
    monkeypatch.setenv("TRNARRAY_CACHE_SIZE", "1000")
    assert size_limit() == 1000
    monkeypatch.setenv("TRNARRAY_CACHE_SIZE", "4GB")
    with pytest.raises(ValueError, match="TRNARRAY_CACHE_SIZE is a number of bytes .* got '4GB'"):
        size_limit()


@posix
@pytest.mark.parametrize("mask", [0o000, 0o022, 0o077])
def test_every_level_is_its_owners_alone(tmp_path, mask):
    before = os.umask(mask)
    try:
        store = Store(tmp_path / "cache" / "programs")
        store.find(KEYS[0], lambda: b"one")
    finally:
        os.umask(before)
    made = [path for path in (tmp_path / "cache", *(tmp_path / "cache").rglob("*")) if path.is_dir()]
    assert len(made) == 4
    assert {oct(path.stat().st_mode & 0o777) for path in made} == {"0o700"}
    assert {oct(path.stat().st_mode & 0o077) for path in (tmp_path / "cache").rglob("*") if path.is_file()} == {"0o0"}


@posix
@pytest.mark.parametrize("mode", [0o770, 0o707, 0o777, 0o1777])
def test_directories_that_others_may_write_to_are_refused(tmp_path, mode):
    store = Store(tmp_path)
    store.put(KEYS[0], b"one")
    (tmp_path / "entries").chmod(mode)
    for use in (lambda: store.get(KEYS[0]), lambda: store.put(KEYS[1], b"two")):
        with pytest.raises(UnsafePathError, match=f"entries belongs to user .* with mode {mode:o}.*TRNARRAY_CACHE_DIR"):
            use()
    (tmp_path / "entries").chmod(0o755)  # others may look
    assert store.get(KEYS[0]) == b"one"


@posix
@pytest.mark.parametrize("folder", ["", "programs", "programs/entries"])
def test_every_level_of_the_cache_is_checked(tmp_path, monkeypatch, folder):
    """Who may write to a folder may put another in the place of one within it."""
    monkeypatch.setenv("TRNARRAY_CACHE_DIR", str(tmp_path / "cache"))
    store = Store(cache_directory() / "programs")
    store.put(KEYS[0], b"one")
    path = tmp_path / "cache" / folder
    path.chmod(0o777)
    for use in (lambda: store.get(KEYS[0]), lambda: store.put(KEYS[1], b"two")):
        with pytest.raises(UnsafePathError, match=f"{path} belongs to user .* with mode 777"):
            use()
    path.chmod(0o700)
    assert store.get(KEYS[0]) == b"one"
    tmp_path.chmod(0o777)  # above the cache directory, which the user chose
    assert store.get(KEYS[0]) == b"one"


@posix
def test_files_of_others_and_links_are_refused(tmp_path, monkeypatch):
    store = Store(tmp_path)
    store.put(KEYS[0], b"one")
    path = store._entry(KEYS[0])
    path.chmod(0o666)
    with pytest.raises(UnsafePathError, match="with mode 666"):
        store.get(KEYS[0])
    path.chmod(0o600)
    link = store._entry(KEYS[1])
    link.symlink_to(path)
    with pytest.raises(OSError, match="symbolic links"):
        store.get(KEYS[1])
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    with pytest.raises(UnsafePathError, match="belongs to user"):
        read_private(path)


OTHER_ENTRIES = [b"", b"\n", b"{}\nprogram", b"[1]\nprogram", b"trnarray-entry-1\n" + bytes(32) + b"program", b"\x80\x04N."]


@pytest.mark.parametrize("entry", OTHER_ENTRIES)
def test_what_is_no_entry_is_absent(tmp_path, entry):
    store = Store(tmp_path)
    store.put(KEYS[0], b"one")
    store._entry(KEYS[0]).write_bytes(entry)
    assert store.get(KEYS[0]) is None
    assert store.statistics.damaged == 1


def test_an_entry_of_another_key_is_absent(tmp_path):
    store = Store(tmp_path)
    store.put(KEYS[0], b"one")
    os.replace(store._entry(KEYS[0]), store._entry(KEYS[1]))
    assert store.get(KEYS[1]) is None


def test_without_a_home_nothing_is_kept(monkeypatch):
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("TRNARRAY_CACHE_DIR", "~nobody-of-that-name/cache")
    assert cache_directory() is None
    monkeypatch.delenv("TRNARRAY_CACHE_DIR")
    monkeypatch.setattr(module.Path, "home", lambda: (_ for _ in ()).throw(RuntimeError("Could not determine home directory.")))
    assert cache_directory() is None
