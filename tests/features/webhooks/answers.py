"""The answers of every operation of webhooks, for tests/http/api/test_every_operation.py."""

import ipaddress
from collections.abc import Iterable, Iterator
from email.message import Message
from typing import Any

import pytest

from kalends.calendar.fetching import guarded
from kalends.contract.operations.model import Operation
from kalends.features.webhooks import sending
from kalends.features.webhooks.addresses import ADDRESSES


def answers(world: Any, operation: Operation) -> Iterable[Any]:
    """While whoever is sent to takes the message."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sending, "resolve", lambda host, port: [ipaddress.ip_address("93.184.216.34")])
        patch.setattr(guarded, "posted", lambda *_, **__: guarded.PostAnswer(200, Message(), b"ok"))
        return list(on_webhooks(world, operation))


def on_webhooks(world: Any, operation: Operation) -> Iterator[Any]:
    """The answers of an operation on webhooks and their deliveries."""
    for method in operation.methods:
        made = world.post("/webhooks", json={"url": "https://mirror.example/hook"})
        path = f"/webhooks/{made.json().get('id')}"
        match operation.name:
            case "create_webhook":
                yield made
            case "list_webhooks":
                yield world.get("/webhooks", "administrator")
            case "update_webhook":
                yield world.ask(method, path, "administrator", json={"active": False})
            case "resend_delivery":
                sent = world.post(f"{path}/test").json()["n"]
                yield world.post(f"{path}/deliveries/{sent}/resend")
            case "list_deliveries":
                yield world.get(f"{path}/deliveries", "administrator")
            case "rotate_webhook" | "test_webhook":
                yield world.post(f"{path}/{operation.name.partition('_')[0]}")
            case _:
                yield world.ask(method, path, "administrator")


ANSWERS = {operation.name: answers for address in ADDRESSES for operation in address.operations}
# Nobody reads these without logging in (tests/contract/test_document.py).
FOR_MEMBERS = ("/webhooks",)
