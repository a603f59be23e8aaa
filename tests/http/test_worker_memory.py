"""What large bodies needed is not kept by a worker."""

import subprocess
import sys

# Threads that hold a large body each, one after another, and keep something small of it.
SCRIPT = """
import threading
from pathlib import Path
from resource import getpagesize
from kalends.bootstrap import configure_malloc

def resident_memory():
    return int(Path("/proc/self/statm").read_text().split()[1]) * getpagesize()

configure_malloc()
kept, begun = [], threading.Barrier(12)

def upload():
    for _ in range(4):
        body = b"x" * 10_000_000
        begun.wait()
        kept.append(bytes(bytearray(10_000)))
        del body

before = resident_memory()
threads = [threading.Thread(target=upload) for _ in range(12)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print((resident_memory() - before) // 1_000_000)
"""


def test_memory_of_large_bodies_goes_back_to_the_system() -> None:
    grown = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True, timeout=60)
    assert int(grown.stdout) < 20


# Threads that each hold a batch of many texts, one after another, and keep something small of it.
BATCHES = """
import threading
from pathlib import Path
from resource import getpagesize
from kalends.bootstrap import configure_malloc

def resident_memory():
    return int(Path("/proc/self/statm").read_text().split()[1]) * getpagesize()

configure_malloc()
kept, turn, begun = [], threading.Lock(), threading.Barrier(12)

def batch():
    begun.wait()
    with turn:
        texts = ["x" * (9_000 + number) for number in range(2_000)]
        kept.extend(texts[::100])
    del texts
    begun.wait()

before = resident_memory()
threads = [threading.Thread(target=batch) for _ in range(12)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print((resident_memory() - before) // 1_000_000)
"""


def test_memory_of_many_texts_is_used_again_by_the_next_thread() -> None:
    grown = subprocess.run([sys.executable, "-c", BATCHES], capture_output=True, text=True, check=True, timeout=60)
    assert int(grown.stdout) < 80
