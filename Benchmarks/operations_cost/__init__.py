# SPDX-License-Identifier: Apache-2.0
"""What an operator's means cost the broker, each against its goal."""
