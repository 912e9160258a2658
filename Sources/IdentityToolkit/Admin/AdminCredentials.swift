// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import OIDCBroker
import OIDCBrokerHTTP
package import OpenIDRelyingParty

/// What a request must have for an admin operation.
package struct AdminCredentials: Sendable {
    /// The word that the admin SDKs send instead of a token where they are told of an emulator.
    static let owner = "owner"
    /// The lengths of a token, in bytes.
    package static let tokenLengths = 32...512

    private let token: Secret?
    private let acceptsOwner: Bool

    /// Creates credentials.
    /// - Parameters:
    ///   - token: The token; `nil` if there is none, so that it opens nothing.
    ///   - acceptsOwner: Whether the word `owner` is taken for the token.
    package init(token: Secret?, acceptsOwner: Bool) {
        self.token = token
        self.acceptsOwner = acceptsOwner
    }

    /// Whether a text may be a token: a `b64token` (RFC 6750 section 2.1) of ``tokenLengths``.
    package static func isToken(_ text: String) -> Bool {
        guard tokenLengths.contains(text.utf8.count) else { return false }
        let end = text.utf8.reversed().drop { $0 == UInt8(ascii: "=") }
        return !end.isEmpty && end.allSatisfy(isOfToken)
    }

    private static func isOfToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"), UInt8(ascii: "+"), UInt8(ascii: "/"):
            true
        default: false
        }
    }

    /// Lets a request pass.
    /// - Parameters:
    ///   - fields: The fields of the request.
    ///   - pathToken: The token that the path begins with; `nil` for that of the fields. With one, the fields do not count:
    ///     the admin SDKs have the word `owner` there.
    /// - Throws: The refusal.
    func admit(_ fields: HTTPFields, pathToken: Substring?) throws(ToolkitError) {
        if let pathToken {
            guard isToken(pathToken.utf8) else { throw Self.missing }
            return
        }
        guard let presented = fields.bearerToken(atMost: Self.tokenLengths.upperBound) else { throw Self.missing }
        if presented.hasSameBytes(asASCII: Self.owner) {
            guard acceptsOwner else { throw Self.ownerIsOff }
            return
        }
        guard isToken(presented.utf8) else { throw Self.missing }
    }

    private func isToken(_ presented: some Collection<UInt8>) -> Bool {
        guard let token, presented.count <= Self.tokenLengths.upperBound else { return false }
        // Of the hashes, so that the length of the token does not leak either.
        return ConstantTime.equal(Hash.sha256(token.exposed.utf8), Hash.sha256(presented))
    }

    private static let missing = ToolkitError(
        .unauthenticated, "Send server.loopback.admin-token as the Bearer token.")
    private static let ownerIsOff = ToolkitError(
        .unauthenticated, "The word owner is accepted with server.loopback.owner only.")
}
