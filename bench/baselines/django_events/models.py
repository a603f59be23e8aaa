"""The tables, as Django sees them."""

from django.db import models


class Place(models.Model):
    author = models.IntegerField()
    status = models.TextField()
    date_utc = models.TextField()
    modified_utc = models.TextField()
    slug = models.TextField()
    name = models.TextField()
    description = models.TextField()
    website = models.TextField()
    phone = models.TextField()

    class Meta:
        abstract = True


class Venue(Place):
    address = models.TextField()
    city = models.TextField()
    country = models.TextField()
    zip = models.TextField()
    geo_lat = models.FloatField(null=True)
    geo_lng = models.FloatField(null=True)

    class Meta(Place.Meta):
        abstract = False
        db_table = "venue"


class Organizer(Place):
    email = models.TextField()

    class Meta(Place.Meta):
        abstract = False
        db_table = "organizer"


class Term(models.Model):
    parent = models.IntegerField()
    slug = models.TextField()
    name = models.TextField()
    description = models.TextField()

    class Meta:
        abstract = True


class Category(Term):
    class Meta(Term.Meta):
        abstract = False
        db_table = "category"


class Tag(Term):
    class Meta(Term.Meta):
        abstract = False
        db_table = "tag"


class Event(models.Model):
    author = models.IntegerField()
    status = models.TextField()
    date_utc = models.TextField()
    modified_utc = models.TextField()
    slug = models.TextField()
    name = models.TextField()
    excerpt = models.TextField()
    description = models.TextField()
    start_local = models.TextField()
    end_local = models.TextField()
    start_utc = models.TextField()
    end_utc = models.TextField()
    timezone = models.TextField()
    all_day = models.BooleanField()
    featured = models.BooleanField()
    sticky = models.BooleanField()
    hide_from_listings = models.BooleanField()
    cost = models.TextField()
    website = models.TextField()
    visibility_level = models.IntegerField()
    venues = models.ManyToManyField(Venue, through="EventVenue")
    organizers = models.ManyToManyField(Organizer, through="EventOrganizer")
    categories = models.ManyToManyField(Category, through="EventCategory")
    tags = models.ManyToManyField(Tag, through="EventTag")

    class Meta:
        db_table = "event"


class Link(models.Model):
    event = models.ForeignKey(Event, models.CASCADE, db_column="event", primary_key=True)
    position = models.IntegerField(null=True)

    class Meta:
        abstract = True


class EventVenue(Link):
    target = models.ForeignKey(Venue, models.CASCADE, db_column="target")

    class Meta(Link.Meta):
        abstract = False
        db_table = "event_venue"


class EventOrganizer(Link):
    target = models.ForeignKey(Organizer, models.CASCADE, db_column="target")

    class Meta(Link.Meta):
        abstract = False
        db_table = "event_organizer"


class EventCategory(Link):
    target = models.ForeignKey(Category, models.CASCADE, db_column="target")

    class Meta(Link.Meta):
        abstract = False
        db_table = "event_category"


class EventTag(Link):
    target = models.ForeignKey(Tag, models.CASCADE, db_column="target")

    class Meta(Link.Meta):
        abstract = False
        db_table = "event_tag"
