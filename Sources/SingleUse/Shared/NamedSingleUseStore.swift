// SPDX-License-Identifier: Apache-2.0

/// A store on an engine that has a name.
package protocol NamedSingleUseStore: SingleUseStore {
    /// The engine, as `auth.store.kind` names it.
    static var kind: String { get }
}
