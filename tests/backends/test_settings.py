"""Settings: contexts over the process, threads, tasks and generators."""

import asyncio
import contextvars
import copy
import os
import pickle
import re
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trnarray.backends.device import CPU, Device, detected_default_device
from trnarray.backends.settings import (
    Settings,
    config,
    default_device,
    get_config,
    get_default_device,
    set_config,
    set_default_device,
)

ACTIONS = ("warn", "error", "allow")


@pytest.fixture(autouse=True)
def process_settings(monkeypatch):
    """Detect the cpu, and put the process's settings back after each test."""
    monkeypatch.setenv("TRNARRAY_DEVICE", "cpu")
    detected_default_device.cache_clear()
    before = get_config()
    assert before == Settings()
    yield
    set_config(**before._asdict())
    assert get_config() == before
    detected_default_device.cache_clear()


def test_defaults():
    assert get_config() == ("warn", None, None, "accurate", "native", "native", None, None, "device")
    ours = ("fallback", "host_transfer", "default_device", "math", "defaults", "random", "precision", "target_forward_error", "float64")
    assert Settings._fields == ours


def test_settings_are_a_frozen_value():
    settings = get_config()
    with pytest.raises(AttributeError):
        settings.fallback = "allow"
    assert pickle.loads(pickle.dumps(settings)) == copy.deepcopy(settings) == settings
    assert hash(settings) == hash(Settings())


@pytest.mark.parametrize(
    ("setting", "device", "action"),
    [(None, "cpu", "allow"), (None, "trn:0", "error"), (None, "sim:trn2", "error")]
    + [(action, device, action) for action in ACTIONS for device in ("cpu", "trn:0", "sim:trn1")],
)
def test_host_transfer_on(setting, device, action):
    assert Settings(host_transfer=setting).host_transfer_on(Device(device)) == action


def test_config_nests_and_restores():
    with config(fallback="error") as outer:
        assert outer == get_config() == Settings(fallback="error")
        with config(host_transfer="warn"):
            assert get_config() == Settings("error", "warn")
            with config(fallback="allow", default_device="sim:trn2"):
                assert get_config() == Settings("allow", "warn", Device("sim:trn2"))
            assert get_config() == Settings("error", "warn")
        assert get_config() is outer
    assert get_config() == Settings()


def test_config_restores_after_an_exception():
    with pytest.raises(ZeroDivisionError), config(fallback="error"):
        raise ZeroDivisionError
    assert get_config() == Settings()


def test_config_object_is_reusable_and_reentrant():
    strict = config(fallback="error")
    for _ in range(2):
        with strict:
            with config(fallback="allow"):
                with strict:
                    assert get_config().fallback == "error"
                assert get_config().fallback == "allow"
            assert get_config().fallback == "error"
        assert get_config().fallback == "warn"


def test_leaving_a_config_that_was_not_entered_changes_nothing():
    with config(fallback="error"):
        config(fallback="allow").__exit__(None, None, None)
        assert get_config().fallback == "error"
    config(fallback="allow").__exit__(None, None, None)


def test_decorator():
    @config(fallback="error")
    def depth(n):
        """Document."""
        assert get_config().fallback == "error"
        return n and depth(n - 1)

    assert depth(3) == 0
    assert depth.__name__ == "depth"
    assert depth.__doc__ == "Document."
    assert get_config().fallback == "warn"


def test_decorator_refuses_what_runs_later():
    def generator():
        yield

    async def coroutine():
        pass

    async def async_generator():
        yield

    for func in (generator, coroutine, async_generator):
        with pytest.raises(TypeError, match=rf"cannot decorate .*{func.__name__}.*inside it"):
            config(fallback="error")(func)


def test_generator_may_leave_inside_another_config():
    def inside():
        with config(fallback="error"):
            yield get_config()

    running = inside()
    assert next(running).fallback == "error"
    with config(host_transfer="warn"):
        assert get_config() == Settings("error", "warn")
        running.close()
        assert get_config() == Settings("warn", "warn")
    assert get_config() == Settings()


@pytest.mark.parametrize("change", [config, set_config])
@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"fallbacks": "warn"}, TypeError, "no setting 'fallbacks'; allowed are fallback, host_transfer, default_device, math"),
        ({"fallback": "ignore"}, ValueError, "fallback is one of 'warn', 'error', 'allow'; got 'ignore'"),
        ({"fallback": None}, ValueError, "fallback is one of 'warn', 'error', 'allow'; got None"),
        ({"fallback": ["warn"]}, ValueError, "got ['warn']"),
        ({"host_transfer": True}, ValueError, "host_transfer is one of 'warn', 'error', 'allow', None; got True"),
        ({"default_device": "gpu"}, ValueError, "there is no device 'gpu'"),
        ({"default_device": 0}, TypeError, "a device is a string"),
    ],
)
def test_wrong_changes_change_nothing(change, changes, error, message):
    with pytest.raises(error, match=re.escape(message)):
        change(**{"host_transfer": "warn"} | changes)
    assert get_config() == Settings()


def test_set_config_is_seen_by_all_threads_and_under_configs():
    changed = threading.Event()
    started = threading.Barrier(3)

    def plain():
        started.wait()
        changed.wait()
        return get_config()

    def overriding():
        with config(fallback="allow"):
            started.wait()
            changed.wait()
            return get_config()

    with ThreadPoolExecutor(2) as pool, config(default_device="cpu"):
        running, overridden = pool.submit(plain), pool.submit(overriding)
        started.wait()
        set_config(fallback="error", host_transfer="warn")
        changed.set()
        assert get_config() == Settings("error", "warn", CPU)
        assert running.result() == Settings("error", "warn")
        assert overridden.result() == Settings("allow", "warn")
        with ThreadPoolExecutor(1) as new:
            assert new.submit(get_config).result() == Settings("error", "warn")
    assert get_config() == Settings("error", "warn")


def test_config_is_not_seen_by_other_threads():
    with config(fallback="error"), ThreadPoolExecutor(1) as pool:
        assert pool.submit(get_config).result() == Settings()
        context = contextvars.copy_context()
        assert pool.submit(context.run, get_config).result() == Settings(fallback="error")


def test_one_config_in_many_threads():
    shared = {action: config(fallback=action) for action in ACTIONS}
    together = threading.Barrier(8)

    def work(seed):
        together.wait()
        for i in range(300):
            first, second = ACTIONS[(seed + i) % 3], ACTIONS[(seed + i // 3) % 3]
            with shared[first]:
                with shared[second]:
                    assert get_config().fallback == second
                assert get_config().fallback == first
            assert get_config().fallback == "warn"
        return True

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(8)))


def test_concurrent_set_config_loses_nothing(switching):
    together = threading.Barrier(2)

    def work(name):
        together.wait()
        for i in range(5000):
            action = ACTIONS[i % 3]
            set_config(**{name: action})
            # Look more than once: the other thread's stale write comes later.
            assert all(getattr(get_config(), name) == action for _ in range(20))
        return True

    with ThreadPoolExecutor(2) as pool:
        assert all(pool.map(work, ("fallback", "host_transfer")))


def test_asyncio_tasks_have_their_own():
    async def work(action, mine, other):
        with config(fallback=action):
            mine.set()
            await other.wait()
            assert get_config().fallback == action
        assert get_config() == Settings("warn", "warn")

    async def main():
        with config(host_transfer="warn"):
            first, second = asyncio.Event(), asyncio.Event()
            await asyncio.gather(work("error", first, second), work("allow", second, first))
            assert get_config() == Settings("warn", "warn")
            # A coroutine that is awaited, not made a task, runs in our context.
            with config(fallback="allow"):
                assert (await asyncio.create_task(asyncio.to_thread(get_config))).fallback == "allow"

    asyncio.run(main())
    assert get_config() == Settings()


CHANGES = st.fixed_dictionaries(
    {},
    optional={
        "fallback": st.sampled_from(ACTIONS),
        "host_transfer": st.sampled_from((*ACTIONS, None)),
        "default_device": st.sampled_from(("cpu", "sim:trn1", "trn:3", None)),
    },
)
STEPS = st.lists(st.tuples(st.sampled_from(["enter", "enter again", "leave", "leave any", "process"]), CHANGES, st.integers(0, 9)))


@given(STEPS)
def test_against_a_model(steps):
    """Entered configs are a list of changes over the process's; leaving one removes its last entry."""
    process, entered = Settings()._asdict(), []
    try:
        for step, changes, i in steps:
            if step == "process":
                set_config(**changes)
                process.update(changes)
            elif step == "enter":
                entered.append((config(**changes), changes))
                entered[-1][0].__enter__()
            elif entered and step == "enter again":
                entered.append(entered[i % len(entered)])
                entered[-1][0].__enter__()
            elif entered:
                owner, _ = entered[-1 if step == "leave" else i % len(entered)]
                owner.__exit__(None, None, None)
                last = max(k for k, (each, _) in enumerate(entered) if each is owner)
                del entered[last]
            expected = dict(process)
            for _, changed in entered:
                expected.update(changed)
            assert get_config()._asdict() == expected
            assert get_default_device() == (expected["default_device"] or "cpu")
    finally:
        while entered:
            entered.pop()[0].__exit__(None, None, None)
        set_config(**Settings()._asdict())


def test_default_device():
    assert get_default_device() is CPU
    set_default_device("sim:trn1")
    assert get_default_device() is Device("sim:trn1")
    with default_device("trn:2"):
        assert get_default_device() is Device("trn:2")
        with default_device(None):
            assert get_default_device() is CPU
    assert get_default_device() is Device("sim:trn1")
    set_default_device(None)
    assert get_default_device() is CPU

    @default_device(Device("sim:trn3"))
    def inside():
        return get_default_device()

    assert inside() is Device("sim:trn3")


@pytest.mark.parametrize("change", [set_default_device, default_device])
def test_default_device_is_checked(change):
    with pytest.raises(ValueError, match="there is no device 'tpu'"):
        change("tpu")
    with pytest.raises(TypeError, match="a device is a string"):
        change(3)


_WRONG = "ValueError: environment variable TRNARRAY_DEFAULTS: defaults is one of 'native', 'numpy'; got 'NumPy'"


@pytest.mark.parametrize(("value", "wanted"), [("numpy", "numpy"), ("", "native"), ("NumPy", _WRONG)])
def test_the_environment_chooses_defaults(value, wanted):
    program = "from trnarray.backends.settings import get_config; print(get_config().defaults)"
    environment = os.environ | {"TRNARRAY_DEFAULTS": value}
    ran = subprocess.run([sys.executable, "-c", program], check=False, env=environment, capture_output=True, text=True)
    assert (ran.stdout or ran.stderr).strip().splitlines()[-1] == wanted
