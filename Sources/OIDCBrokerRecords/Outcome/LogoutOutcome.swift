// SPDX-License-Identifier: Apache-2.0

/// How a request for a logout ended: the label of its counter.
package enum LogoutOutcome: String, CaseIterable {
    /// The user is asked.
    case asked
    /// The browser was sent on to the provider.
    case redirected
    /// The browser was sent on to the app, or sees that the user is logged out.
    case finished
    /// The request was refused.
    case refused
}
