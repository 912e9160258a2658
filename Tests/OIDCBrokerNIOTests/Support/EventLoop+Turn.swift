// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOEmbedded

extension EventLoop {
    /// Does what waits for the end of the turn; a loop of no test does so by itself.
    func endTurn() {
        (self as? EmbeddedEventLoop)?.run()
    }
}
