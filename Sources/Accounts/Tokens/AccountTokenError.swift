// SPDX-License-Identifier: Apache-2.0

import JOSE

/// The reason why an ID token of an account is not accepted, or is not made. It contains no part of a token.
public struct AccountTokenError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The code of an error.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The token is longer than ``AccountTokens/maximumLength``.
        case tooLong
        /// The token is not a compact JWS (RFC 7515 section 7.1) of the type JWT with a JSON object in it, or uses an
        /// extension.
        case malformed
        /// `alg` is not the algorithm of the key.
        case algorithm
        /// There is no `kid`, or no key has it.
        case unknownKey
        /// The key did not make the signature.
        case signature
        /// `iss` is another one.
        case issuer
        /// `aud` is not the ID of the project.
        case audience
        /// The token has expired.
        case expired
        /// The token was issued in the future.
        case notYetValid
        /// Another claim is missing or not valid; see ``AccountTokenError/claim``.
        case claim
        /// What a token is to be made of does not belong to one account.
        case mismatch
    }

    /// The code.
    public let code: Code
    /// The name of the claim that is missing or not valid; `nil` if ``code`` says everything.
    public let claim: String?

    init(_ code: Code) {
        self.code = code
        claim = nil
    }

    /// A claim is missing or not valid.
    init(claim: String) {
        code = .claim
        self.claim = claim
    }

    init(signature error: JSONWebSignatureError) {
        if error == .algorithmNotAllowed {
            self.init(.algorithm)
        } else if error == .unknownKey {
            self.init(.unknownKey)
        } else if error == .badSignature {
            self.init(.signature)
        } else {
            self.init(.malformed)
        }
    }

    public var description: String {
        switch code {
        case .tooLong: "token longer than \(AccountTokens.maximumLength) bytes"
        case .malformed: "malformed token"
        case .algorithm: "signature algorithm not that of the key"
        case .unknownKey: "no key for this token"
        case .signature: "wrong signature"
        case .issuer: "token of another issuer"
        case .audience: "token for another project"
        case .expired: "expired token"
        case .notYetValid: "token issued in the future"
        case .claim: "claim missing or not valid: \(claim ?? "")"
        case .mismatch: "session or identity of another account"
        }
    }
}
