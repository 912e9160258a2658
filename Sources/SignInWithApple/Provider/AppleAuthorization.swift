// SPDX-License-Identifier: Apache-2.0

public import OpenIDConnect

/// What Apple's authorization endpoint asks of a request.
public enum AppleAuthorization {
    /// `openid`, and the two scopes that Apple has; a person is asked for them at the first consent only.
    public static let defaultScopes = ["openid", "name", "email"]

    /// A code, and beside it an ID token that is verified before the code is exchanged.
    ///
    /// Apple does not send `iss` (RFC 9207): where several providers share a callback URL, only the front-channel ID
    /// token tells whose code it is.
    public static let defaultResponseType = ResponseType.codeIDToken

    /// Whether Apple answers a request for these scopes by `form_post` alone: as soon as `name` or `email` is among
    /// them.
    public static func requiresFormPost(scopes: [String]) -> Bool {
        scopes.contains { $0.utf8.elementsEqual("name".utf8) || $0.utf8.elementsEqual("email".utf8) }
    }

    /// The response mode that a request needs: `form_post` where Apple insists on it and where an ID token comes along,
    /// else `query`.
    public static func responseMode(scopes: [String], responseType: ResponseType) -> ResponseMode {
        requiresFormPost(scopes: scopes) || responseType.hasIDToken ? .formPost : .query
    }

    /// What is wrong with a configured request, for a start that is to fail with the reason in place of a login that
    /// fails at Apple; `nil` if nothing is. The text completes the sentence "expected …".
    package static func error(
        scopes: [String], responseType: ResponseType, responseMode: ResponseMode
    ) -> (member: String, expected: String)? {
        guard responseType.hasCode else {
            return ("response-type", "code or code id_token: without a code Apple's tokens cannot be had or revoked")
        }
        guard responseMode != .formPost else { return nil }
        if requiresFormPost(scopes: scopes) {
            return ("response-mode", "form_post: Apple takes no other with the scopes name and email")
        }
        if responseType.hasIDToken, responseMode == .query {
            return ("response-mode", "form_post: an ID token does not travel in a query")
        }
        return nil
    }
}
