// SPDX-License-Identifier: Apache-2.0

/// A responder to the requests of a listener: a provider or a mock Apple.
package protocol RequestResponder: Sendable {
    /// Validates a request and returns its response, on the calling thread.
    func respond(to request: ReceivedRequest) -> SentResponse
}
