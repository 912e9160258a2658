// SPDX-License-Identifier: Apache-2.0

package import Metrics
import Synchronization

/// The handles of one metric, each made when its labels occur first, and kept: making one asks the metrics system, which
/// takes a lock and allocates.
///
/// Labels are names of the configuration and of closed lists, never a text that a client sent, so there are few.
final class KeptHandles<Handle: Sendable>: Sendable {
    /// The values of the labels, in the order of their names.
    struct Labels: Sendable, Hashable {
        let first: String
        let second: String
        let third: String
    }

    private let names: [String]
    private let make: @Sendable (_ dimensions: [(String, String)]) -> Handle
    private let handles = Mutex<[Labels: Handle]>([:])

    /// - Parameters:
    ///   - names: The names of the labels, at most three.
    ///   - make: A closure that makes a handle.
    init(_ names: [String], _ make: @escaping @Sendable (_ dimensions: [(String, String)]) -> Handle) {
        self.names = names
        self.make = make
    }

    /// Returns the handle with these labels.
    func handle(_ first: String, _ second: String, _ third: String) -> Handle {
        let labels = Labels(first: first, second: second, third: third)
        if let known = handles.withLock({ $0[labels] }) { return known }
        // Outside the lock, since the metrics system is an embedder's. Two of the same labels count together.
        let made = make(Array(zip(names, [first, second, third])))
        return handles.withLock { handles in
            if let known = handles[labels] { return known }
            handles[labels] = made
            return made
        }
    }
}

/// The counters of one metric.
package struct CounterFamily: Sendable {
    private let kept: KeptHandles<Counter>

    /// - Parameter factory: The metrics system; `nil` for the one that is bootstrapped when a counter is first used.
    package init(_ label: String, _ names: [String], factory: (any MetricsFactory)?) {
        kept = KeptHandles(names) { dimensions in
            Counter(label: label, dimensions: dimensions, factory: factory ?? MetricsSystem.factory)
        }
    }

    /// Counts one.
    package func increment(_ first: String = "", _ second: String = "", _ third: String = "") {
        add(1, first, second, third)
    }

    /// Counts several at once.
    package func add(_ amount: Int, _ first: String = "", _ second: String = "", _ third: String = "") {
        kept.handle(first, second, third).increment(by: amount)
    }
}
