"""A made-up town to fill an empty calendar with: its venues, its organizers and half a year of its events."""

from kalends.feature import Feature

DEMO = Feature(name="demo", sample_data="commands:fill_if_empty", commands={"demo": "commands:demo"})
