// SPDX-License-Identifier: Apache-2.0

import NIOCore

extension NIOAny {
    /// The value; `nil` if it is not a `Part`. NIO's own unwrapping stops the process for any other type, and a peer
    /// determines what passes through a pipeline after an upgrade. A value of another type is forwarded instead.
    func part<Part>(as type: Part.Type) -> Part? {
        AnyPartUnwrapper.unwrapInboundIn(self) as? Part
    }
}

/// A handler that unwraps values as `Any`, which always succeeds. It is never added to a pipeline.
private final class AnyPartUnwrapper: ChannelInboundHandler {
    typealias InboundIn = Any
}
