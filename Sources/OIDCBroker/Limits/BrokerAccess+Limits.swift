// SPDX-License-Identifier: Apache-2.0

package import Admission
package import NIOCore
package import OIDCBrokerHTTP
import OpenIDRelyingParty

extension BrokerAccess {
    /// The address of the client; `nil` if it is not known, or belongs to a proxy that speaks for others.
    package var client: IPAddress? { context.client }

    /// Does the work on a request, and counts the request as refused while it is under way, so that requests sent in
    /// parallel cannot all pass. Afterwards it stays counted only if its response says that the client did something
    /// wrong: 4xx, except 429.
    ///
    /// Refused requests to the broker's own endpoints count in the same limit. A request over the limit is counted and
    /// logged.
    /// - Parameters:
    ///   - over: Makes the response if too many requests of the client were refused or are under way. Its parameter is
    ///     the time until the client may ask again, in seconds, at least 1.
    ///   - work: The work, done only if the request may proceed.
    package func countingFailures(
        over: (Int64) -> BrokerResponse, _ work: () -> EventLoopFuture<BrokerResponse>
    ) -> EventLoopFuture<BrokerResponse> {
        LimitResponses(context: context).countingFailures(over: over) { .future(work()) }.future(on: eventLoop)
    }
}
