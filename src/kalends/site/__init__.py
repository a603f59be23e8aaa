"""Handlers for browsers and feed readers: HTML pages, feeds, sitemap and oEmbed, static files."""
