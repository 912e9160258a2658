// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP2

/// An observer of streams. The first stream of a connection is its first request head. The end of each stream, like its
/// frames, counts as activity of the connection.
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
