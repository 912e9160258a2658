# SPDX-License-Identifier: Apache-2.0
"""What many imported users cost the commands and the server."""
