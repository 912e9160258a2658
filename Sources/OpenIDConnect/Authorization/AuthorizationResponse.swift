// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// What the provider sends back with the browser (OpenID Connect Core 1.0 sections 3.1.2.5, 3.2.2.5 and 3.3.2.5, RFC
/// 9207), read strictly: each parameter once, nothing over its length.
package struct AuthorizationResponse: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The answer to a request of one response type.
    package enum Contents: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
        /// An authorization code.
        case code(AuthorizationCode)
        /// An authorization code and the ID token beside it, which is not verified yet.
        case codeAndIDToken(code: AuthorizationCode, idToken: String)
        /// An ID token alone, which is not verified yet.
        case idToken(String)
        /// An error (RFC 6749 section 4.1.2.1); it wins over whatever stands beside it.
        case error(ProviderError)

        /// What kind of answer it is; never its value.
        package var description: String {
            switch self {
            case .code: "a code"
            case .codeAndIDToken: "a code and an ID token"
            case .idToken: "an ID token"
            case .error(let error): "the error '\(error.code)'"
            }
        }

        package var customMirror: Mirror { Mirror(self, children: []) }
    }

    /// The names a response may have; each stands there once at most. What else stands there is ignored.
    package static let names = [
        "state", "code", "iss", "id_token", "error", "error_description",
        // These are not read. One that stands there twice is a sign of tampering all the same; an access token was not
        // requested, and is never taken from the front channel (RFC 9700 section 4.6).
        "error_uri", "session_state", "user", "access_token", "token_type", "expires_in", "scope",
    ]

    private static let parameterNames = ParameterNames(names)

    /// The places in ``names`` of those that are read.
    private enum Place: Int {
        case state, code, issuer, idToken, error, errorDescription
    }

    /// The longest ID token, characters: 64 KB.
    package static let maximumIDTokenLength = JSONWebSignature.longestToken

    /// `state`, as sent.
    package let state: WireText
    /// `iss`, where sent.
    package let issuer: WireText?
    /// `code`, where sent; acceptable unless there is an ``error``.
    package let code: AuthorizationCode?
    /// `id_token`, where sent; validated by ``contents(for:)``, since a request for a code alone ignores it.
    package let idToken: WireText?
    /// `error` with its description, where sent.
    package let error: ProviderError?

    /// Reads the parameters.
    /// - Throws: ``AuthorizationResponseError`` for a duplicate parameter, an absent state, an unacceptable code, and for an
    ///   answer with neither code nor ID token nor error.
    package init(_ parameters: Parameters) throws(AuthorizationResponseError) {
        let values: [WireText?]
        do {
            values = try parameters.values(of: Self.parameterNames)
        } catch {
            throw .parameters(error)
        }
        func value(_ place: Place) -> WireText? { values[place.rawValue] }
        let code = value(.code)
        let error = value(.error).flatMap { $0.isEmpty ? nil : $0 }
        issuer = value(.issuer)
        idToken = value(.idToken)
        guard let state = value(.state), !state.isEmpty else { throw .missingState }
        self.state = state
        self.error = error.map { ProviderError(code: $0, description: value(.errorDescription)) }
        self.code = code.flatMap { AuthorizationCode($0) }
        guard error == nil else { return }
        guard code != nil else {
            guard idToken != nil else { throw .missingCode }
            return
        }
        guard self.code != nil else { throw .unacceptableCode }
    }

    /// The answer to a request of a response type: all that was asked for, and nothing else.
    ///
    /// An error wins. Where a code alone was asked for, an ID token beside it is ignored, and the other way round.
    /// - Throws: ``AuthorizationResponseError/missingCode``, ``AuthorizationResponseError/missingIDToken`` or
    ///   ``AuthorizationResponseError/unacceptableIDToken``.
    package func contents(for type: ResponseType) throws(AuthorizationResponseError) -> Contents {
        if let error { return .error(error) }
        guard type.hasCode else { return .idToken(try acceptableIDToken()) }
        guard let code else { throw .missingCode }
        guard type.hasIDToken else { return .code(code) }
        return .codeAndIDToken(code: code, idToken: try acceptableIDToken())
    }

    private func acceptableIDToken() throws(AuthorizationResponseError) -> String {
        guard let idToken else { throw .missingIDToken }
        guard !idToken.isEmpty, let text = idToken.visibleASCII(atMost: Self.maximumIDTokenLength)
        else { throw .unacceptableIDToken }
        return text
    }

    package var description: String { "AuthorizationResponse" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
