"""Images in a bucket: servers that know less, servers that fail, and what the service then answers."""

import os
import re
import subprocess
import sys
import threading
from contextlib import contextmanager

import pytest
from tests.calendar.images import buckets
from tests.calendar.images.buckets import BUCKET, CREDENTIALS, FOLDER
from tests.clusters import free_port
from tests.conftest import client_of
from tests.forked import run_to_end
from tests.pictures import png

from kalends import bootstrap
from kalends.calendar.images.processing import read_picture
from kalends.calendar.service import Calendar
from kalends.settings import SettingError, load
from kalends.store.files import media_bucket
from kalends.store.files.media_bucket import MediaBucket
from kalends.store.files.media_files import MediaUnavailable, MissingFile
from kalends.worker import make_app

NAME = "2026/11/probe.png"
SILENT = r"the bucket s3://town/calendar/images cannot be used: it does not answer"


@pytest.fixture
def files(bucket):
    return bootstrap.media_files(load(None, bucket.settings, {}))


def test_a_file_lies_in_the_folder_of_the_bucket_that_the_setting_names(bucket, files):
    files.save(NAME, b"bytes")
    assert bucket.keys() == [f"{FOLDER}/{NAME}"]
    at_the_top = MediaBucket(f"s3://{BUCKET}", bucket.settings["media_endpoint"])
    at_the_top.save(NAME, b"others")
    assert bucket.keys() == sorted([NAME, f"{FOLDER}/{NAME}"])
    assert (files.read(NAME), at_the_top.read(NAME)) == (b"bytes", b"others")


def test_two_machines_see_each_others_files(bucket, files):
    other = bootstrap.media_files(load(None, bucket.settings, {}))
    files.save(NAME, b"bytes")
    assert other.read(NAME) == b"bytes"
    with pytest.raises(FileExistsError):
        other.save(NAME, b"second")
    other.remove(NAME)
    with pytest.raises(MissingFile):
        files.read(NAME)


def test_of_two_that_save_at_once_one_wins(bucket, files):
    """Both have looked and found the name free: the condition of the write decides."""
    both = threading.Barrier(2)

    def twist(inner, environ, start_response):
        if environ["REQUEST_METHOD"] == "PUT":
            both.wait(10)
        return inner(environ, start_response)

    won = []

    def save(data):
        try:
            files.save(NAME, data)
            won.append(data)
        except FileExistsError:
            pass

    with bucket.twisted(twist):
        threads = [threading.Thread(target=save, args=(data,)) for data in (b"one", b"two")]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(20)
    assert won == [files.read(NAME)]


@pytest.mark.parametrize(
    "twist",
    [
        buckets.deaf_to_conditions,
        buckets.refusing("501 Not Implemented", "NotImplemented", buckets.is_conditional),
    ],
    ids=["deaf", "refusing"],
)
def test_a_server_that_knows_no_conditions_is_good_enough(bucket, files, twist):
    with bucket.twisted(twist):
        files.check()
        files.save(NAME, b"first")
        with pytest.raises(FileExistsError):
            files.save(NAME, b"second")
    assert files.read(NAME) == b"first"


def test_a_repeated_attempt_knows_its_own_work(bucket, files):
    """The server did it and the answer was lost: the second attempt is told that the name is taken."""
    with bucket.twisted(buckets.losing_the_first_answer()):
        files.save(NAME, b"bytes")
    assert files.read(NAME) == b"bytes"


def test_the_server_is_told_how_to_know_a_broken_transfer(bucket, files):
    sent = {}

    def watch(inner, environ, start_response):
        sent[environ["REQUEST_METHOD"]] = environ.get("HTTP_CONTENT_MD5")
        return inner(environ, start_response)

    with bucket.twisted(watch):
        files.save(NAME, b"bytes")
    assert sent["PUT"] == "SzpiGLs+OnMD6KFxpg/Pkg=="


@pytest.mark.parametrize(
    ("status", "code", "reason"),
    [
        ("403 Forbidden", "AccessDenied", "the credentials are not accepted, or lack a right"),
        ("403 Forbidden", "InvalidAccessKeyId", "the credentials are not accepted, or lack a right"),
        ("404 Not Found", "NoSuchBucket", "there is no such bucket"),
        ("503 Slow Down", "SlowDown", "it answers SlowDown"),
    ],
)
def test_what_keeps_the_bucket_from_answering_is_said_without_a_secret(bucket, files, status, code, reason):
    for ask in (lambda: files.read(NAME), lambda: files.save(NAME, b"bytes"), lambda: files.remove(NAME)):
        # An answer to HEAD has no code in it.
        twist = buckets.refusing(status, code, lambda environ: environ["REQUEST_METHOD"] != "HEAD")
        with bucket.twisted(twist), pytest.raises(MediaUnavailable) as caught:
            ask()
        assert str(caught.value).startswith(f"the bucket s3://{BUCKET}/{FOLDER} cannot be used: {reason}")
        assert not any(secret in str(caught.value) for secret in CREDENTIALS.values())
    assert bucket.keys() == []


def test_a_bucket_that_lets_nothing_be_deleted_fails_the_check(bucket, files):
    twist = buckets.refusing("403 Forbidden", "AccessDenied", lambda environ: environ["REQUEST_METHOD"] == "DELETE")
    with bucket.twisted(twist), pytest.raises(MediaUnavailable, match="lack a right"):
        files.check()


def test_while_the_bucket_is_silent_only_one_thread_waits_for_it(bucket, files):
    """The others are told at once, so that a node goes on to serve its pages."""
    bucket.stop()
    try:
        with pytest.raises(MediaUnavailable, match=SILENT):
            files.read(NAME)
    finally:
        bucket.start()
    asked, go_on = threading.Event(), threading.Event()

    def twist(inner, environ, start_response):
        asked.set()
        go_on.wait(10)
        return inner(environ, start_response)

    answers = []

    def wait():
        try:
            files.read(NAME)
        except MissingFile:
            answers.append("missing")

    with bucket.twisted(twist):
        thread = threading.Thread(target=wait)
        thread.start()
        assert asked.wait(10)
        with pytest.raises(MediaUnavailable, match=SILENT):
            files.read(NAME)
        go_on.set()
        thread.join(10)
    assert answers == ["missing"]
    files.save(NAME, b"bytes")
    assert files.read(NAME) == b"bytes"


def test_a_server_that_never_answers_is_not_waited_for_long(bucket, monkeypatch):
    monkeypatch.setattr(media_bucket, "READ_SECONDS", 0.1)
    monkeypatch.setattr(media_bucket, "ATTEMPTS", 1)
    files = bootstrap.media_files(load(None, bucket.settings, {}))
    go_on = threading.Event()

    def twist(inner, environ, start_response):
        go_on.wait(10)
        return inner(environ, start_response)

    with bucket.twisted(twist):
        with pytest.raises(MediaUnavailable, match=SILENT):
            files.save(NAME, b"bytes")
        go_on.set()


# The service


@contextmanager
def stopped(bucket):
    bucket.stop()
    try:
        yield
    finally:
        bucket.start()


@contextmanager
def dropped(bucket):
    bucket.drop()
    try:
        yield
    finally:
        bucket.make()


FAILURES = pytest.mark.parametrize("failure", [stopped, dropped])


def upload(world, data):
    return world.post("/media", content=data, headers={"Content-Type": "image/png"})


def assert_unavailable(response):
    assert (response.status_code, response.json()["code"]) == (503, "service_unavailable")
    assert int(response.headers["Retry-After"]) > 0
    assert not any(secret in response.text for secret in (BUCKET, *CREDENTIALS.values()))


@FAILURES
def test_without_the_bucket_writes_are_503_and_leave_nothing_and_then_work_again(bucket, make_world, failure, caplog):
    world = make_world(**bucket.settings)
    world.pictures["https://pictures.test/a.png"] = read_picture(png(400, 300))
    event = world.make("events")
    count = world.count()
    with failure(bucket):
        assert_unavailable(upload(world, png(400, 300)))
        assert_unavailable(world.put(f"/events/{event['id']}", json={"image": "https://pictures.test/a.png"}))
        # What has nothing to do with images goes on.
        assert world.get("/events").json()["total"] == 1
    assert world.count() == count
    assert bucket.keys() == []
    assert "the bucket s3://town/calendar/images cannot be used: " in caplog.text
    assert not any(secret in caplog.text for secret in CREDENTIALS.values())
    image = upload(world, png(400, 300)).json()
    assert world.get(image["url"], "administrator").status_code == 200
    changed = world.put(f"/events/{event['id']}", json={"image": "https://pictures.test/a.png"})
    assert changed.json()["image"]["width"] == 400
    assert len(bucket.keys()) == 6


def test_without_the_bucket_reading_is_503_and_then_works_again(bucket, make_world):
    world = make_world(**bucket.settings)
    image = upload(world, png(400, 300)).json()
    world.make("events", image=image["id"])
    for who in ("anonymous", "administrator"):
        with stopped(bucket):
            assert_unavailable(world.get(image["url"], who))
        assert len(world.get(image["url"], who).content) == image["filesize"]


def test_who_may_not_see_an_image_learns_nothing_from_a_silent_bucket(bucket, make_world):
    world = make_world(**bucket.settings)
    image = upload(world, png()).json()
    with stopped(bucket):
        assert world.get(image["url"]).status_code == 404
        assert_unavailable(world.get(image["url"], "administrator"))


def test_a_write_that_fails_after_some_sizes_takes_them_away_again(bucket, make_world):
    world = make_world(**bucket.settings)
    saved = []

    def third_put(environ):
        if environ["REQUEST_METHOD"] == "PUT":
            saved.append(environ["PATH_INFO"])
        return len(saved) >= 3 and environ["REQUEST_METHOD"] == "PUT"

    with bucket.twisted(buckets.refusing("503 Slow Down", "SlowDown", third_put)):
        assert_unavailable(upload(world, png(1200, 900)))
    assert len(saved) >= 3
    assert bucket.keys() == []


def test_two_nodes_share_images(bucket, make_world):
    world = make_world(**bucket.settings)
    image = upload(world, png(400, 300)).json()
    world.make("events", image=image["id"])
    here = world.calendar
    elsewhere = Calendar(here.store, bootstrap.media_files(here.settings), here.settings, world.clock)
    with client_of(make_app(elsewhere)) as node:
        read = node.get(image["sizes"]["medium"]["url"])
        assert (read.status_code, len(read.content)) == (200, image["sizes"]["medium"]["filesize"])


# The start


def start(tmp_path, settings, **environ):
    """`kalends serve` as a process that is expected to end by itself."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("KALENDS_", "AWS_"))}
    for name, value in settings.items():
        kept[f"KALENDS_{name.upper()}"] = value
    return run_to_end("serve", "--port", free_port(), "--data", tmp_path / "data", environ=kept | environ)


@pytest.mark.parametrize(
    ("environ", "settings", "reason"),
    [
        ({}, {"media": "s3://another-town"}, "the bucket s3://another-town cannot be used: there is no such bucket"),
        ({}, {"media_endpoint": "http://127.0.0.1:1"}, SILENT + r" \(EndpointConnectionError\)"),
        (
            {"AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": ""},
            {},
            "the bucket s3://town/calendar/images cannot be used: there are no credentials for it",
        ),
        ({"AWS_PROFILE": "nobody"}, {}, r".*The config profile \(nobody\) could not be found"),
    ],
)
def test_a_bucket_that_cannot_be_used_stops_the_start_in_one_line(bucket, tmp_path, environ, settings, reason):
    status, out, err = start(tmp_path, bucket.settings | settings, **(buckets.ENVIRONMENT | environ))
    assert (status, out) == (1, "")
    assert len(err.splitlines()) == 1
    assert re.fullmatch(f"kalends: {reason}\n", err), err


def test_credentials_without_the_rights_stop_the_start_in_one_line(bucket, tmp_path):
    with bucket.twisted(buckets.refusing("403 Forbidden", "AccessDenied")):
        status, _, err = start(tmp_path, bucket.settings, **buckets.ENVIRONMENT)
    assert status == 1
    assert err.startswith("kalends: the bucket s3://town/calendar/images cannot be used: the credentials are not")
    assert len(err.splitlines()) == 1


def test_without_boto3_one_line_says_how_to_get_it(bucket, monkeypatch):
    monkeypatch.delitem(sys.modules, "kalends.store.files.media_bucket")
    monkeypatch.setitem(sys.modules, "boto3", None)
    with pytest.raises(
        SettingError, match=r"boto3 is not installed: .*pip install --require-hashes -r requirements-s3.txt"
    ):
        bootstrap.media_files(load(None, bucket.settings, {}))


def test_without_a_bucket_boto3_is_not_loaded():
    program = "import sys, kalends.cli, kalends.worker; sys.exit('boto3' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0
