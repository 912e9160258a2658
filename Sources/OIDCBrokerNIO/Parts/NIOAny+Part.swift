// SPDX-License-Identifier: Apache-2.0

import NIOCore

extension NIOAny {
    /// The value, if it is a `Part`. NIO's own unwrapping ends the process on anything else, and what comes through a
    /// pipeline after an upgrade is decided by a peer; a part of another type is passed on instead.
    func part<Part>(as type: Part.Type) -> Part? {
        AnyPartUnwrapper.unwrapInboundIn(self) as? Part
    }
}

/// Unwrapping as `Any` always succeeds. Never added to a pipeline.
private final class AnyPartUnwrapper: ChannelInboundHandler {
    typealias InboundIn = Any
}
