// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect

/// A response to an app through the user agent: a 303 to a redirect URI that is known to be the app's.
struct AppRedirect {
    let redirectURI: RedirectURI
    /// The `state` of the app, exactly as received.
    let state: String?
    /// The `iss` (RFC 9207).
    let issuer: String

    /// Returns a response with a hand-off code.
    func response(code: String) -> BrokerResponse {
        .seeOther(location([("code", code)]))
    }

    /// Returns a response with an error.
    func response(_ error: AppError) -> BrokerResponse {
        .seeOther(location([("error", error.code), ("error_description", error.errorDescription)]))
    }

    private func location(_ parameters: [(String, String)]) -> String {
        let separator = redirectURI.text.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
        var all = parameters
        all.reserveCapacity(parameters.count + 2)
        if let state { all.append(("state", state)) }
        all.append(("iss", issuer))
        return FormURLEncoding.encode(all, behind: redirectURI.text + separator)
    }

    /// Returns the link from a page back to the app: the root of its https origin; `nil` for other kinds of apps.
    static func link(_ redirectURI: RedirectURI?) -> (text: String, url: String)? {
        guard let redirectURI, redirectURI.kind == .https, let url = AbsoluteURL(redirectURI.text) else { return nil }
        return ("Back to \(url.host)", url.origin + "/")
    }
}
