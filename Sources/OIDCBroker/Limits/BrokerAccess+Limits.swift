// SPDX-License-Identifier: Apache-2.0

package import Admission
package import NIOCore
import OpenIDRelyingParty

extension BrokerAccess {
    /// The address of the client; `nil` if it is not known, or belongs to a proxy that speaks for everybody.
    package var client: IPAddress? { context.client }

    /// Does the work on a request, which counts as a refused one while it is under way, so that requests that are under
    /// way at once cannot pass together. It counts as one no longer unless its response says that the client did
    /// something wrong (4xx). What it holds is counted as well, and without memory for it, it is over a limit.
    ///
    /// Refused requests to the broker's own endpoints count too. A request that may not proceed is counted and logged
    /// as one over the limit.
    /// - Parameters:
    ///   - over: The response if too many requests of the client were refused, or are under way. Its parameter is the
    ///     time until the client may ask an extension again, in seconds, at least 1.
    ///   - work: The work, done if the request may proceed.
    package func countingFailures(
        over: (Int64) -> BrokerResponse, _ work: () -> EventLoopFuture<BrokerResponse>
    ) -> EventLoopFuture<BrokerResponse> {
        LimitResponses(context: context).countingFailures(over: over) { .future(work()) }.future(on: eventLoop)
    }
}
