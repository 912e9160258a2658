// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement

/// The variations of a sign-in.
struct SignInOptions: Sendable {
    /// A manipulation of the authorization response that must be refused.
    enum Tampering: String, Sendable, CaseIterable {
        /// A character of `state` is changed.
        case state
        /// The cookies are missing, as in another browser.
        case cookies
    }

    /// The parts of the sign-in.
    var extent = LoadShape.Extent.signIn
    /// Whether the credential is redeemed.
    var redeems = true
    /// Whether a browser's connection stands open after the start.
    var holdsConnection = false
    /// The error in the ID token; `nil` for none.
    var spoiling: Spoiling?
    /// The manipulation of the callback; `nil` for none.
    var tampering: Tampering?
}

/// The outcome of a sign-in.
enum SignInOutcome: Sendable {
    /// Everything was as expected, with the times and values of the sign-in.
    case verified(LoadRecorder.Sample, SignInValues)
    /// The target responded to the callback with an error, which a spoiled ID token requires.
    case refused(String, at: Int64)
    /// Any other outcome.
    case failed(String, at: Int64)
}
