// SPDX-License-Identifier: Apache-2.0

/// The broker cannot be added to a pipeline.
public struct BrokerPipelineError: Error, Hashable, Sendable, CustomStringConvertible {
    private enum Code {
        case codecNotFound
    }

    private let code: Code

    /// No HTTP codec is in the pipeline yet, or one whose parts are not known.
    public static let codecNotFound = BrokerPipelineError(code: .codecNotFound)

    public var description: String {
        "no known HTTP codec is in the pipeline: add it before the broker, or choose the parts by makeChannelHandler"
    }
}
