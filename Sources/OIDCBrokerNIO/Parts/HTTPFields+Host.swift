// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// `HTTPField.Name` has no `Host`, since HTTP types hold the authority apart; a second one, or one beside
/// `:authority`, still stands among the fields.
extension HTTPFields {
    /// The values of every `Host`.
    var hosts: [String] {
        self.filter { $0.name.canonicalName == "host" }.map(\.value)
    }

    /// Takes every `Host` out.
    mutating func removeHosts() {
        self.removeAll { $0.name.canonicalName == "host" }
    }
}
