// SPDX-License-Identifier: Apache-2.0

extension BrokerAccess {
    /// The address of the client; `nil` if it is not known, or belongs to a proxy that speaks for everybody.
    package var client: IPAddress? { context.client }

    /// Returns the time until the client may ask an extension again, because too many of its requests were refused, in
    /// seconds, at least 1; `nil` if it may now.
    ///
    /// Refused requests to the broker's own endpoints count too. It is asked before a request is worked on, and counts
    /// and logs that the client is over the limit.
    package func waitAfterFailures() -> Int64? { LimitResponses(context: context).waitAfterFailures() }

    /// Counts a request for its client if its response says that the client did something wrong (4xx).
    package func countIfRefused(_ response: BrokerResponse) {
        LimitResponses(context: context).countIfRefused(response)
    }
}
