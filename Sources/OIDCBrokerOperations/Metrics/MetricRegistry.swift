// SPDX-License-Identifier: Apache-2.0

/// The present series, in families. It has no lock.
struct MetricRegistry: Sendable {
    /// A family and its series.
    struct Family: Sendable {
        let kind: MetricFamily.Kind
        var series: [LabelSet: MetricSeries] = [:]
    }

    /// The families, by name.
    private(set) var families: [String: Family] = [:]
    /// The number of series as Prometheus counts them: the lines that are written of them.
    private(set) var count = 0
    /// The names of all families and of their samples.
    private var claimed: Set<String> = []
    private let capacity: Int

    /// - Parameter capacity: The maximum of ``count``.
    init(capacity: Int) {
        self.capacity = capacity
    }

    /// Returns a series, which is made if it does not exist.
    /// - Returns: `nil` if there are too many, or if a family of another type has a name of this one. A scrape with two
    ///   types for one name is refused as a whole.
    mutating func series(_ identity: SeriesIdentity) -> MetricSeries? {
        let hasRoom = capacity - count >= identity.kind.lines
        if let family = families[identity.family] {
            guard family.kind == identity.kind else { return nil }
            if let known = family.series[identity.labels] { return known }
            guard hasRoom else { return nil }
        } else {
            let names = MetricFamily.claimedNames(of: identity.family, identity.kind)
            guard hasRoom, claimed.isDisjoint(with: names) else { return nil }
            claimed.formUnion(names)
            families[identity.family] = Family(kind: identity.kind)
        }
        let made = MetricSeries(identity)
        families[identity.family]?.series[identity.labels] = made
        count += identity.kind.lines
        return made
    }

    /// Removes a series. One that was made anew in the meantime stays.
    mutating func remove(_ identity: SeriesIdentity, _ handler: AnyObject) {
        guard let known = families[identity.family]?.series[identity.labels], known.isSame(as: handler) else { return }
        families[identity.family]?.series[identity.labels] = nil
        count -= identity.kind.lines
        guard families[identity.family]?.series.isEmpty == true else { return }
        families[identity.family] = nil
        claimed.subtract(MetricFamily.claimedNames(of: identity.family, identity.kind))
    }

    /// Whether a family that is not here may be written beside those that are.
    func isFree(_ family: String, _ kind: MetricFamily.Kind) -> Bool {
        claimed.isDisjoint(with: MetricFamily.claimedNames(of: family, kind))
    }
}
