// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement

/// How one sign-in goes.
struct SignInOptions: Sendable {
    /// What a browser does with the provider's response that it should not be able to.
    enum Tampering: String, Sendable, CaseIterable {
        /// A character of `state` is another one.
        case state
        /// The cookies are gone: another browser.
        case cookies
    }

    /// What it consists of.
    var extent = LoadShape.Extent.signIn
    /// Whether the credential is redeemed.
    var redeems = true
    /// What is wrong with the ID token.
    var spoiling: Spoiling?
    /// What is wrong with the callback.
    var tampering: Tampering?
}

/// How a sign-in ended.
enum SignInOutcome: Sendable {
    /// Everything was as it must be: what it took, and what it was about.
    case verified(LoadRecorder.Sample, SignInValues)
    /// The target answered the callback, and not with success: what a spoiled ID token must lead to.
    case refused(String, at: Int64)
    /// Anything else.
    case failed(String, at: Int64)
}
