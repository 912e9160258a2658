// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP2

/// Hears of streams: the first one is a connection's first request head; all of them keep the connection from idling.
struct StreamObserver: NIOHTTP2StreamDelegate {
    let life: NIOHTTP2ServerConnectionManagementHandler.HTTP2StreamDelegate
    let deadline: NIOLoopBound<RequestHeadDeadlineHandler>

    func streamCreated(_ id: HTTP2StreamID, channel: any Channel) {
        deadline.value.retire()
        life.streamCreated(id, channel: channel)
    }

    func streamClosed(_ id: HTTP2StreamID, channel: any Channel) {
        life.streamClosed(id, channel: channel)
    }
}
