// SPDX-License-Identifier: Apache-2.0

/// The reason why the listener for operators could not listen.
public struct OperationsListenerError: Error, Sendable, CustomStringConvertible {
    /// The reason in words, with the address and the error of the system.
    public let description: String

    /// The address could not be bound.
    static func cannotListen(host: String, port: Int, reason: any Error) -> Self {
        Self(
            description: "cannot listen on \(ListenFailure.address(host: host, port: port)) for operations: "
                + ListenFailure.reason(reason, host: host, port: port))
    }

    /// The listener was bound but has no address.
    static let noAddress = Self(description: "the operations listener was bound, but has no address")
}
