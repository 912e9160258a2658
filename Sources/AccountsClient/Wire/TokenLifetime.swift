// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The lifetime of an ID token as a response has it: a text that is a number of seconds.
enum TokenLifetime {
    /// The longest lifetime that is believed, in seconds.
    static let maximum = 86_400

    /// Reads a lifetime, in seconds.
    /// - Throws: ``AccountsError`` if it is none.
    static func seconds(_ text: String?) throws -> TimeInterval {
        guard let text, let seconds = Int(text), (1...maximum).contains(seconds) else {
            throw AccountsError(.unexpectedResponse)
        }
        return TimeInterval(seconds)
    }
}
