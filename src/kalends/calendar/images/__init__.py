"""Images of records: upload, guarded fetch, processing with limits, and storage."""
