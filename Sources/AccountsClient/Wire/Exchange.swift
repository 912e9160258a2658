// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One request and its response.
protocol Exchange: Sendable {
    /// Sends a request once, follows no redirect, and returns the whole response.
    /// - Throws: ``ResponseTooLong``, `CancellationError`, or any other error if there is no response.
    func response(to request: URLRequest) async throws -> WireResponse
}

/// A response is longer than ``WireResponse/maximumBytes``.
struct ResponseTooLong: Error {}
