// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// A store on an engine, such as that of a module of this package. Each of its calls ends by itself within seconds, so
/// none needs a timer.
package protocol SingleUseEngine: SingleUseStore {
    /// The engine, as `auth.store.kind` names it.
    static var kind: String { get }
    /// The time of its server.
    var serverTime: ServerTime { get }
    /// Whether it can distinguish a primary that is cut off from one whose standbys failed; if not, an operation that
    /// standbys do not confirm succeeds without a check.
    var asksAboutPrimary: Bool { get }

    /// Returns whether the server that gave the last unconfirmed answer on this event loop is still the primary,
    /// according to those that would elect another one. They are asked late enough to have noticed if it was cut off
    /// when the silence began.
    /// - Parameter silence: When the standbys first failed to confirm.
    func isStillPrimary(silentSince silence: NIODeadline, on eventLoop: any EventLoop) -> EventLoopFuture<Bool>
}

extension SingleUseEngine {
    package var asksAboutPrimary: Bool { false }

    package func isStillPrimary(
        silentSince silence: NIODeadline, on eventLoop: any EventLoop
    ) -> EventLoopFuture<Bool> { eventLoop.makeSucceededFuture(true) }
}
