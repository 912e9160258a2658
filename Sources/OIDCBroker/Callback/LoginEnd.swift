// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerRecords

/// Why a login ends without a sign-in, other than by an error of the provider.
enum LoginEnd: Error {
    /// Its recipient gets the error.
    case ended(Outcome)
    /// Not yet: the same URL can be used again after some seconds, as nothing was used up.
    case later(Outcome, retryAfter: Int64)
    /// It has returned already.
    case replayed
}
