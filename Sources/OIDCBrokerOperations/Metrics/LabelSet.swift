// SPDX-License-Identifier: Apache-2.0

/// The labels of a series as they are written, without the braces: sorted by name, each name once.
///
/// Series are told apart by these bytes, so that two that would be written alike are one. A scrape with the same series
/// twice is refused as a whole.
struct LabelSet: Sendable, Hashable {
    /// The maximum number of labels.
    static let mostLabels = 10
    /// No labels.
    static let empty = LabelSet(bytes: [])

    /// `name="value"`, separated by commas.
    let bytes: [UInt8]

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Creates the labels of dimensions; `nil` if there are more than ``mostLabels``. Of several with the same name the
    /// first counts.
    init?(_ dimensions: [(String, String)]) {
        guard dimensions.count <= Self.mostLabels else { return nil }
        guard !dimensions.isEmpty else {
            self = .empty
            return
        }
        var labels: [(name: String, value: String)] = []
        for (name, value) in dimensions {
            let name = MetricText.labelName(name)
            if !labels.contains(where: { $0.name == name }) { labels.append((name, value)) }
        }
        labels.sort { $0.name < $1.name }
        var bytes: [UInt8] = []
        for label in labels {
            if !bytes.isEmpty { bytes.append(UInt8(ascii: ",")) }
            bytes.append(contentsOf: label.name.utf8)
            bytes.append(contentsOf: "=\"".utf8)
            MetricText.append(value: label.value, to: &bytes)
            bytes.append(UInt8(ascii: "\""))
        }
        self.bytes = bytes
    }

    /// Whether these labels stand before others in a scrape.
    func precedes(_ other: LabelSet) -> Bool { bytes.lexicographicallyPrecedes(other.bytes) }
}
