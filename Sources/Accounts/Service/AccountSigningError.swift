// SPDX-License-Identifier: Apache-2.0

/// The ID token of a session was not made. It is a problem of this server, and says nothing about the session or about a
/// token that a client sent. Everything that the operation wrote before stays written.
public struct AccountSigningError: Error, Sendable, CustomStringConvertible {
    /// The error of ``AccountTokens/sign(_:identities:session:now:)``.
    public let reason: any Error

    init(_ reason: any Error) {
        self.reason = reason
    }

    /// Contains no part of a token, and nothing of another module's error.
    public var description: String {
        "the ID token could not be created: \((reason as? AccountTokenError)?.description ?? "the signature failed")"
    }
}
