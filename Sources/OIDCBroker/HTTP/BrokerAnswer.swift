// SPDX-License-Identifier: Apache-2.0

public import NIOCore

/// What a request leads to: a response at once, or one that waits for a provider or a store.
public enum BrokerAnswer: Sendable {
    /// The answer.
    case now(BrokerResponse)
    /// The answer, later, on the request's event loop. The future never fails.
    case later(EventLoopFuture<BrokerResponse>)
}
