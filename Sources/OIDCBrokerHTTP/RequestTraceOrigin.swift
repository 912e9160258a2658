// SPDX-License-Identifier: Apache-2.0

package import OpenIDRelyingParty
package import Tracing

/// Where the span of a request has its parent from.
package enum RequestTraceOrigin: Sendable {
    /// The embedding server, which has a span of its own.
    case context(ServiceContext)
    /// The header fields of a trusted proxy.
    case fields(TraceFields)
}
