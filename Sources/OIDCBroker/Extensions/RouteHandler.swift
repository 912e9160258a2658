// SPDX-License-Identifier: Apache-2.0

/// Handles routes beside the broker's own.
package protocol RouteHandler: Sendable {
    /// Finds a route by its path: the bytes of the raw request target up to `?`. It is asked for every request that is not
    /// the broker's own, so it must be cheap. Each path is one of a closed list, so that the line about a request may show
    /// it.
    /// - Returns: `nil` if there is none at the path.
    func route(at path: String) -> HandledRoute?

    /// What handles the GET requests to the broker's own callback path that carry `apiKey` and no `state`, with which SDKs
    /// begin logins; `nil` if it handles none. Only the first handler that has one gets them.
    var startAtCallback: HandledRoute? { get }
}
