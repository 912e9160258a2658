# SPDX-License-Identifier: Apache-2.0
"""The libraries of npm, and those that Debian has for its Python, in the order of the tables: the names of modules."""

CLIENTS = ["npm", "authlib_refresh"]

VERIFIERS = ["jose", "pyjwt"]
