// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// Holds a thread until it is opened.
package final class Gate: Sendable {
    private let entered = DispatchSemaphore(value: 0)
    private let opened = DispatchSemaphore(value: 0)

    package init() {}

    package func wait() {
        entered.signal()
        opened.wait()
    }

    package func waitUntilEntered() { entered.wait() }
    package func open() { opened.signal() }
}
