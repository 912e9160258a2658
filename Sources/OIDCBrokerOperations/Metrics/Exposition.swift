// SPDX-License-Identifier: Apache-2.0

/// The families of one scrape, sorted, so that the same values have the same text.
struct Exposition {
    private enum Value {
        case series(MetricSeries)
        case sample(Double)
    }

    private struct Family {
        let name: String
        let kind: MetricFamily.Kind
        var values: [LabelSet: Value] = [:]
    }

    private var families: [String: Family] = [:]

    /// Merges values that are read with those that are kept. Those that are kept count where both have a series; a family
    /// that would have a name of another one is left out.
    init(_ registry: MetricRegistry, scraped: [MetricSample]) {
        var others = MetricRegistry(capacity: .max)
        for (name, family) in registry.families {
            families[name] = Family(name: name, kind: family.kind, values: family.series.mapValues { Value.series($0) })
        }
        for sample in scraped {
            let kind = sample.isCounter ? MetricFamily.Kind.counter : .gauge
            let name = MetricFamily.name(ofLabel: sample.name, kind)
            guard let labels = LabelSet(sample.labels.map { ($0.name, $0.value) }) else { continue }
            if let known = families[name] {
                guard known.kind == kind else { continue }
            } else {
                let identity = SeriesIdentity(family: name, kind: kind, labels: labels)
                guard registry.isFree(name, kind), others.series(identity) != nil else { continue }
                families[name] = Family(name: name, kind: kind)
            }
            if families[name]?.values[labels] == nil { families[name]?.values[labels] = .sample(sample.value) }
        }
    }

    /// Returns the text in a format.
    func text(_ format: ExpositionFormat) -> [UInt8] {
        var writer = ExpositionWriter(format)
        for family in families.values.sorted(by: { $0.name < $1.name }) {
            writer.begin(family.name, family.kind)
            for (labels, value) in family.values.sorted(by: { $0.key.precedes($1.key) }) {
                switch value {
                case .sample(let number): writer.write(labels, MetricText.number(number))
                case .series(.counter(let series)): writer.write(labels, series.text)
                case .series(.gauge(let series)): writer.write(labels, MetricText.number(series.value))
                case .series(.histogram(let series)): writer.write(labels, series.values)
                }
            }
        }
        return writer.finish()
    }
}
