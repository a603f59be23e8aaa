"""The screens of mail."""

from kalends.features.mail import admin, followers

SCREENS = admin.SCREENS | followers.SCREENS
