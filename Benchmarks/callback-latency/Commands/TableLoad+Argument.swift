// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LatencyMeasurement

/// A load is named after `--only` and `--without`.
extension TableLoad: ExpressibleByArgument {}
