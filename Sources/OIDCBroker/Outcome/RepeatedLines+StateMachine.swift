// SPDX-License-Identifier: Apache-2.0

extension RepeatedLines {
    /// What becomes of a line.
    enum Action: Sendable, Hashable {
        /// Write it, and say how many like it were left out since the last one.
        case write(leftOut: Int)
        /// Count it only.
        case leaveOut
    }

    /// Which line of each kind may be written: the first in each second of the clock.
    struct StateMachine: Sendable {
        private struct Kind: Sendable, Hashable {
            let line: RepeatableLine
            let place: RepeatableLine.Place
            /// Nil: of any.
            let provider: UInt64?
        }

        private struct Written: Sendable {
            /// The second in which one was written last.
            let second: Int64
            var leftOut = 0
        }

        /// The most kinds that are told apart by their providers: providers are changed by reloads, and what is no
        /// more is not forgotten. Beyond that they share one kind.
        static let mostKindsOfProviders = 1024

        private var kinds: [Kind: Written] = [:]
        private var kindsOfProviders = 0

        /// A line is about to be written.
        /// - Parameters:
        ///   - provider: the number of whose line it is; nil: nobody's, or not known.
        ///   - now: the wall clock, seconds. One that was stepped back begins a second of its own, so that a step never
        ///     silences a kind.
        mutating func note(
            _ line: RepeatableLine, at place: RepeatableLine.Place = .callback, provider: UInt64? = nil, now: Int64
        ) -> Action {
            let kind = self.kind(line, place, line.isOfProvider ? provider : nil)
            guard let written = kinds[kind], written.second == now else {
                if kinds[kind] == nil, kind.provider != nil { kindsOfProviders += 1 }
                let leftOut = kinds[kind]?.leftOut ?? 0
                kinds[kind] = Written(second: now)
                return .write(leftOut: leftOut)
            }
            if written.leftOut < .max { kinds[kind] = Written(second: now, leftOut: written.leftOut + 1) }
            return .leaveOut
        }

        private func kind(_ line: RepeatableLine, _ place: RepeatableLine.Place, _ provider: UInt64?) -> Kind {
            let own = Kind(line: line, place: place, provider: provider)
            guard provider != nil, kindsOfProviders >= Self.mostKindsOfProviders, kinds[own] == nil else { return own }
            return Kind(line: line, place: place, provider: nil)
        }
    }
}
