"""What is removed from an image: its orientation, the metadata of the camera, comments and trailing bytes."""

import io

import pytest
from PIL import Image, ImageCms
from tests.calendar.pictures import SECRET, camera_exif, decoded, drawn, encoded, sizes

from kalends.calendar.images.processing import read_picture


def stored_turned(image: Image.Image, orientation: int) -> Image.Image:
    """The pixels as a camera with this orientation stores them."""
    undo = {
        2: Image.Transpose.FLIP_LEFT_RIGHT,
        3: Image.Transpose.ROTATE_180,
        4: Image.Transpose.FLIP_TOP_BOTTOM,
        5: Image.Transpose.TRANSPOSE,
        6: Image.Transpose.ROTATE_90,
        7: Image.Transpose.TRANSVERSE,
        8: Image.Transpose.ROTATE_270,
    }
    return image.transpose(undo[orientation])


@pytest.mark.parametrize("orientation", range(2, 9))
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "AVIF"])
def test_a_rotated_image_is_stored_upright(kind: str, orientation: int) -> None:
    data = encoded(stored_turned(drawn(400, 320), orientation), kind, exif=camera_exif(orientation))
    picture = read_picture(data)
    assert (picture.width, picture.height) == (400, 320)
    assert sizes(picture)[0] == ("medium", 300, 240)
    for made in (picture.data, picture.renditions[0].data):
        image = decoded(made)
        assert image.getexif().get(0x0112, 1) == 1
        corners = [image.convert("RGB").getpixel((int(image.width * x), int(image.height * y)))
                   for x, y in ((0.1, 0.1), (0.1, 0.9), (0.9, 0.1))]  # fmt: skip
        bright, dark, blue = corners
        assert bright[0] > 230 > 150 > dark[0] > 90 > blue[0]  # type: ignore[index]


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "AVIF"])
@pytest.mark.parametrize("orientation", [1, 6])
def test_camera_metadata_is_removed(kind: str, orientation: int) -> None:
    xmp = b"<x:xmpmeta>" + SECRET + b"</x:xmpmeta>"
    data = encoded(drawn(400, 320), kind, exif=camera_exif(orientation), xmp=xmp)
    assert SECRET in data
    picture = read_picture(data)
    for made in (picture.data, *(small.data for small in picture.renditions)):
        assert SECRET not in made
        image = decoded(made)
        assert not image.getexif()
        assert not {"exif", "xmp", "comment"} & set(image.info)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_metadata_is_removed_without_encoding_again(kind: str) -> None:
    image = Image.effect_noise((200, 160), 90).convert("RGB")
    bare, told = encoded(image, kind), encoded(image, kind, exif=camera_exif())
    kept = read_picture(told).data
    assert len(kept) < len(told)
    assert decoded(kept).tobytes() == decoded(bare).tobytes()


def test_comments_are_removed() -> None:
    jpeg = read_picture(encoded(drawn(40, 30), "JPEG", comment=SECRET))
    assert SECRET not in jpeg.data
    assert "comment" not in decoded(jpeg.data).info


@pytest.mark.parametrize("progressive", [False, True])
def test_what_follows_the_end_of_a_jpeg_is_cut_off(progressive: bool) -> None:
    image = Image.effect_noise((200, 160), 90)
    data = encoded(image, "JPEG", progressive=progressive, restart_marker_rows=2)
    picture = read_picture(data + encoded(image, "JPEG", exif=camera_exif()) + b"film of " + SECRET)
    assert picture.data == data


def test_a_jpeg_with_further_views_is_a_jpeg() -> None:
    views = [drawn(400, 320), drawn(400, 320)]
    data = encoded(views[0], "MPO", save_all=True, append_images=views[1:])
    assert Image.open(io.BytesIO(data)).format == "MPO"
    picture = read_picture(data)
    assert picture.mime_type == "image/jpeg"
    assert decoded(picture.data).format == "JPEG"
    assert decoded(picture.renditions[0].data).format == "JPEG"


@pytest.mark.filterwarnings("ignore:Corrupt EXIF data")
def test_unreadable_exif_does_no_harm() -> None:
    picture = read_picture(encoded(drawn(40, 30), "JPEG", exif=b"Exif\0\0MM\0*\xff\xff\xff\xff nonsense"))
    assert (picture.width, picture.height) == (40, 30)
    assert b"nonsense" not in picture.data


def test_an_animation_keeps_its_frames_without_its_metadata() -> None:
    frames = [Image.new("RGB", (32, 32), colour) for colour in ("red", "lime", "blue")]
    data = encoded(frames[0], "WEBP", save_all=True, append_images=frames[1:], exif=camera_exif())
    kept = read_picture(data).data
    assert SECRET not in kept
    assert getattr(decoded(kept), "n_frames", 1) == 3


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "AVIF"])
def test_the_colour_profile_stays(kind: str) -> None:
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    picture = read_picture(encoded(drawn(400, 320), kind, icc_profile=profile))
    for made in (picture.data, *(small.data for small in picture.renditions)):
        assert decoded(made).info["icc_profile"] == profile
