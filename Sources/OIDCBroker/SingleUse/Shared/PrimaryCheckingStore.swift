// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// A store that can tell a primary that is cut off from one whose standbys died.
package protocol PrimaryCheckingStore: SingleUseStore {
    /// Whether it can; if not, what standbys do not confirm goes on without.
    var asksAboutPrimary: Bool { get }

    /// Returns whether the server that gave the last unconfirmed answer on this event loop is the primary, judged by
    /// those who would choose another one, and so late that they would have noticed if it was cut off at that time.
    /// - Parameter silence: When standbys first did not confirm.
    func isStillPrimary(silentSince silence: NIODeadline, on eventLoop: any EventLoop) -> EventLoopFuture<Bool>
}
