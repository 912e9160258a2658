// SPDX-License-Identifier: Apache-2.0

public import SingleUse

/// Why an operation of a ``ValkeySingleUseStore`` failed. Two errors are equal if their codes are.
public struct ValkeyStoreError: Error, Sendable, Hashable, CustomStringConvertible, SingleUseStoreFailure {
    /// What happened, one of the codes of the static members. A code keeps its meaning in later versions.
    public let code: String
    /// More about it, in words. It holds no secrets, no keys and no values.
    public let detail: String

    private init(_ code: String, detail: String = "") {
        self.code = code
        self.detail = detail
    }

    /// No connection could be made.
    public static let unreachable = Self("unreachable")
    /// The answer did not come in time. The operation may have had its effect.
    public static let timeout = Self("timeout")
    /// Too many commands wait for an answer already, or the server runs a script. The operation was not begun.
    public static let busy = Self("busy")
    /// The connection ended before the answer came, or the store is shut down. The operation may have had its effect.
    public static let closed = Self("closed")
    /// The server is older than version 7.
    public static let wrongVersion = Self("wrongVersion")
    /// The server is a node of a cluster.
    public static let isCluster = Self("isCluster")
    /// The server is a replica.
    public static let notPrimary = Self("notPrimary")
    /// The server evicts live entries when its memory is full: `maxmemory-policy` is not `noeviction`.
    public static let evicts = Self("evicts")
    /// The server refuses the username and the password, demands them, or does not permit a command.
    public static let wrongPassword = Self("wrongPassword")
    /// The server is still loading its data set.
    public static let loading = Self("loading")
    /// The memory of the server is full, so that the claim of a value cannot be kept. The value is still there.
    public static let full = Self("full")
    /// The server is beyond private networks, and the connection would not be encrypted.
    public static let notEncrypted = Self("notEncrypted")
    /// The server sent an answer that the protocol or the command does not have.
    public static let unexpectedAnswer = Self("unexpectedAnswer")
    /// The server takes no writes: it became a replica, its replicas are cut off, or its disk is full.
    public static let readOnly = Self("readOnly")

    /// The code and the detail.
    public var description: String { reason }

    /// Returns whether the codes are equal.
    public static func == (left: ValkeyStoreError, right: ValkeyStoreError) -> Bool {
        left.code == right.code
    }

    /// Hashes the code.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
    }

    /// Returns the error with a detail. Only the printable beginning of the detail is kept.
    func with(_ detail: String) -> Self {
        Self(code, detail: Self.printable(detail))
    }
}
