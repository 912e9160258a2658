// SPDX-License-Identifier: Apache-2.0

import Synchronization
package import Tracing

/// The span of one operation of a store outside of this process, with all its tries. It says nothing of keys and values.
package final class StoreSpan: Sendable {
    /// The name of the span.
    package static let name = "auth.store"

    private let span: any Tracing.Span
    private let retries = Atomic<Int64>(0)

    /// - Parameter kind: The engine.
    package init(_ span: any Tracing.Span, _ operation: SharedStore.Operation, kind: String) {
        self.span = span
        set("auth.store.kind", .string(kind))
        set("auth.store.operation", .string(operation.rawValue))
    }

    /// Counts a try after the first one.
    func countRetry() { retries.add(1, ordering: .relaxed) }

    /// Ends the span. This must be called once.
    /// - Parameter outcome: How the operation ended, as in metrics.
    func end(_ outcome: String, isFailure: Bool) {
        set("auth.store.outcome", .string(outcome))
        set("auth.store.retries", .int64(retries.load(ordering: .relaxed)))
        if isFailure { span.setStatus(SpanStatus(code: .error)) }
        span.end()
    }

    private func set(_ name: String, _ value: SpanAttribute) {
        guard span.isRecording else { return }
        span.updateAttributes { $0.set(name, value: value) }
    }
}
