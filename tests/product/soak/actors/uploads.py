"""Uploads of images, which are read back."""

import io

from PIL import Image
from tests.product.soak.actors.actor import Actor


class Uploader(Actor):
    name = "uploads"
    pause = 1.0

    def step(self) -> None:
        size = self.random.randint(20, 300), self.random.randint(20, 200)  # thousands of them fit on the disk
        file = io.BytesIO()
        Image.effect_noise(size, self.random.randint(5, 60)).save(file, "PNG")
        headers = self.log_in | {"Content-Type": "image/png"}
        answer = self.ask("POST", "/media", content=file.getvalue(), headers=headers)
        if answer is None:
            return
        if answer.status_code != 201:
            self.results.fail(f"an upload: {answer.status_code} {answer.text[:300]}")
            return
        path = "/media/" + answer.json()["url"].partition("/media/")[2]
        shown = self.ask("GET", path, page=True, headers=self.log_in)
        # Until a public record shows it, only those who can edit see it.
        if shown is not None and shown.status_code not in (200, 404):
            self.results.fail(f"an image: {shown.status_code}")
