# SPDX-License-Identifier: Apache-2.0
"""What a refresh of an app's tokens costs."""
