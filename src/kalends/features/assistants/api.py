"""`/mcp`: the Model Context Protocol over HTTP. Every message is a POST of its own, and no session is kept."""

import base64
import binascii
from typing import Any
from urllib.parse import urlsplit

import falcon
import msgspec

from kalends.contract.errors import WRONG_MEDIA_TYPE, ApiError
from kalends.features.assistants import MCP, protocol
from kalends.features.assistants.model import Assistant
from kalends.features.assistants.protocol import (
    HEADER_MISMATCH,
    INVALID_REQUEST,
    LATEST,
    PARSE_ERROR,
    UNSUPPORTED_VERSION,
    VERSIONS,
    MessageRefused,
    ProtocolMessage,
    ProtocolResponse,
)
from kalends.http.messages import bodies
from kalends.http.request_context import client_address, context_of
from kalends.http.service import Resource, Service
from kalends.values import foreign_json
from kalends.values.foreign_json import NotJson

LARGEST_MESSAGE = bodies.LARGEST_JSON
NAMED = ("tools/call", "prompts/get", "resources/read")  # whose header Mcp-Name says what they are about
LOOPBACK = ("localhost", "127.0.0.1", "::1")


class Endpoint(Resource):
    """Takes messages. Who asks, and what that person may, is told by the same credentials as those of the API."""

    def on_post(self, req: falcon.Request, resp: falcon.Response) -> None:
        if self._is_foreign(req):
            self._send(
                resp, protocol.refusal(MessageRefused(INVALID_REQUEST, "Pages of other sites are not served.", 403))
            )
            return
        if (req.content_type or "").partition(";")[0].strip().lower() != bodies.JSON:
            raise ApiError(WRONG_MEDIA_TYPE, accepted=bodies.JSON)
        data = bodies.raw(req, min(self.service.settings.max_body, LARGEST_MESSAGE))
        self._send(resp, self._respond(req, data))

    def _send(self, resp: falcon.Response, response: ProtocolResponse) -> None:
        resp.status = falcon.code_to_http_status(response.status)
        if response.body is not None:
            resp.content_type = "application/json"
            resp.data = msgspec.json.encode(response.body)

    def _respond(self, req: falcon.Request, data: bytes) -> ProtocolResponse:
        if bodies.has_too_many_values(data):
            return protocol.refusal(MessageRefused(PARSE_ERROR, "Parse error: it has too many values"))
        try:
            sent = foreign_json.read(data)
        except NotJson as error:
            return protocol.refusal(MessageRefused(PARSE_ERROR, f"Parse error: {error}"))
        try:
            message = protocol.read(sent)
            _check_headers(req, message)
        except MessageRefused as refused:
            return protocol.refusal(refused, protocol.id_of(sent))
        context = context_of(req)
        address = client_address(req, context.settings)
        assistant = Assistant(self.service.calendar, context.caller, context.addresses, address)
        return protocol.respond(assistant, message)

    def _is_foreign(self, req: falcon.Request) -> bool:
        """Whether a page of another site asks, which must not use its reader's network or machine. Without a
        `base_url` a name that leads here says nothing: anybody can make one."""
        origin = req.get_header("Origin")
        if origin is None:
            return False
        base_url = self.service.settings.base_url
        asked = urlsplit(context_of(req).addresses.base_url)
        try:
            parts = urlsplit(origin)
            host, name = parts.netloc.lower(), parts.hostname or ""
        except ValueError:
            host = name = ""
        return not host or host != asked.netloc.lower() or not (base_url or name in LOOPBACK)


def _check_headers(req: falcon.Request, message: ProtocolMessage) -> None:
    """Headers say what the body says, or MessageRefused is raised; those who route requests read only the headers."""
    header = req.get_header("MCP-Protocol-Version")
    if not message.version:
        if header == LATEST and not message.is_notification:
            raise protocol.missing_meta(protocol.VERSION)
        if header is not None and header not in VERSIONS:
            data = {"supported": [*VERSIONS], "requested": header[:100]}
            raise MessageRefused(UNSUPPORTED_VERSION, "Unsupported protocol version", data=data)
        return
    if header != message.version:
        raise _mismatch("MCP-Protocol-Version", header, message.version)
    protocol.check_revision(message)
    if message.is_notification:
        return
    if (method := req.get_header("Mcp-Method")) != message.method:
        raise _mismatch("Mcp-Method", method, message.method)
    if message.method in NAMED:
        name, wanted = _decoded(req.get_header("Mcp-Name")), message.params.get("name", message.params.get("uri"))
        if name is None or name != wanted:
            raise _mismatch("Mcp-Name", name, wanted)


def _mismatch(name: str, header: str | None, body: object) -> MessageRefused:
    told = "is missing" if header is None else f"value '{header[:100]}' does not match body value '{str(body)[:100]}'"
    return MessageRefused(HEADER_MISMATCH, f"Header mismatch: {name} header {told}")


def _decoded(header: str | None) -> str | None:
    """A header value; what does not fit into one comes as `=?base64?…?=`."""
    if header is None or not (header.startswith("=?base64?") and header.endswith("?=")):
        return header
    try:
        return base64.b64decode(header[9:-2], validate=True).decode()
    except (binascii.Error, ValueError):
        return None


def add_routes(app: falcon.App[Any, Any], service: Service) -> None:
    app.add_route(MCP, Endpoint(service))
