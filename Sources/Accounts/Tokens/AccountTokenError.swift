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
        case .tooLong: "the token is longer than \(AccountTokens.maximumLength) bytes"
        case .malformed: "the token is not a signed JWT in compact form"
        case .algorithm: "the algorithm in the token is not the algorithm of its key"
        case .unknownKey: "no key has the 'kid' of the token"
        case .signature: "the signature is invalid"
        case .issuer: "the token was issued by another issuer"
        case .audience: "the token is for another project"
        case .expired: "the token has expired"
        case .notYetValid: "the token was issued in the future; compare the clocks"
        case .claim: "the claim '\(claim ?? "")' is missing or invalid"
        case .mismatch: "the session or an identity belongs to another account"
        }
    }
}
