// SPDX-License-Identifier: Apache-2.0

import JOSE

/// The record of a change of keys, which stands in a file beside the keys. Nothing in it is secret.
///
/// It is written before the keys are, and has the state before the step too: whichever of the two files a crash leaves
/// unchanged, the record has the state that the keys are in.
package struct KeyRotationRecord: Sendable, Hashable {
    /// The state that a step leads to.
    package struct State: Sendable, Hashable {
        /// The step.
        package let step: KeyRotation.Step
        /// When it was taken, in seconds since 1970.
        package let time: Int64
        /// The identifiers of all keys after it, in their order.
        package let keyIDs: [String]

        /// Creates a state.
        package init(step: KeyRotation.Step, time: Int64, keyIDs: [String]) {
            self.step = step
            self.time = time
            self.keyIDs = keyIDs
        }
    }

    /// What the name of the file ends with, behind the name of the file with the keys.
    package static let suffix = ".rotation"
    /// The maximum length of the text, in bytes.
    static let maximumBytes = 65_536
    /// The version of the format.
    private static let version: Int64 = 1
    /// The maximum number of identifiers, and the maximum length of one.
    private static let maximumCount = 256
    private static let maximumIDLength = 64
    /// The latest time, in the year 9987, so that it can be shown with a wait added.
    private static let latestTime: Int64 = 253_000_000_000

    /// The kind of the keys.
    package let kind: KeyRotation.Kind
    /// The algorithm of the keys that are changed; `nil` if it is any.
    package let algorithm: String?
    /// The state after the last step.
    package let state: State
    /// The state before it.
    package let before: State

    /// Creates a record.
    package init(kind: KeyRotation.Kind, algorithm: String?, state: State, before: State) {
        self.kind = kind
        self.algorithm = algorithm
        self.state = state
        self.before = before
    }

    /// Returns the state in which the keys of a file are; `nil` if the record has no such state.
    package func state(of keyIDs: [String]) -> State? {
        [state, before].first { $0.keyIDs == keyIDs }
    }

    /// Reads a text; `nil` if it is not one that ``json`` makes.
    package init?(json: [UInt8]) {
        let limits = JSONLimits(maximumBytes: Self.maximumBytes, maximumDepth: 4)
        guard let object = try? JSONParser.object(json, limits: limits),
            object["version"]?.integerValue == Self.version,
            let kind = object["kind"]?.text?.ascii(atMost: 16).flatMap({ KeyRotation.Kind(rawValue: $0) }),
            let state = Self.read(object), let before = object["before"]?.objectValue.flatMap({ Self.read($0) })
        else { return nil }
        if let value = object["algorithm"] {
            guard let algorithm = value.text?.printableASCII(atMost: 16) else { return nil }
            self.algorithm = algorithm
        } else {
            algorithm = nil
        }
        self.kind = kind
        self.state = state
        self.before = before
    }

    /// The text of the file.
    package var json: [UInt8] {
        var object = Self.written(state)
        object["version"] = .number(JSONNumber(Self.version))
        object["kind"] = .string(kind.rawValue)
        if let algorithm { object["algorithm"] = .string(algorithm) }
        object["before"] = .object(Self.written(before))
        return object.serialized() + [UInt8(ascii: "\n")]
    }

    private static func written(_ state: State) -> JSONObject {
        [
            "step": .string(state.step.rawValue), "time": .number(JSONNumber(state.time)),
            "keys": .array(state.keyIDs.map { .string($0) }),
        ]
    }

    private static func read(_ object: JSONObject) -> State? {
        guard let step = object["step"]?.text?.ascii(atMost: 16).flatMap({ KeyRotation.Step(rawValue: $0) }),
            let time = object["time"]?.secondsValue, time <= latestTime, let values = object["keys"]?.arrayValue,
            (1...maximumCount).contains(values.count)
        else { return nil }
        let keyIDs = values.compactMap { $0.text?.printableASCII(atMost: maximumIDLength) }
        return keyIDs.count == values.count ? State(step: step, time: time, keyIDs: keyIDs) : nil
    }
}
