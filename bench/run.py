"""Measures the service on this machine and prints the tables of docs/performance.md.

Calendars are made on the first run and kept in the system's folder for temporary files. One with a million events
takes a while and a few gigabytes, so it must be asked for: --sizes 10000 100000 1000000.
"""

import argparse
import time

import lists

# On a machine that others use too, the time of the processor is the one that can be compared.
CLOCKS = {"wall": time.perf_counter, "cpu": time.thread_time}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000], help="how many events")
    parser.add_argument("--seconds", type=float, default=2, help="the time for each kind of request")
    parser.add_argument("--most", type=int, default=500, help="the most requests of each kind")
    parser.add_argument("--clock", choices=CLOCKS, default="wall", help="what passes for a request, or what it works")
    parser.add_argument("--only", default="", help="only requests with this in their name")
    parser.add_argument("--fresh", action="store_true", help="make the calendars anew")
    chosen = parser.parse_args()
    way = lists.Way(CLOCKS[chosen.clock], chosen.seconds, chosen.most, chosen.only)
    lists.measure(sorted(chosen.sizes), way, fresh=chosen.fresh)


if __name__ == "__main__":
    main()
