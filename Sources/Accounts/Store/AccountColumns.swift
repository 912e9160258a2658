// SPDX-License-Identifier: Apache-2.0

/// A value of a column, for a store on SQL. `nil` is NULL.
package enum AccountValue: Sendable, Hashable {
    case text(String?)
    case bytes([UInt8]?)
    case number(Int64?)
    case boolean(Bool)
}

/// The columns of a row that a store on SQL found, by their positions. A column that is not what is expected is the error
/// of a record that no version of this program wrote.
package protocol AccountColumns {
    func textIfAny(_ position: Int) throws(AccountStoreError) -> String?
    func bytesIfAny(_ position: Int) throws(AccountStoreError) -> [UInt8]?
    func numberIfAny(_ position: Int) throws(AccountStoreError) -> Int64?
    func booleanIfAny(_ position: Int) throws(AccountStoreError) -> Bool?
}

extension AccountColumns {
    package func text(_ position: Int) throws(AccountStoreError) -> String { try readable(textIfAny(position)) }
    package func bytes(_ position: Int) throws(AccountStoreError) -> [UInt8] { try readable(bytesIfAny(position)) }
    package func number(_ position: Int) throws(AccountStoreError) -> Int64 { try readable(numberIfAny(position)) }
    package func boolean(_ position: Int) throws(AccountStoreError) -> Bool { try readable(booleanIfAny(position)) }

    func account(_ position: Int) throws(AccountStoreError) -> AccountID { try readable(AccountID(text(position))) }

    package func emailIfAny(_ position: Int) throws(AccountStoreError) -> EmailAddress? {
        guard let text = try textIfAny(position) else { return nil }
        return try readable(EmailAddress(text))
    }

    /// Returns what was read of a column; throws if it could not be.
    func readable<Value>(_ value: Value?) throws(AccountStoreError) -> Value {
        guard let value else { throw AccountStoreError.unreadable }
        return value
    }
}
