// SPDX-License-Identifier: Apache-2.0

public import NIOCore

extension RelyingParty {
    /// The async twin of `begin`, on any loop of the given group.
    public func begin(
        parameters: [(name: String, value: String)] = [],
        maximumAge: Int64? = nil,
        using group: any EventLoopGroup
    ) async throws -> (url: String, pending: PendingSignIn) {
        try await begin(parameters: parameters, maximumAge: maximumAge, on: group.any()).get()
    }

    /// The async twin of `complete`, on any loop of the given group.
    public func complete(
        return parameters: String,
        pending: PendingSignIn,
        using group: any EventLoopGroup
    ) async throws -> VerifiedSignIn {
        try await complete(return: parameters, pending: pending, on: group.any()).get()
    }
}
