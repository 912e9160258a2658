// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect

extension OpenIDProvider {
    /// A request that reached the provider, kept so that a test can check what was requested and how often.
    ///
    /// It contains codes, secrets and tokens in plain text, and is meant only for tests with fictitious users.
    public struct RecordedRequest: Sendable, Hashable {
        /// A decoded name and value.
        public struct Pair: Sendable, Hashable {
            /// The name, in lower case for a header field.
            public let name: String
            /// The value.
            public let value: String
        }

        /// The method.
        public let method: String
        /// The path without the query, as received.
        public let path: String
        /// The parameters of the query and then those of the form, in order. Empty if they cannot be decoded.
        public let parameters: [Pair]
        /// The header fields, in order.
        public let headers: [Pair]

        /// Returns the value of the first parameter of this name.
        public func parameter(_ name: String) -> String? {
            parameters.first { $0.name == name }?.value
        }

        /// Returns the value of the first header field of this name, which is given in lower case.
        public func header(_ name: String) -> String? {
            headers.first { $0.name == name }?.value
        }

        package init(_ request: ReceivedRequest) {
            method = request.method
            path = request.path
            parameters = ((request.query?.strings ?? []) + (request.form?.strings ?? [])).map { pair in
                Pair(name: pair.name, value: pair.value)
            }
            headers = request.headers.map { Pair(name: $0.name, value: $0.value) }
        }
    }
}
