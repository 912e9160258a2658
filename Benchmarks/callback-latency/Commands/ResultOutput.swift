// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement

/// The output of a result.
struct ResultOutput {
    let json: String?
    let html: String?

    func write(_ file: ResultFile) throws {
        if let json { try SystemFile.write(file.json(), to: json) }
        if let html { try SystemFile.write(Array(HTMLReport(file).html.utf8), to: html) }
    }
}
