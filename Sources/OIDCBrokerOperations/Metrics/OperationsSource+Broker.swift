// SPDX-License-Identifier: Apache-2.0

public import OIDCBroker
import OpenIDRelyingParty
import SingleUse

extension OperationsSource {
    /// What a broker knows about its providers and its store: the callbacks that wait for a provider, the ages of metadata
    /// and keys, open circuits, the time for which a provider has been failing, and how full the store in memory is, or whether a
    /// shared one answers.
    public static func broker(_ broker: Broker) -> OperationsSource {
        OperationsSource { callbacks(broker) + providers(broker) + stores(broker) }
    }

    private static func callbacks(_ broker: Broker) -> [MetricSample] {
        broker.callbacksInProgress.map { provider, count in
            MetricSample("auth_callbacks_in_progress", [(name: "provider", value: provider)], Double(count))
        }
    }

    private static func providers(_ broker: Broker) -> [MetricSample] {
        broker.providerStatuses.flatMap { provider, status in
            let label = (name: "provider", value: provider)
            var samples: [MetricSample] = []
            if let age = status.metadata.age {
                samples.append(MetricSample("auth_metadata_age_seconds", [label], Double(age)))
            }
            if let age = status.keys.age {
                samples.append(MetricSample("auth_key_set_age_seconds", [label], Double(age)))
            }
            for name in RelyingPartyStatus.circuitNames {
                let isOpen = status.openCircuits.contains { $0.name == name }
                samples.append(MetricSample("auth_open_circuits", [label, ("circuit", name)], isOpen ? 1 : 0))
            }
            samples.append(
                MetricSample(
                    "auth_provider_failing_seconds", [label], Double(ProviderCondition(status).failure?.seconds ?? 0)))
            return samples
        }
    }

    private static func stores(_ broker: Broker) -> [MetricSample] {
        var samples = usages(broker)
        if let status = broker.sharedStoreStatus {
            samples += [
                MetricSample("auth_store_up", [], status == .reached ? 1 : 0),
                MetricSample("auth_store_waiting", [], Double(broker.waitingForStore)),
            ]
            if let offset = broker.storeClockOffset {
                samples.append(MetricSample("auth_store_clock_offset_seconds", [], Double(offset)))
            }
        }
        return samples
    }

    private static func usages(_ broker: Broker) -> [MetricSample] {
        broker.storeUsages.flatMap { store, usages in
            usages.flatMap { usage in
                let labels = [(name: "store", value: store), (name: "part", value: usage.kind.rawValue)]
                return [
                    MetricSample("auth_store_entries", labels, Double(usage.entries)),
                    MetricSample("auth_store_bytes", labels, Double(usage.bytes)),
                    MetricSample("auth_store_fullness_ratio", labels, usage.fullness),
                ]
            }
        }
    }
}
