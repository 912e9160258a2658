// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// `HTTPField.Name` has no `Host`, since the HTTP types keep the authority separately. A second one, or one in addition
/// to `:authority`, is still among the fields.
extension HTTPFields {
    /// The values of all `Host` fields.
    var hosts: [String] {
        self.filter { $0.name.canonicalName == "host" }.map(\.value)
    }

    /// Removes all `Host` fields.
    mutating func removeHosts() {
        self.removeAll { $0.name.canonicalName == "host" }
    }
}
