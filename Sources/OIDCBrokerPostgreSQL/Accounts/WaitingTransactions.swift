// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Synchronization

    /// How many transactions wait for a thread, for the metrics. The sweeping is a write.
    final class WaitingTransactions: Sendable {
        private let reads = Atomic(0)
        private let writes = Atomic(0)

        var count: (writes: Int, reads: Int) {
            (writes.load(ordering: .relaxed), reads.load(ordering: .relaxed))
        }

        func add(_ kind: AccountJob.Kind) {
            switch kind {
            case .read, .list: reads.add(1, ordering: .relaxed)
            case .write, .sweep: writes.add(1, ordering: .relaxed)
            }
        }

        func subtract(_ kind: AccountJob.Kind) {
            switch kind {
            case .read, .list: reads.subtract(1, ordering: .relaxed)
            case .write, .sweep: writes.subtract(1, ordering: .relaxed)
            }
        }
    }
#endif
