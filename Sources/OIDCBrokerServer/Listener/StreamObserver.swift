// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP2

/// Hears of streams: the first one is a connection's first request head; the end of each keeps the connection from
/// idling, as its frames do.
struct StreamObserver: NIOHTTP2StreamDelegate {
    let life: NIOHTTP2ServerConnectionManagementHandler.HTTP2StreamDelegate
    let deadline: NIOLoopBound<RequestHeadDeadlineHandler>
    let idle: NIOLoopBound<SilentConnectionHandler>

    func streamCreated(_ id: HTTP2StreamID, channel: any Channel) {
        deadline.value.retire()
        life.streamCreated(id, channel: channel)
    }

    func streamClosed(_ id: HTTP2StreamID, channel: any Channel) {
        idle.value.progressed()
        life.streamClosed(id, channel: channel)
    }
}
