// SPDX-License-Identifier: Apache-2.0

import JOSE

/// The reason why an ID token of an account is not accepted, or is not made. It contains no part of a token.
public struct AccountTokenError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The code of an error. A later version may have more.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The codes, for a `switch` that must know every one of them.
        package enum Value: String, Sendable, CaseIterable {
            case tooLong, malformed, algorithm, unknownKey, signature, issuer, audience, expired, notYetValid, claim,
                mismatch
        }

        /// Which of the codes it is.
        package let value: Value

        /// Creates a code.
        package init(_ value: Value) { self.value = value }

        /// The token is longer than ``AccountTokens/maximumLength``.
        public static let tooLong = Self(.tooLong)
        /// The token is not a compact JWS (RFC 7515 section 7.1) of the type JWT with a JSON object in it, or uses an
        /// extension.
        public static let malformed = Self(.malformed)
        /// `alg` is not the algorithm of the key.
        public static let algorithm = Self(.algorithm)
        /// There is no `kid`, or no key has it.
        public static let unknownKey = Self(.unknownKey)
        /// The key did not make the signature.
        public static let signature = Self(.signature)
        /// `iss` is another one.
        public static let issuer = Self(.issuer)
        /// `aud` is not the ID of the project.
        public static let audience = Self(.audience)
        /// The token has expired.
        public static let expired = Self(.expired)
        /// The token was issued in the future.
        public static let notYetValid = Self(.notYetValid)
        /// Another claim is missing or not valid; see ``AccountTokenError/claim``.
        public static let claim = Self(.claim)
        /// What a token is to be made of does not belong to one account.
        public static let mismatch = Self(.mismatch)

        /// The name of the code, which does not change.
        public var description: String { value.rawValue }
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
        switch code.value {
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
