// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// An authorization response (OpenID Connect Core 1.0 sections 3.1.2.5, 3.2.2.5 and 3.3.2.5, RFC 9207), read strictly:
/// no parameter occurs twice or exceeds its maximum length.
package struct AuthorizationResponse: Sendable, Hashable, Unprinted {
    /// The response to a request of a certain response type.
    package enum Contents: Sendable, Hashable, Unprinted {
        /// An authorization code.
        case code(AuthorizationCode)
        /// An authorization code and an ID token, which has not been verified yet.
        case codeAndIDToken(code: AuthorizationCode, idToken: String)
        /// An ID token without a code, which has not been verified yet.
        case idToken(String)
        /// An error (RFC 6749 section 4.1.2.1). It takes precedence over all other parameters.
        case error(ProviderError)
        /// A JWT with the response (JARM), which has not been verified yet.
        case signed(String)

        /// The kind of response, without its values.
        package var description: String {
            switch self {
            case .code: "a code"
            case .codeAndIDToken: "a code and an ID token"
            case .idToken: "an ID token"
            case .error(let error): "the error '\(error.code)'"
            case .signed: "a JWT"
            }
        }
    }

    /// The parameters of a response. Each may occur once. Other parameters are ignored.
    package static let names = [
        "state", "code", "iss", "id_token", "error", "error_description", "response",
        // These are not used. A duplicate of one is refused as a sign of tampering. An access token is never requested
        // and never accepted from the front channel (RFC 9700 section 4.6).
        "error_uri", "session_state", "user", "access_token", "token_type", "expires_in", "scope",
    ]

    /// The parameter that is at most shown. Azure AD B2C escapes it as JavaScript's `escape` does, such as `%u00f3`.
    package static let shownName = "error_description"

    private static let parameterNames = ParameterNames(names)

    /// The places in ``names`` of those that are read.
    private enum Place: Int {
        case state, code, issuer, idToken, error, errorDescription, response
    }

    /// The maximum length of an ID token, in characters: 64 KB.
    package static let maximumIDTokenLength = JSONWebSignature.longestToken

    /// The `state` as received. Beside a ``jwt`` it is the one in there, unverified like everything else.
    package let state: WireText
    /// The `iss`; `nil` if it is absent.
    package let issuer: WireText?
    /// The `code`; `nil` if it is absent. It is well-formed unless there is an ``error``.
    package let code: AuthorizationCode?
    /// The `id_token`; `nil` if it is absent. It is checked by ``contents(for:)``, since it is ignored if only a code
    /// was requested.
    package let idToken: WireText?
    /// The `error` and its description; `nil` if it is absent.
    package let error: ProviderError?
    /// The `response`, a JWT with the response (JARM section 2.1); `nil` if it is absent, or beside a `state`, where it is one
    /// of the parameters that are not known and do not count (RFC 6749 section 4.1.2). No other parameter is then used.
    package let jwt: String?

    /// Reads the parameters of a response.
    /// - Throws: ``AuthorizationResponseError`` if a parameter is duplicate, the state is absent, the code is not
    ///   acceptable, there is no code, ID token or error, or the `response` is no JWT with a state.
    package init(_ parameters: Parameters) throws(AuthorizationResponseError) {
        let values: [WireText?]
        do {
            values = try parameters.values(of: Self.parameterNames)
        } catch {
            throw .parameters(error)
        }
        // One without a value counts as omitted (RFC 6749 section 3.1).
        func value(_ place: Place) -> WireText? { values[place.rawValue].flatMap { $0.isEmpty ? nil : $0 } }
        if let response = value(.response), value(.state) == nil {
            (self.issuer, self.code, self.idToken, self.error) = (nil, nil, nil, nil)
            guard let jwt = response.visibleASCII(atMost: JSONWebSignature.longestToken),
                let state = Self.unverifiedState(in: jwt)
            else { throw .unacceptableResponse }
            (self.jwt, self.state) = (jwt, state)
            return
        }
        jwt = nil
        let code = value(.code)
        let error = value(.error)
        issuer = value(.issuer)
        idToken = value(.idToken)
        guard let state = value(.state) else { throw .missingState }
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

    /// Reads the claims of a verified JWT (JARM section 2.1), as strictly as parameters.
    package init(claims: JSONObject) throws(AuthorizationResponseError) {
        var parameters = Parameters()
        for member in claims.members where !member.name.hasSameBytes(asASCII: "response") {
            if let text = member.value.text { parameters.append(member.name, text) }
        }
        try self.init(parameters)
    }

    /// The `state` in a JWT whose signature is not verified; `nil` if there is none. It may only be used to open the sealed
    /// login, whose provider then decides the keys.
    private static func unverifiedState(in jwt: String) -> WireText? {
        let segments = jwt.utf8.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
        guard segments.count == 3, let payload = Base64URL.decode(segments[1]),
            let claims = try? JSONParser.object(
                payload, limits: JSONLimits(maximumBytes: JSONWebSignature.longestToken)),
            let state = claims["state"]?.text, !state.isEmpty
        else { return nil }
        return state
    }

    /// Returns what a request of the given response type expects.
    ///
    /// A JWT takes precedence, and then an error. If only a code was requested, an ID token is ignored, and vice versa.
    /// - Throws: ``AuthorizationResponseError/missingCode``, ``AuthorizationResponseError/missingIDToken`` or
    ///   ``AuthorizationResponseError/unacceptableIDToken``.
    package func contents(for type: ResponseType) throws(AuthorizationResponseError) -> Contents {
        if let jwt { return .signed(jwt) }
        if let error { return .error(error) }
        guard type.hasCode else { return .idToken(try acceptableIDToken()) }
        guard let code else { throw .missingCode }
        guard type.hasIDToken else { return .code(code) }
        return .codeAndIDToken(code: code, idToken: try acceptableIDToken())
    }

    private func acceptableIDToken() throws(AuthorizationResponseError) -> String {
        guard let idToken else { throw .missingIDToken }
        guard let text = idToken.visibleASCII(atMost: Self.maximumIDTokenLength)
        else { throw .unacceptableIDToken }
        return text
    }
}
