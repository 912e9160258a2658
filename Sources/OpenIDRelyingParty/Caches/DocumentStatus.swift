// SPDX-License-Identifier: Apache-2.0

/// What is known about a cached document of a provider, for operators.
package struct DocumentStatus: Sendable, Hashable {
    /// Whether there is a document.
    package enum Phase: Sendable, Hashable {
        /// There is none that may be used. This is no fault before the document was first needed.
        case missing
        /// There is one that has not expired.
        case current
        /// There is one that has expired, and is used only while it cannot be fetched.
        case expired
    }

    /// The fetches that failed since the last success.
    package struct Failure: Sendable, Hashable {
        /// The error of the last one.
        package var error: RelyingPartyError
        /// The time since the first one, in seconds.
        package var seconds: Int64

        /// Creates a value.
        package init(error: RelyingPartyError, seconds: Int64) {
            self.error = error
            self.seconds = seconds
        }
    }

    /// Whether there is a document.
    package var phase = Phase.missing
    /// The time since the document was fetched, in seconds; `nil` if there is none.
    package var age: Int64?
    /// The failures since the last success; `nil` if there was none.
    package var failure: Failure?

    /// Creates the status of a document that was never fetched.
    package init() {}
}
