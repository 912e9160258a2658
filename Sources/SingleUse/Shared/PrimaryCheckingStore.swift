// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// A store that can distinguish a primary that is cut off from one whose standbys failed.
package protocol PrimaryCheckingStore: SingleUseStore {
    /// Whether it can as configured; if not, an operation that standbys do not confirm succeeds without a check.
    var asksAboutPrimary: Bool { get }

    /// Returns whether the server that gave the last unconfirmed answer on this event loop is still the primary,
    /// according to those that would elect another one. They are asked late enough to have noticed if it was cut off
    /// when the silence began.
    /// - Parameter silence: When the standbys first failed to confirm.
    func isStillPrimary(silentSince silence: NIODeadline, on eventLoop: any EventLoop) -> EventLoopFuture<Bool>
}
