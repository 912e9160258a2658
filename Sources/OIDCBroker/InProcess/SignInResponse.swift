// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes
public import OIDCBrokerHTTP

/// The response of a ``SignInHandler`` to the browser.
public struct SignInResponse: Sendable {
    enum Kind: Sendable {
        case redirect(String?)
        case page(BrokerResponse)
    }

    let kind: Kind
    let headerFields: HTTPFields

    /// A redirect within the broker's origin.
    /// - Parameters:
    ///   - path: The path, at most 2,048 bytes, not one of the broker's own; `nil` for
    ///     ``CompletedSignIn/destination``. With any other path, the user sees a page that says that signing in did not
    ///     work.
    ///   - headerFields: More fields, such as `Set-Cookie` with the server's session.
    public static func redirect(to path: String? = nil, headerFields: HTTPFields = [:]) -> SignInResponse {
        SignInResponse(kind: .redirect(path), headerFields: headerFields)
    }

    /// A page of the server's own, or any other response. `Cache-Control: no-store` is added unless it says otherwise.
    public static func page(_ response: BrokerResponse) -> SignInResponse {
        SignInResponse(kind: .page(response), headerFields: [:])
    }
}
