// SPDX-License-Identifier: Apache-2.0

package import OpenIDRelyingParty
/// The reason why a host name could not be resolved.
package struct HostLookupError: Error, Sendable, Hashable {
    /// Whether a later lookup may succeed.
    package let isTemporary: Bool
    /// The error of a request that needed the addresses.
    package let transportError: ProviderTransportError

    /// The name does not exist or has no address.
    package static let notFound = HostLookupError(isTemporary: false, transportError: .nameNotFound)
    /// The name servers could not resolve the name.
    package static let unavailable = HostLookupError(isTemporary: true, transportError: .nameNotResolved)
    /// The name servers have not responded yet, and too many lookups are in that state.
    package static let slow = HostLookupError(isTemporary: true, transportError: .nameServersSlow)
}
