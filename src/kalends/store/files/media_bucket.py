"""Media files in an S3 bucket, shared by every node."""

import base64
import errno
import hashlib
import os
import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

import boto3  # type: ignore[import-untyped]
from botocore.config import Config  # type: ignore[import-untyped]
from botocore.exceptions import (  # type: ignore[import-untyped]
    BotoCoreError,
    ClientError,
    ConnectionError,
    HTTPClientError,
    NoCredentialsError,
)

from kalends.store.files.media_files import MediaUnavailable, MissingFile, OpenFile, parts_of

__all__ = ["MediaBucket"]

CONNECT_SECONDS = 2
READ_SECONDS = 10
ATTEMPTS = 2

# Error codes of S3 in words that tell what to do. A response to HEAD has only its status.
NO_RIGHT = "the credentials are not accepted, or lack a right: they have to list, read, write and delete"
REASONS = {
    "NoSuchBucket": "there is no such bucket",
    "AccessDenied": NO_RIGHT,
    "InvalidAccessKeyId": NO_RIGHT,
    "SignatureDoesNotMatch": NO_RIGHT,
    "403": NO_RIGHT,
}
SILENT = "it does not answer"


class MediaBucket:
    """Media files as objects. Only boto3 handles the credentials, from the usual sources of AWS programs."""

    def __init__(self, address: str, endpoint: str = "", region: str = "") -> None:
        self._address = address
        self._bucket, slash, folder = address.removeprefix("s3://").partition("/")
        self._prefix = folder + slash
        self._silent = False
        self._waiting = threading.Lock()
        with self._translated_errors():
            self._client: Any = boto3.client(
                "s3", endpoint_url=endpoint or None, region_name=region or None, config=_config()
            )

    def check(self) -> None:
        """Raises MediaUnavailable unless files can be saved, read and removed here."""
        name = f"check-{secrets.token_hex(8)}"
        self.save(name, b"")
        self.read(name)
        self.remove(name)

    def save(self, name: str, data: bytes) -> None:
        """Whole or not at all; FileExistsError when the name is taken."""
        key, mark = self._key(name), secrets.token_hex(8)
        with self._translated_errors():
            # Some servers ignore what they do not know, such as the condition of `_put`.
            if self._head(key) is not None or not self._put(key, data, mark):
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), name)

    def read(self, name: str) -> bytes:
        """The bytes saved under this name, or MissingFile."""
        with self._translated_errors():
            data: bytes = self._get(name)["Body"].read()
        return data

    def open(self, name: str) -> OpenFile:
        """The file of this name, or MissingFile: it comes as it is read. The caller closes it."""
        with self._translated_errors():
            found = self._get(name)
        body = found["Body"]

        def read(size: int) -> bytes:
            with self._translated_errors():
                data: bytes = body.read(size)
            return data

        return OpenFile(found["ContentLength"], read, body.close)

    def remove(self, name: str) -> None:
        """Deletes the file if there is one."""
        key = self._key(name)
        with self._translated_errors():
            self._client.delete_object(Bucket=self._bucket, Key=key)

    def names(self) -> set[str]:
        """None: several calendars may use one bucket, so nothing in it is taken for what this one left behind."""
        return set()

    def remove_unfinished(self, before: datetime) -> None:
        """An object is there whole or not at all."""

    def _key(self, name: str) -> str:
        return self._prefix + "/".join(parts_of(name))

    def _get(self, name: str) -> dict[str, Any]:
        try:
            found: dict[str, Any] = self._client.get_object(Bucket=self._bucket, Key=self._key(name))
        except self._client.exceptions.NoSuchKey:
            raise MissingFile(name) from None
        return found

    def _put(self, key: str, data: bytes, mark: str) -> bool:
        """Whether this call created the object."""
        request = {
            "Bucket": self._bucket,
            "Key": key,
            "Body": data,
            "ContentMD5": base64.b64encode(hashlib.md5(data, usedforsecurity=False).digest()).decode(),
            "Metadata": {"mark": mark},
        }
        try:
            self._client.put_object(**request, IfNoneMatch="*")
        except ClientError as error:
            match error.response["ResponseMetadata"]["HTTPStatusCode"]:
                case 412:
                    # When a response was lost, the retry finds the object of the first attempt.
                    found = self._head(key)
                    return found is not None and found["Metadata"].get("mark") == mark
                case 501:
                    self._client.put_object(**request)
                case _:
                    raise
        return True

    def _head(self, key: str) -> dict[str, Any] | None:
        """The metadata of an object, or None if there is none."""
        try:
            found: dict[str, Any] = self._client.head_object(Bucket=self._bucket, Key=key)
        except ClientError as error:
            if error.response["ResponseMetadata"]["HTTPStatusCode"] != 404:
                raise
            return None
        return found

    @contextmanager
    def _translated_errors(self) -> Iterator[None]:
        """Errors of the bucket become MediaUnavailable. While it does not respond, one thread at a time waits for it,
        and the others fail at once."""
        waits = self._silent
        if waits and not self._waiting.acquire(blocking=False):
            raise self._unavailable(SILENT)
        silent = False
        try:
            yield
        except (ConnectionError, HTTPClientError) as error:
            silent = True
            raise self._unavailable(f"{SILENT} ({type(error).__name__})") from error
        except NoCredentialsError as error:
            raise self._unavailable("there are no credentials for it") from error
        except ClientError as error:
            code = error.response["Error"]["Code"]
            raise self._unavailable(REASONS.get(code, f"it answers {code}")) from error
        except BotoCoreError as error:
            raise self._unavailable(" ".join(str(error).split())) from error
        finally:
            self._silent = silent
            if waits:
                self._waiting.release()

    def _unavailable(self, reason: str) -> MediaUnavailable:
        return MediaUnavailable(f"the bucket {self._address} cannot be used: {reason}")


def _config() -> Config:
    return Config(
        connect_timeout=CONNECT_SECONDS,
        read_timeout=READ_SECONDS,
        retries={"mode": "standard", "total_max_attempts": ATTEMPTS},
        # Many servers do not know the newer checksums; ContentMD5 is known everywhere.
        request_checksum_calculation="when_required",
        response_checksum_validation="when_required",
    )
