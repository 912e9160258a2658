// SPDX-License-Identifier: Apache-2.0

/// How a start ended without a failure of a provider: the label of its counter, and the outcome of its audit event.
package enum StartOutcome: String, CaseIterable {
    /// The browser was sent to the provider.
    case redirected
    /// The page was shown on which the user chooses a provider, or goes on to the one that an extension's client named.
    case choosing
    /// The request was refused.
    case refused
}
