"""Measures the service on this machine and prints the tables of docs/performance.md.

`contest` loads Kalends, the bare server and the yardsticks in turns; `lists` measures every kind of list in one
process. Calendars are made on the first run and kept in the system's folder for temporary files. One with a million
events takes twenty minutes and ten gigabytes, so it must be asked for.
"""

import argparse
import shutil
import time

import contest
import lists

# On a machine that others use too, the time of the processor is the one that can be compared.
CLOCKS = {"wall": time.perf_counter, "cpu": time.thread_time}
QUICK = contest.Effort(seconds=1, rounds=2)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    kinds = parser.add_subparsers(dest="kind", required=True)
    fighting = kinds.add_parser("contest", help="under load, beside others")
    fighting.add_argument("--quick", action="store_true", help="some minutes, for a first look")
    fighting.add_argument("--seconds", type=int, default=3, help="the time of each run")
    fighting.add_argument("--rounds", type=int, default=3, help="how many runs each contestant has")
    fighting.add_argument("--million", action="store_true", help="make the calendar of a million if it is not there")
    fighting.add_argument("--database", default="", help="where PostgreSQL has the same calendar already")
    listing = kinds.add_parser("lists", help="in one process")
    listing.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000], help="how many events")
    listing.add_argument("--seconds", type=float, default=2, help="the time for each kind of request")
    listing.add_argument("--most", type=int, default=500, help="the most requests of each kind")
    listing.add_argument("--clock", choices=CLOCKS, default="wall", help="what passes, or what the processor works")
    listing.add_argument("--only", default="", help="only requests with this in their name")
    listing.add_argument("--postgresql", action="store_true", help="in a PostgreSQL server of its own")
    listing.add_argument("--fresh", action="store_true", help="make the calendars anew")
    chosen = parser.parse_args()
    if chosen.kind == "lists":
        way = lists.Way(CLOCKS[chosen.clock], chosen.seconds, chosen.most, chosen.only)
        lists.measure(sorted(chosen.sizes), way, fresh=chosen.fresh, on_postgresql=chosen.postgresql)
        return
    if shutil.which("wrk") is None:
        parser.error("the contest needs wrk: apt-get install wrk")
    effort = QUICK if chosen.quick else contest.Effort(chosen.seconds, chosen.rounds)
    contest.run(effort, million=chosen.million, database=chosen.database)


if __name__ == "__main__":
    main()
