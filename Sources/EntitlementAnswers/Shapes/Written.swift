package import EntitlementModel

/// What a call has recorded, with the revision that has it: whoever asks with it as `min_revision`
/// is not told of anything older.
package struct Written<Shape: WireObject>: WireObject {
    package var value: Shape
    package var revision: LedgerSequence

    package init(_ value: Shape, _ revision: LedgerSequence) {
        self.value = value
        self.revision = revision
    }

    package static var shapeName: String { "Written" + Shape.shapeName }

    package static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> Written<Shape> {
        Written(
            try visitor.part(\.value), try visitor.value("revision", \.revision))
    }
}
