"""Checks that the calendar agrees with itself, and computes derived data anew."""

from kalends.feature import Feature

CONSISTENCY = Feature(name="consistency", commands={"check": "commands:check"})
