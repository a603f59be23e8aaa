"""A made-up town to fill an empty calendar with: its venues, its organizers and half a year of its events."""

from kalends.feature import Feature

DEMO = Feature(name="demo", commands={"demo": "commands:demo"}, service_hooks="service_hooks:SERVICE_HOOKS")
