// SPDX-License-Identifier: Apache-2.0

import JOSE

extension JSONObject {
    /// Adds a member with a text, or none if there is no text: a response never has `null`.
    mutating func set(_ name: String, _ text: String?) {
        guard let text else { return }
        self[name] = .string(text)
    }
}
