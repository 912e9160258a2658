// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerRecords
import OIDCBrokerState
import OpenIDConnect
import OpenIDRelyingParty

/// Why a callback belongs to no login that can continue.
enum CallbackEnd: Error {
    /// A page. The cookie of the login, if there is one, stays.
    case page(Outcome, LoginDescription)
    /// The browser prefetches the page, and sends the request again when the user navigates there.
    case prefetch
    /// A body that is no form.
    case noForm
    /// The response may be in the fragment of the URL, which a page reads.
    case fragment
    /// The cookie of a cross-site form is missing: a page sends the same form again from the broker's own origin.
    case repost(Parameters, LoginDescription)
    /// The cookie is missing. The page depends on whether the login returned already, and on the error.
    case noCookie(LoginState, LoginDescription, error: ProviderError?)
    /// It is a start of the SDKs of Firebase, which only an extension takes.
    case handlerStart

    /// The span of the start of the login; `nil` if it is not known, or not sampled.
    var start: TraceParent? {
        switch self {
        case .page(_, let login), .repost(_, let login), .noCookie(_, let login, _): login.start
        case .prefetch, .noForm, .fragment, .handlerStart: nil
        }
    }
}
