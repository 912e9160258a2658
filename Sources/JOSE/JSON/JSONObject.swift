// SPDX-License-Identifier: Apache-2.0

/// A JSON object: members in the order in which they were written, with unique names.
///
/// Names are compared code point by code point (RFC 8259 section 8.3). Two objects are equal if they have equal members
/// in any order. Up to `linearCount` members are searched linearly, which is faster than hashing; a larger object has
/// an index, so that lookup and insertion take constant time and a hostile object costs linear time.
package struct JSONObject: Sendable, Hashable {
    /// The number of members up to which there is no index.
    static let linearCount = 16

    /// A member of an object.
    package struct Member: Sendable {
        package let name: WireText
        package fileprivate(set) var value: JSONValue
        /// The ``JSONObject/tag(of:)`` of the name.
        fileprivate let tag: Int
    }

    /// The members, in order.
    package private(set) var members: [Member] = []

    /// The position of each name in ``members``; empty if there are at most ``linearCount`` members.
    private var index: [WireText: Int] = [:]

    /// Creates an object without members.
    package init() {}

    /// Creates an object from its members, in order. If a name occurs twice, the later value is used.
    init(_ elements: [(String, JSONValue)]) {
        for (name, value) in elements {
            self[name] = value
        }
    }

    /// The number of members.
    package var count: Int { members.count }

    /// The value of a member. Setting a new name appends it; setting `nil` removes it.
    package subscript(name: String) -> JSONValue? {
        get { self[WireText(name)] }
        set { self[WireText(name)] = newValue }
    }

    /// The value of the member with a received name.
    package subscript(name: WireText) -> JSONValue? {
        get {
            position(of: name, Self.tag(of: name)).map { members[$0].value }
        }
        set {
            let tag = Self.tag(of: name)
            switch (position(of: name, tag), newValue) {
            case (let position?, let value?):
                members[position].value = value
            case (let position?, nil):
                members.remove(at: position)
                rebuildIndex()
            case (nil, let value?):
                append(Member(name: name, value: value, tag: tag))
            case (nil, nil):
                break
            }
        }
    }

    /// Returns the object as JSON text without whitespace, its members in order.
    package func serialized() -> [UInt8] {
        JSONValue.object(self).serialized()
    }

    /// Removes the chosen members in one pass, in linear time.
    package mutating func removeMembers(where isChosen: (WireText) -> Bool) {
        members.removeAll { isChosen($0.name) }
        rebuildIndex()
    }

    /// Appends a member unless the name exists already.
    ///
    /// - Returns: Whether the member was appended.
    mutating func insert(name: WireText, value: JSONValue) -> Bool {
        let tag = Self.tag(of: name)
        guard position(of: name, tag) == nil else { return false }
        append(Member(name: name, value: value, tag: tag))
        return true
    }

    /// Allocates the memory of so many members at once.
    mutating func reserveCapacity(_ count: Int) { members.reserveCapacity(count) }

    private mutating func append(_ member: Member) {
        // Not more than that, because a hostile text may consist of objects with one member.
        if members.count == 1 { reserveCapacity(4) }
        members.append(member)
        if members.count == Self.linearCount + 1 {
            rebuildIndex()
        } else if members.count > Self.linearCount {
            index[member.name] = members.count - 1
        }
    }

    private mutating func rebuildIndex() {
        index.removeAll(keepingCapacity: members.count > Self.linearCount)
        guard members.count > Self.linearCount else { return }
        for (position, member) in members.enumerated() {
            index[member.name] = position
        }
    }

    /// The length and the first byte of a name, which tell most names apart without reading them.
    private static func tag(of name: WireText) -> Int { name.utf8.count << 8 | Int(name.utf8.first ?? 0) }

    private func position(of name: WireText, _ tag: Int) -> Int? {
        guard members.count <= Self.linearCount else { return index[name] }
        // Works on the buffer, because a closure would receive a copy of each member.
        return members.withUnsafeBufferPointer { members in
            for position in members.indices
            where members[position].tag == tag && members[position].name.hasSameBytes(as: name) {
                return position
            }
            return nil
        }
    }

    package static func == (left: JSONObject, right: JSONObject) -> Bool {
        left.count == right.count && left.members.allSatisfy { right[$0.name] == $0.value }
    }

    package func hash(into hasher: inout Hasher) {
        // The sum of the members' hashes does not depend on their order.
        var sum = 0
        for member in members {
            var memberHasher = Hasher()
            memberHasher.combine(member.name)
            memberHasher.combine(member.value)
            sum &+= memberHasher.finalize()
        }
        hasher.combine(count)
        hasher.combine(sum)
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// Creates an object with the literal's members, in order. If a name occurs twice, the later value is used.
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(elements)
    }
}
