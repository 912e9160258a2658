// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerConfiguration
import OIDCBrokerHTTP
import OIDCBrokerPages
import OIDCBrokerRecords
import OIDCBrokerState
import OpenIDConnect

/// What an app gets instead of the response to its authorization request if that cannot begin.
protocol AppErrorResponding: Sendable {
    /// Returns the response for an error.
    /// - Parameter reference: The reference of the log line, for a page.
    func response(_ error: AppError, reference: PageReference?) -> BrokerResponse
}

extension AppErrorResponding {
    /// Returns the response for an error that is not logged.
    func response(_ error: AppError) -> BrokerResponse { response(error, reference: nil) }
}

/// A response to an app through the user agent.
struct AppRedirect: AppErrorResponding {
    let destination: AppDestination
    let context: RequestContext

    /// Returns a response with a hand-off code.
    func response(code: String) -> BrokerResponse {
        response([("code", code)])
    }

    /// Returns a response with an error.
    func response(_ error: AppError, reference: PageReference?) -> BrokerResponse {
        response(Self.parameters(of: error))
    }

    /// Returns the URL of a response with an error; `nil` if the app gets its response in a form.
    func url(_ error: AppError) -> String? { url(withState(Self.parameters(of: error))) }

    private static func parameters(of error: AppError) -> [(String, String)] {
        [("error", error.code), ("error_description", error.errorDescription)]
    }

    private func response(_ parameters: [(String, String)]) -> BrokerResponse {
        let all = withState(parameters)
        guard let url = self.url(all) else {
            return .page(
                context.pages(in: destination.language).formPost(action: destination.redirectURI.text, fields: all))
        }
        return .seeOther(url)
    }

    private func withState(_ parameters: [(String, String)]) -> [(String, String)] {
        var all = parameters
        all.reserveCapacity(parameters.count + 2)
        if let state = destination.state { all.append(("state", state)) }
        all.append(("iss", destination.issuer))
        return all
    }

    private func url(_ parameters: [(String, String)]) -> String? {
        let text = destination.redirectURI.text
        switch destination.responseMode {
        case .formPost: return nil
        case .fragment: return FormURLEncoding.encode(parameters, behind: text + "#")
        default:
            let separator = text.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
            return FormURLEncoding.encode(parameters, behind: text + separator)
        }
    }

    /// Returns the link from a page back to the app: the root of its https origin; `nil` for other kinds of apps.
    static func link(_ redirectURI: RedirectURI?) -> PageLink? {
        guard let redirectURI, redirectURI.kind == .https, let url = AbsoluteURL(redirectURI.text) else { return nil }
        return .back(host: url.host, url: url.origin + "/")
    }

    /// Returns the link from a page back to an app, by its first https redirect URI; `nil` if it has none.
    static func link(to app: AppEntry?) -> PageLink? {
        app?.redirectURIs.lazy.compactMap { link($0) }.first
    }
}
