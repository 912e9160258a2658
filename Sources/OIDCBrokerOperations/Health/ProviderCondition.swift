// SPDX-License-Identifier: Apache-2.0

package import OpenIDRelyingParty

/// How a provider does, of what a relying party knows about it.
package enum ProviderCondition: Sendable, Hashable {
    /// Why a provider fails, and for how long.
    package struct Failure: Sendable, Hashable {
        /// The class of the error: a code of ``OpenIDRelyingParty/RelyingPartyError``, or `circuit_open`.
        package var error: String
        /// The time since it began, in seconds.
        package var seconds: Int64
    }

    /// Nothing is known to be wrong. This includes a provider that was never asked.
    case ok
    /// Sign-ins work with a document that could not be fetched again.
    case stale(Failure)
    /// Sign-ins do not work.
    case failing(Failure)

    /// Judges a provider.
    package init(_ status: RelyingPartyStatus) {
        let documents = [status.metadata, status.keys]
        let missing = documents.filter { $0.phase == .missing }.compactMap(\.failure).map { Failure($0) }
        let circuits = status.openCircuits.map { Failure(error: "circuit_open", seconds: $0.seconds) }
        if let failure = (missing + circuits).max(by: { $0.seconds < $1.seconds }) {
            self = .failing(failure)
        } else if let failure = documents.compactMap(\.failure).map({ Failure($0) }).max(by: { $0.seconds < $1.seconds }
        ) {
            self = .stale(failure)
        } else {
            self = .ok
        }
    }

    /// Why the provider fails; `nil` if sign-ins work.
    package var failure: Failure? {
        if case .failing(let failure) = self { failure } else { nil }
    }
}

extension ProviderCondition.Failure {
    fileprivate init(_ failure: DocumentStatus.Failure) {
        self.init(error: failure.error.code.description, seconds: failure.seconds)
    }
}
