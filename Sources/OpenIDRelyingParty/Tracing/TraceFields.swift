// SPDX-License-Identifier: Apache-2.0

package import Tracing

/// The header fields of W3C Trace Context: the span of a caller as received, and the span that is sent to a provider.
/// No other field of a tracer, such as `baggage`, is read or sent.
///
/// It is a class, so that a request carries one reference.
package final class TraceFields: Sendable {
    /// The name of the field of ``parent``.
    package static let parentName = "traceparent"
    /// The name of the field of ``state``.
    package static let stateName = "tracestate"
    /// The maximum length of ``state``, in bytes, which every party should pass on (W3C Trace Context section 3.3.1.5).
    /// A longer one is left out.
    package static let maximumStateBytes = 512

    /// The span.
    package let parent: TraceParent
    /// What the tracers on the way have added, printable ASCII; `nil` if there is nothing.
    package let state: String?

    /// Creates the fields.
    /// - Parameter stateLines: The lines of `tracestate`. They are ignored if together they are too long or contain
    ///   anything but printable ASCII.
    package init(parent: TraceParent, stateLines: [String] = []) {
        self.parent = parent
        state = Self.joined(stateLines)
    }

    /// Reads the lines of received fields; `nil` if there is not exactly one valid `traceparent`. The caller must trust
    /// the sender.
    package convenience init?(parentLines: [String], stateLines: @autoclosure () -> [String]) {
        guard parentLines.count == 1, let parent = parentLines.first.flatMap({ TraceParent($0) }) else { return nil }
        self.init(parent: parent, stateLines: stateLines())
    }

    /// Returns the fields that a tracer injects for a span; `nil` if it does not use these fields.
    package convenience init?(of context: ServiceContext, by tracer: any Tracer) {
        var injected = TraceFieldsInjector.Carrier()
        tracer.inject(context, into: &injected, using: TraceFieldsInjector())
        guard let parent = injected.parent.flatMap({ TraceParent($0) }) else { return nil }
        self.init(parent: parent, stateLines: injected.state.map { [$0] } ?? [])
    }

    /// Returns the span as a tracer knows it: the parent of a new span, or what a span links to.
    package func context(of tracer: any Tracer) -> ServiceContext {
        var context = ServiceContext.topLevel
        tracer.extract(self, into: &context, using: TraceFieldsExtractor())
        return context
    }

    /// The header fields of a request to a provider.
    package var fields: [(name: String, value: String)] {
        let first = (name: Self.parentName, value: parent.text)
        return state.map { [first, (name: Self.stateName, value: $0)] } ?? [first]
    }

    /// Lines of one field are joined with commas (RFC 9110 section 5.3).
    private static func joined(_ lines: [String]) -> String? {
        // Before anything is copied: there may be many long lines.
        let length = lines.reduce(0) { $0 &+ $1.utf8.count &+ 1 }
        guard length > lines.count, length <= maximumStateBytes + 1,
            lines.allSatisfy({ $0.utf8.allSatisfy { (0x20...0x7E).contains($0) } })
        else { return nil }
        return lines.joined(separator: ",")
    }
}

/// Takes from a tracer what ``TraceFields`` has.
private struct TraceFieldsInjector: Injector {
    struct Carrier: Sendable {
        var parent: String?
        var state: String?
    }

    func inject(_ value: String, forKey key: String, into carrier: inout Carrier) {
        // The keys are the tracer's own, and not received. Those of W3C Trace Context are in lower case.
        switch key {
        case TraceFields.parentName: carrier.parent = value
        case TraceFields.stateName: carrier.state = value
        default: break
        }
    }
}

/// Gives a tracer what ``TraceFields`` has.
private struct TraceFieldsExtractor: Extractor {
    func extract(key: String, from carrier: TraceFields) -> String? {
        switch key {
        case TraceFields.parentName: carrier.parent.text
        case TraceFields.stateName: carrier.state
        default: nil
        }
    }
}
