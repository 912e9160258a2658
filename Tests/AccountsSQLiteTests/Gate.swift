// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// Holds a thread until it is opened.
final class Gate: Sendable {
    private let entered = DispatchSemaphore(value: 0)
    private let opened = DispatchSemaphore(value: 0)

    func wait() {
        entered.signal()
        opened.wait()
    }

    func waitUntilEntered() { entered.wait() }
    func open() { opened.signal() }
}
