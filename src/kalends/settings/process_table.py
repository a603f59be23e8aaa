"""The settings of the process, made by those who run it: where things are stored, limits, and what is let in."""

from dataclasses import dataclass
from pathlib import Path

from kalends.settings import value_types
from kalends.settings.rows import setting


@dataclass(frozen=True, kw_only=True)
class ProcessSettings:
    """What the service needs to run."""

    data: Path = setting(
        "./data", value_types.PATH, "The folder that holds the database, the images and `kalends.toml`."
    )
    database: str = setting(
        "",
        value_types.DATABASE,
        "The database; empty is the file `kalends.db` in the data folder, where relative paths start too.",
        has_password=True,
    )
    database_replica: tuple[str, ...] = setting(
        "",
        value_types.REPLICAS,
        "Replicas of the PostgreSQL database, to which reads may go when they are up to date.",
        has_password=True,
    )
    database_connections: int = setting(
        "16",
        value_types.whole(2, 1000),
        "The most connections of each worker to the PostgreSQL server, and to each replica.",
    )
    database_timeout: float = setting(
        "5",
        value_types.number(0.1, 600),
        "The seconds to wait for PostgreSQL, or for another writer, before a request gets the status 503.",
    )
    media: str = setting(
        "", value_types.MEDIA, "The bucket that holds the images; empty is the folder `media` in the data folder."
    )
    media_endpoint: str = setting(
        "",
        value_types.BASE_URL,
        "The address of the server that has the bucket; empty is Amazon S3, or what `AWS_*` variables say.",
    )
    media_region: str = setting(
        "", value_types.REGION, "The region of the bucket; empty is what `AWS_*` variables say."
    )
    base_url: str = setting(
        "",
        value_types.BASE_URL,
        "The public address of the site, at the front of every link; empty takes it from the request.",
    )
    api_root: str = setting("/api", value_types.ROOT_PATH, "The path under which the interface lives.")
    compat: bool = setting(
        "true",
        value_types.YES_OR_NO,
        "Whether the addresses of WordPress answer too: `/wp-json/`, `?rest_route=` and those of its calendar pages.",
    )
    history_days: int = setting(
        "365", value_types.whole(0, 36500), "How many days earlier versions of records are kept; 0 keeps none."
    )
    changes_days: int = setting(
        "90",
        value_types.whole(1, 36500),
        "How many days `/changes` remembers: a client that asks less often has to copy everything again.",
    )
    max_per_page: int = setting(
        "100", value_types.whole(1, 1000), "The largest `per_page` of a list; more is brought down to it."
    )
    max_body: int = setting("10MB", value_types.SIZE, "The largest body of a request.")
    max_image: int = setting("25MB", value_types.SIZE, "The largest image, uploaded or fetched.")
    image_timeout: float = setting("10", value_types.number(0.1, 300), "The seconds that fetching an image may take.")
    geoloc_radius: float = setting(
        "40",
        value_types.number(0.001, 20040),
        "The kilometres around a point in which a list finds events, unless the request says.",
    )
    recurrence_months: int = setting(
        "24",
        value_types.whole(1, 120),
        "The months ahead for which an event that repeats without an end has its occurrences.",
    )
    trusted_proxies: tuple[value_types.Network, ...] = setting(
        "",
        value_types.NETWORKS,
        "The proxies whose `Forwarded` and `X-Forwarded-*` headers are believed; empty is none.",
    )
    cache_age: int = setting(
        "10",
        value_types.whole(0, 86400),
        "The seconds for which caches may keep the response to an anonymous request.",
    )
    cache_size: int = setting(
        "32MB",
        value_types.SIZE_OR_NONE,
        "The memory in which each worker caches responses to anonymous requests; 0 caches none.",
    )
    fetch_private: bool = setting(
        "false",
        value_types.YES_OR_NO,
        "Whether sources may be read, and the service that finds addresses be asked, inside of your network, on any "
        "port; else only at public addresses.",
    )
    secret_key: str = setting(
        "",
        value_types.text(0, 1000),
        "What seals secrets in the database, so that a backup does not have them; the same on all nodes. Empty: "
        "log-ins of sources are refused, and other secrets (authenticator apps, the mail server) are sealed with the "
        "file `secret.key` in the data folder, beside SQLite only.",
        secret=True,
    )
    cors: bool = setting("true", value_types.YES_OR_NO, "Whether scripts of other sites may read the interface.")
    rate_limit: int = setting(
        "0", value_types.whole(0, 1_000_000), "The requests a minute that one address may make; 0 is no limit."
    )
    metrics: tuple[value_types.Network, ...] = setting(
        "",
        value_types.NETWORKS,
        "The networks that can read `/metrics`, by the address of the connection itself and never through a proxy; "
        "empty is none, and nothing is counted.",
    )
    log_format: str = setting(
        "text",
        value_types.choice(("text", "json")),
        "What the lines are that the service writes to its standard error.",
    )
    log_requests: bool = setting(
        "false",
        value_types.YES_OR_NO,
        "Whether each request is a line there, and its answer has the header `X-Request-Id`.",
    )
    security_contact: tuple[str, ...] = setting(
        "",
        value_types.CONTACTS,
        "Whom to tell of a vulnerability, as `/.well-known/security.txt` says; empty is nobody, and no such file.",
    )
    admin_password: str = setting(
        "",
        value_types.PASSWORD,
        "The password of `admin` on the first start; empty makes a random one and shows it once.",
        secret=True,
    )

    @property
    def is_embedded(self) -> bool:
        """The database is a file of SQLite's."""
        return not self.database.startswith("postgresql")

    @property
    def database_path(self) -> Path:
        """The SQLite file."""
        return self.data / (self.database.removeprefix("sqlite:///") or "kalends.db")
