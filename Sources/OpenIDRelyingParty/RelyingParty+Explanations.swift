// SPDX-License-Identifier: Apache-2.0

import JOSE
package import OpenIDConnect

/// What a provider says of an error, for the log of an operator.
extension RelyingParty {
    /// The parameters of requests whose values may be shown. All others are hidden.
    private static let shownParameters: Set<String> = [
        "grant_type", "client_id", "redirect_uri", "response_type", "response_mode", "scope", "token_type_hint",
        "client_assertion_type", "code_challenge_method", "prompt", "max_age", "acr_values", "ui_locales", "display",
        "resource",
    ]

    /// Adds to an error what the provider says of it in its response: the `error_description`, or else the challenge of
    /// a protected resource (RFC 6750 section 3).
    /// - Parameters:
    ///   - sent: The parameters of the request.
    ///   - secrets: What the request carried beside them.
    package func explained(
        _ error: RelyingPartyError, by response: ProviderResponse, sent: [(String, String)] = [],
        secrets: [String] = []
    ) -> RelyingPartyError {
        guard let text = error.providerError?.errorDescription ?? response.challenge else { return error }
        return explained(error, by: text, sent: sent, secrets: secrets)
    }

    /// Adds to an error the text that the provider sent with it.
    func explained(
        _ error: RelyingPartyError, by text: String?, sent: [(String, String)] = [], secrets: [String] = []
    ) -> RelyingPartyError {
        error.saying(shown(text, sent: sent, secrets: secrets))
    }

    /// The text that a provider sent with an error, as far as it may be shown; `nil` if there is none.
    func shown(_ text: String?, sent: [(String, String)], secrets: [String] = []) -> String? {
        text.flatMap { ShownExplanation.text($0, hiding: hidden(sent) + secrets) }
    }

    private func hidden(_ sent: [(String, String)]) -> [String] {
        var values = sent.filter { !Self.shownParameters.contains($0.0) }.map(\.1)
        if let secret = configuration.clientSecret { values.append(secret.exposed) }
        // The credentials of HTTP Basic, without the name of the scheme.
        if let basic = clientKeys.basic?.authorization { values.append(String(basic.dropFirst("Basic ".count))) }
        return values
    }

    /// Adds to the error of a refused client what its operator may change.
    func advised(_ error: RelyingPartyError, _ metadata: ProviderMetadata) -> RelyingPartyError {
        guard error.providerError?.code == "invalid_client" || error.status == 401 else { return error }
        return error.advising(encodingAdvice(metadata))
    }

    /// Whether the form encoding of `client_secret_basic` changes the client id or secret.
    var isSecretChangedByFormEncoding: Bool {
        guard let secret = configuration.clientSecret?.exposed else { return false }
        return [configuration.clientID, secret].contains { FormURLEncoding.percentEncode($0) != $0 }
    }

    /// What to do about a client that is refused though its secret is right; `nil` unless the form encoding of
    /// `client_secret_basic` (RFC 6749 section 2.3.1), which some providers do not decode, changes what is sent.
    package func encodingAdvice(_ metadata: ProviderMetadata) -> String? {
        guard isSecretChangedByFormEncoding,
            (try? clientAuthenticationMethod(metadata, .token)) == .clientSecretBasic
        else { return nil }
        return
            "client_secret_basic form-encodes the client id and secret, which changes these, and some providers do not "
            + "decode them: try client-authentication client_secret_post"
    }
}
