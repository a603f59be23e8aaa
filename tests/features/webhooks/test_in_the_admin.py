"""The screens of webhooks: list, state, log, test, resend, rotate, switch on again."""

from tests.admin.admin_client import AdminClient
from tests.conftest import World
from tests.features.webhooks.receivers import Answer, Receiver
from tests.features.webhooks.test_delivering import hook, run

PATH = "/admin/settings/webhooks"
FORM = {"description": "The mirror", "kinds": ["event", "venue"], "sees": "public"}


def test_add_one(world: World, receiver: Receiver) -> None:
    admin = AdminClient(world, "administrator")
    assert "There are no webhooks yet." in admin.get(PATH).text
    page = admin.post(f"{PATH}/new", FORM | {"url": receiver.url}, status=200).text
    assert "whsec_" in page
    (made,) = world.get("/webhooks", "administrator").json()["webhooks"]
    assert (made["kinds"], made["description"]) == (["event", "venue"], "The mirror")
    assert "whsec_" not in admin.get(f"{PATH}/{made['id']}").text
    assert receiver.url in admin.get(PATH).text


def test_what_is_wrong_stands_beside_the_field(world: World) -> None:
    admin = AdminClient(world, "administrator")
    page = admin.post(f"{PATH}/new", FORM | {"url": "http://127.0.0.1:22/"}, status=400).text
    assert 'id="error-url"' in page
    assert "The mirror" in page
    assert 'id="error-url"' in admin.post(f"{PATH}/new", FORM, status=400).text


def test_change_one(world: World, receiver: Receiver) -> None:
    made, admin = hook(world, receiver), AdminClient(world, "administrator")
    admin.post(f"{PATH}/{made['id']}", FORM | {"url": receiver.url, "sees": "everything", "include": "records"})
    found = world.get(f"/webhooks/{made['id']}", "administrator").json()
    assert (found["sees"], found["include"], found["kinds"]) == ("everything", "records", ["event", "venue"])


def test_what_was_sent_and_came_back(world: World, receiver: Receiver) -> None:
    made, admin = hook(world, receiver), AdminClient(world, "administrator")
    receiver.answers = [Answer(500, body=b"<b>out of order</b>")]
    world.make("events", title="A concert")
    run(world)
    page = admin.get(f"{PATH}/{made['id']}").text
    assert "&lt;b&gt;out of order&lt;/b&gt;" in page
    assert receiver.ids[0] in page
    assert "&#34;changes&#34;" in page
    assert "Trying again" in page
    assert "status 500" in admin.get(PATH).text
    (entry,) = world.get(f"/webhooks/{made['id']}/deliveries", "administrator").json()["deliveries"]
    admin.post(f"{PATH}/{made['id']}/resend", {"n": str(entry["n"])})
    assert receiver.ids[0] == receiver.ids[1]
    assert "The receiver answered with 200." in admin.get(f"{PATH}/{made['id']}").text
    run(world, 60)
    assert len(receiver.messages) == 2


def test_send_a_test(world: World, receiver: Receiver) -> None:
    made, admin = hook(world, receiver), AdminClient(world, "administrator")
    admin.post(f"{PATH}/{made['id']}/test", {})
    assert receiver.messages[0].json["type"] == "test"


def test_switch_on_again(world: World, receiver: Receiver) -> None:
    made, admin = hook(world, receiver), AdminClient(world, "administrator")
    receiver.answers = [Answer(410)]
    world.make("events")
    run(world)
    assert "the receiver is gone" in admin.get(PATH).text
    admin.post(f"{PATH}/{made['id']}/switch", {"active": "1"})
    run(world)
    assert len(receiver.messages) == 2
    admin.post(f"{PATH}/{made['id']}/switch", {"active": "0"})
    assert world.get(f"/webhooks/{made['id']}", "administrator").json()["active"] is False


def test_a_new_secret_and_the_end(world: World, receiver: Receiver) -> None:
    made, admin = hook(world, receiver), AdminClient(world, "administrator")
    page = admin.post(f"{PATH}/{made['id']}/rotate", {}, status=200).text
    assert "whsec_" in page
    assert made["secret"] not in page
    admin.post(f"{PATH}/{made['id']}/remove", {})
    assert world.get("/webhooks", "administrator").json()["total"] == 0


def test_only_for_administrators(world: World) -> None:
    AdminClient(world, "editor").get(PATH, status=403)
