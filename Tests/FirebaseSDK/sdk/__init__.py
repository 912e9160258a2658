# SPDX-License-Identifier: Apache-2.0
"""The script for web apps and the Firebase SDK in a browser, against a broker with development providers."""
