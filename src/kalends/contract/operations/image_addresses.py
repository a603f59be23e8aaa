"""The operations of images: an extension of the interface."""

from kalends.contract import errors
from kalends.contract.fields import Field
from kalends.contract.headers import ETAG, LOCATION
from kalends.contract.json_schema import ref
from kalends.contract.operations.model import ALWAYS, ID, WRITE, Operation, extension, operation
from kalends.contract.types import Type
from kalends.languages import N_


class File(Type):
    """The bytes of an upload."""

    def read(self, value: object) -> object:
        return value


MEDIA = extension(
    "/media",
    Operation(
        "create_media",
        N_("Upload an image"),
        ("POST",),
        (Field("file", File(), N_("The image to store."), required=True, extension=True),),
        ref("Image"),
        (
            *(errors.MISSING_PARAM, errors.BODY_TOO_SLOW, errors.TOO_LARGE, errors.IMAGE_TOO_LARGE),
            *(errors.WRONG_MEDIA_TYPE, errors.STORAGE_FULL, *WRITE, *ALWAYS),
        ),
        status=201,
        headers=(LOCATION,),
    ),
)
MEDIA_ITEM = extension(
    r"/media/(?P<id>\d+)",
    operation("read_media", N_("Read one image"), (ID,), ref("Image"), errors.NO_MEDIA, headers=(ETAG,)),
)
