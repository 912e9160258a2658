// SPDX-License-Identifier: Apache-2.0

package import OIDCBrokerPages

extension RepeatedEvents {
    /// The action for a line.
    package enum Action: Sendable, Hashable {
        /// Write it, with the number of similar lines that were omitted since the last one.
        case write(leftOut: Int)
        /// Omit and count it.
        case leaveOut
    }

    /// The state that determines which line of each kind is written in each second of the clock: the first one, and of
    /// successes the first ten.
    package struct StateMachine: Sendable {
        private struct Kind: Sendable, Hashable {
            let line: RepeatableEvent
            let place: RepeatableEvent.Place
            /// The number of the provider; `nil` for any.
            let provider: UInt64?
            /// Whether it is about a login. Clients without a login must not silence the lines about logins.
            let isOfLogin: Bool
        }

        private struct Written: Sendable {
            /// The second in which the last line was written.
            let second: Int64
            let reference: PageReference
            /// The number of lines that were written in that second.
            var count = 1
            var leftOut = 0
        }

        /// The maximum number of kinds with a provider. Reloads add providers, and removed ones are not forgotten.
        /// Further providers share one kind.
        static let mostKindsOfProviders = 1024

        private var kinds: [Kind: Written] = [:]
        private var kindsOfProviders = 0

        /// Records that a line is to be written.
        /// - Parameters:
        ///   - provider: The number of the provider; `nil` if there is none, or it is not known.
        ///   - reference: The reference of the line if it is written.
        ///   - isOfLogin: Whether the line is about a login.
        ///   - now: The time of the wall clock in seconds. A clock that was set back begins a new second, so that this
        ///     never suppresses a kind.
        package mutating func note(
            _ line: RepeatableEvent, at place: RepeatableEvent.Place = .callback, provider: UInt64? = nil,
            reference: PageReference = PageReference(), isOfLogin: Bool = false, now: Int64
        ) -> Action {
            let kind = self.kind(line, place, line.isOfProvider ? provider : nil, isOfLogin)
            guard let written = kinds[kind], written.second == now else {
                if kinds[kind] == nil, kind.provider != nil { kindsOfProviders += 1 }
                let leftOut = kinds[kind]?.leftOut ?? 0
                kinds[kind] = Written(second: now, reference: reference)
                return .write(leftOut: leftOut)
            }
            if written.count < line.mostInASecond {
                kinds[kind]?.count += 1
                return .write(leftOut: 0)
            }
            if written.leftOut < .max { kinds[kind]?.leftOut += 1 }
            return .leaveOut
        }

        /// Returns the reference of the last line of a kind without a login that was written; `nil` if there is none.
        package func reference(
            of line: RepeatableEvent, at place: RepeatableEvent.Place = .callback, provider: UInt64? = nil
        ) -> PageReference? {
            kinds[kind(line, place, line.isOfProvider ? provider : nil, false)]?.reference
        }

        private func kind(
            _ line: RepeatableEvent, _ place: RepeatableEvent.Place, _ provider: UInt64?, _ isOfLogin: Bool
        ) -> Kind {
            let own = Kind(line: line, place: place, provider: provider, isOfLogin: isOfLogin)
            guard provider != nil, kindsOfProviders >= Self.mostKindsOfProviders, kinds[own] == nil else { return own }
            return Kind(line: line, place: place, provider: nil, isOfLogin: isOfLogin)
        }
    }
}
