// SPDX-License-Identifier: Apache-2.0

/// What the provider sends back with the browser (OpenID Connect Core 1.0 section 3.1.2.5, RFC 9207), read strictly:
/// each parameter once, nothing over its length.
package struct ReturnParameters: Sendable, Hashable {
    /// The answer itself.
    package enum Answer: Sendable, Hashable {
        /// An authorization code.
        case code(String)
        /// An error (RFC 6749 section 4.1.2.1); it wins over a code that stands beside it.
        case error(ProviderError)
    }

    /// The names that are read; what else stands there is ignored.
    package static let names = [
        "state", "code", "iss", "error", "error_description", "error_uri", "session_state", "user",
    ]

    /// `state`, as sent.
    package let state: String
    /// `iss`, where sent.
    package let issuer: String?
    package let answer: Answer

    /// The longest code, characters.
    package static let maximumCodeLength = 4096

    package init(_ parameters: Parameters) throws(ReturnParametersError) {
        let state: String?
        let code: String?
        let error: String?
        let errorDescription: String?
        do {
            state = try parameters.nonEmptyValue("state")
            code = try parameters.value("code")
            error = try parameters.nonEmptyValue("error")
            errorDescription = try parameters.value("error_description")
            issuer = try parameters.value("iss")
            // Front-channel tokens are not asked for and not read, but one that stands there twice is a sign of tampering.
            _ = try parameters.value("id_token")
            _ = try parameters.value("access_token")
        } catch {
            throw .parameters(error)
        }
        guard let state else { throw .missingState }
        self.state = state
        if let error {
            answer = .error(ProviderError(code: error, description: errorDescription))
        } else if let code {
            guard !code.isEmpty, code.utf8.count <= Self.maximumCodeLength,
                code.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
            else { throw .unacceptableCode }
            answer = .code(code)
        } else {
            throw .missingCode
        }
    }
}
