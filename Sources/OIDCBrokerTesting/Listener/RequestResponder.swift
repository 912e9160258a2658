// SPDX-License-Identifier: Apache-2.0

/// Whoever answers the requests of a listener: a provider, or a made-up Apple.
protocol RequestResponder: Sendable {
    /// Judges a request and makes its response, on the calling thread.
    func respond(to request: ReceivedRequest) -> SentResponse
}
