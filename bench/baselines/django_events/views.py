"""The list of events and one event, as one writes them with Django's REST framework."""

from datetime import datetime, timedelta

from django.db.models import Prefetch
from django.urls import path
from rest_framework import generics, pagination, serializers

from django_events.models import Category, Event, EventCategory, Organizer, Tag, Venue


class VenueSerializer(serializers.ModelSerializer):
    class Meta:
        model = Venue
        fields = "__all__"


class OrganizerSerializer(serializers.ModelSerializer):
    class Meta:
        model = Organizer
        fields = "__all__"


class CategorySerializer(serializers.ModelSerializer):
    class Meta:
        model = Category
        fields = "__all__"


class TagSerializer(serializers.ModelSerializer):
    class Meta:
        model = Tag
        fields = "__all__"


class EventSerializer(serializers.ModelSerializer):
    venues = VenueSerializer(many=True)
    organizers = OrganizerSerializer(many=True)
    categories = serializers.SerializerMethodField()
    tags = TagSerializer(many=True)

    class Meta:
        model = Event
        exclude = ("visibility_level",)

    def get_categories(self, event):
        return CategorySerializer([link.target for link in event.chosen], many=True).data


class Pages(pagination.PageNumberPagination):
    page_size = 12
    page_size_query_param = "per_page"
    max_page_size = 100


# Categories above those that were chosen are linked too, without a position.
LINKS = EventCategory.objects.filter(position__isnull=False).select_related("target").order_by("position")
CHOSEN = Prefetch("eventcategory_set", LINKS, to_attr="chosen")
EVENTS = Event.objects.prefetch_related("venues", "organizers", CHOSEN, "tags")


class EventList(generics.ListAPIView):
    serializer_class = EventSerializer
    pagination_class = Pages

    def get_queryset(self):
        start = self.request.query_params.get("start_date") or f"{datetime.now():%F}"
        end = self.request.query_params.get("end_date") or f"{datetime.now() + timedelta(days=731):%F}"
        first, last = f"{start} 00:00:00", f"{end} 23:59:59"
        # The bound on both sides of the start changes nothing but the index that SQLite takes: a faster one.
        window = EVENTS.filter(visibility_level__gt=0, start_local__range=(first, last), end_local__lte=last)
        return window.order_by("start_local", "id")


class OneEvent(generics.RetrieveAPIView):
    serializer_class = EventSerializer
    queryset = EVENTS.filter(visibility_level=2)


urlpatterns = [path("events", EventList.as_view()), path("events/<int:pk>", OneEvent.as_view())]
