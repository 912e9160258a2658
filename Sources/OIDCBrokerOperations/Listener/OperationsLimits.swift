// SPDX-License-Identifier: Apache-2.0

package import NIOCore
import NIOHTTP1

/// The limits of the listener for operators. They are not configurable.
package struct OperationsLimits: Sendable {
    /// The maximum number of open connections. Beyond it the oldest one is closed, so that connections which are held
    /// open keep no health check out.
    package var connections = 64
    /// The maximum number of responses with metrics that have not been read yet. Each may be megabytes. Beyond it the
    /// oldest one is given up, so that clients which do not read keep no scrape out.
    package var metricsResponses = 8
    /// The time limit of a connection as a whole, from its acceptance to the end of its one response.
    package var deadline = TimeAmount.seconds(10)
    /// The maximum length of a field, and of the request target, in bytes.
    package var maximumFieldBytes = 8 * 1024
    /// The maximum length of a request head, in bytes.
    package var maximumHeadBytes = 16 * 1024
    /// The maximum number of fields.
    package var maximumFields = 64

    /// Creates the default limits.
    package init() {}

    /// The limits of the HTTP/1 decoder.
    var decoder: NIOHTTPDecoderLimitConfiguration {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = maximumFieldBytes
        limits.maxHeaderListSize = maximumHeadBytes
        limits.maxHeaderFieldCount = maximumFields
        return limits
    }
}
