// SPDX-License-Identifier: Apache-2.0

public import OpenIDConnect
package import OpenIDRelyingParty

/// The requirements of Apple's authorization endpoint.
public enum AppleAuthorization {
    /// The scopes that are requested by default: `openid` and Apple's two others. Apple asks the user for them at the
    /// first consent only.
    public static let defaultScopes = ["openid", "name", "email"]

    /// The response type that is requested by default: a code and an ID token, which is verified before the code is
    /// exchanged.
    ///
    /// Apple does not send `iss` (RFC 9207). If several providers share a callback URL, only the front-channel ID token
    /// tells which one issued the code.
    public static let defaultResponseType = ResponseType.codeIDToken

    /// Whether Apple requires `form_post` for these scopes, which it does as soon as `name` or `email` is among them.
    public static func requiresFormPost(scopes: [String]) -> Bool {
        scopes.contains { $0.utf8.elementsEqual("name".utf8) || $0.utf8.elementsEqual("email".utf8) }
    }

    /// Returns the response mode that a request needs: `form_post` if Apple requires it or if an ID token is requested,
    /// otherwise `query`.
    public static func responseMode(scopes: [String], responseType: ResponseType) -> ResponseMode {
        requiresFormPost(scopes: scopes) || responseType.hasIDToken ? .formPost : .query
    }

    /// Returns what is wrong with a configured request, so that the start can fail with a reason instead of a login
    /// failing at Apple; `nil` if nothing is wrong. The text completes the sentence "expected …".
    package static func error(
        scopes: [String], responseType: ResponseType, responseMode: ResponseMode
    ) -> ProviderConfigurationError? {
        guard responseType.hasCode else {
            return ProviderConfigurationError(
                .invalid, \.responseType,
                "code or code id_token: without a code Apple's tokens cannot be obtained or revoked")
        }
        guard !responseMode.isSigned else {
            return ProviderConfigurationError(
                .conflicting, \.responseMode, "query, form_post or fragment: Apple signs no responses")
        }
        guard responseMode != .formPost else { return nil }
        if requiresFormPost(scopes: scopes) {
            return ProviderConfigurationError(
                .conflicting, \.responseMode, "form_post: Apple accepts no other with the scopes name and email")
        }
        if responseType.hasIDToken, responseMode == .query {
            return ProviderConfigurationError(
                .conflicting, \.responseMode, "form_post: an ID token does not travel in a query")
        }
        return nil
    }
}
