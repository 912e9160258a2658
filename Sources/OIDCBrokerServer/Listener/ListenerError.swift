// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerOperations

/// The reason why a server could not listen.
public struct ListenerError: Error, Sendable, CustomStringConvertible {
    /// The reason in words, with the address and the error of the system.
    public let description: String
    /// The error of the system; `nil` if there is none.
    let reason: (any Error)?

    private init(description: String, reason: (any Error)? = nil) {
        self.description = description
        self.reason = reason
    }

    /// The address could not be bound.
    static func cannotListen(host: String, port: Int, reason: any Error) -> Self {
        Self(
            description: "cannot listen on \(ListenFailure.address(host: host, port: port)): "
                + ListenFailure.reason(reason, host: host, port: port), reason: reason)
    }

    /// The path of a Unix domain socket could not be bound.
    static func cannotListen(unixSocket path: String, reason: any Error) -> Self {
        Self(description: "cannot listen on \(path): \(reason)", reason: reason)
    }

    /// The listener was bound but has no address.
    static let noAddress = Self(description: "the listener was bound, but has no address")
}
