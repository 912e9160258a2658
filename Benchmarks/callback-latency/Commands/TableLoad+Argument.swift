// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LatencyMeasurement

/// By its name, after `--only` and `--without`.
extension TableLoad: ExpressibleByArgument {}
