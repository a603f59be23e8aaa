"""The bytes of images: in a folder, or in a bucket of S3."""
