// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// Work that is put off to the end of the current event loop tick, behind everything that the tick reads.
///
/// A tick of a busy server reads from many connections. Put off, the work is done kind by kind and not connection by
/// connection: all requests are read, then all are responded to, then all is written. Each kind walks through more code
/// than the processor's caches hold, so that changing between them costs more than the work itself. `Benchmarks/NOTES.md`
/// has the figures.
package enum EndOfTick {
    /// Runs work of the event loop itself.
    ///
    /// - Precondition: The caller is on the event loop.
    package static func run(on eventLoop: any EventLoop, _ work: @escaping () -> Void) {
        eventLoop.assumeIsolated().execute(work)
    }

    /// Runs work of any thread.
    package static func submit(to eventLoop: any EventLoop, _ work: @escaping @Sendable () -> Void) {
        eventLoop.execute(work)
    }
}
