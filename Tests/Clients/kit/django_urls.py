# SPDX-License-Identifier: Apache-2.0
"""The URL patterns of the Django project: those of the client's application."""

from django.conf import settings
from django.urls import include, path

urlpatterns = [path("", include(settings.CLIENT_URLS))]
