// SPDX-License-Identifier: Apache-2.0

extension BrokerAccess {
    /// The address of the client; `nil` if it is not known, or belongs to a proxy that speaks for everybody.
    package var client: IPAddress? { context.client }

    /// Counts a request as a refused one before it is worked on, so that requests that are under way at once cannot
    /// pass together. ``settle(_:)`` must follow if it may proceed.
    ///
    /// Refused requests to the broker's own endpoints count too. A request that may not proceed is counted and logged
    /// as one over the limit.
    /// - Returns: The time until the client may ask an extension again, because too many of its requests were refused
    ///   or are under way, in seconds, at least 1; `nil` if it may now.
    package func takeFailure() -> Int64? { LimitResponses(context: context).takeFailure() }

    /// Counts a request as a refused one no longer, unless its response says that the client did something wrong (4xx).
    /// - Parameter response: The response to a request that was counted; `nil` if there is none.
    package func settle(_ response: BrokerResponse?) {
        LimitResponses(context: context).settle(response)
    }
}
