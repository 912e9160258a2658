// SPDX-License-Identifier: Apache-2.0

package import OpenIDRelyingParty
/// Why a host name has no addresses.
package struct HostLookupError: Error, Sendable, Hashable {
    /// Whether the name servers may know better in a moment.
    package let isTemporary: Bool
    /// What a request that needed the addresses fails with.
    package let transportError: ProviderTransportError

    /// There is no such name, or it has no address.
    package static let notFound = HostLookupError(isTemporary: false, transportError: .nameNotFound)
    /// The name servers could not tell.
    package static let unavailable = HostLookupError(isTemporary: true, transportError: .nameNotResolved)
    /// The name servers have not told yet, and there are too many such lookups.
    package static let slow = HostLookupError(isTemporary: true, transportError: .nameServersSlow)
}
