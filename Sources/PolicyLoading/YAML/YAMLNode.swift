internal import CYaml

/// A piece of YAML with its place, before anything is known of its meaning.
package struct YAMLNode: Sendable {
    /// What was written.
    package enum Content: Sendable {
        case text(String, YAMLStyle)
        case list([YAMLNode])
        case map([YAMLEntry])
        /// An alias or a tagged value: reported, and looked at no further.
        case rejected
    }

    package var content: Content
    package var span: SourceSpan

    /// Nothing was written: `key:` and no more.
    package var isEmpty: Bool {
        if case .text("", .plain) = content { return true }
        return false
    }
}

/// One `key: value`; keys are always text.
package struct YAMLEntry: Sendable {
    package var key: String
    package var keyStyle: YAMLStyle
    package var keySpan: SourceSpan
    package var value: YAMLNode
}

/// How a text was written. Only plain text is open to other readings (a number, a date, a
/// yes or no).
package enum YAMLStyle: Sendable {
    case plain
    case quoted
}

/// A place between two characters of a file; line and column count from 1.
///
/// Columns count Unicode scalars, as the YAML reader does. People are shown the characters that
/// an editor counts: `SourceLines` converts.
package struct SourceMark: Hashable, Comparable, Sendable {
    package var line: Int
    package var column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    package static let start = SourceMark(line: 1, column: 1)

    package static func < (left: SourceMark, right: SourceMark) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}

/// A stretch of a file, half-open.
package struct SourceSpan: Hashable, Sendable {
    package var file: String
    package var start: SourceMark
    package var end: SourceMark

    package init(file: String, start: SourceMark, end: SourceMark) {
        self.file = file
        self.start = start
        self.end = end
    }

    /// One character.
    package init(file: String, at mark: SourceMark) {
        self.init(
            file: file, start: mark, end: SourceMark(line: mark.line, column: mark.column + 1))
    }
}

/// What the YAML parser meets, in order.
///
/// These are the events below Yams' `compose`: `compose` expands aliases, stops at the first
/// repeated key and drops where things end, so a policy is read one level deeper, with the
/// parser that Yams itself is built on.
struct YAMLEvent {
    /// What was met.
    enum Kind {
        case streamStart
        case streamEnd
        case documentStart(hasDirective: Bool)
        case documentEnd
        case alias
        case text(String, style: YAMLStyle, isBlock: Bool)
        case listStart
        case listEnd
        case mapStart
        case mapEnd
    }

    var kind: Kind
    var hasAnchor: Bool
    var hasTag: Bool
    var start: SourceMark
    var end: SourceMark
}

/// Where the parser could not go on, and where what it was reading began.
struct YAMLFailure: Error {
    var mark: SourceMark
    var context: SourceMark?
}

/// Hands the events of a text to `body` until it ends or fails.
func parseYAML<Failure: Error>(
    _ bytes: [UInt8], _ body: (() throws(YAMLFailure) -> YAMLEvent) throws(Failure) -> Void
) throws(Failure) {
    let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    precondition(yaml_parser_initialize(parser) == 1, "the YAML parser needs memory to start")
    defer {
        yaml_parser_delete(parser)
        parser.deallocate()
    }
    let result: Result<Void, Failure> = bytes.withUnsafeBufferPointer { buffer in
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, buffer.baseAddress, buffer.count)
        do throws(Failure) {
            try body { () throws(YAMLFailure) in try nextEvent(parser) }
            return .success(())
        } catch {
            return .failure(error)
        }
    }
    try result.get()
}

private func nextEvent(
    _ parser: UnsafeMutablePointer<yaml_parser_t>
) throws(YAMLFailure) -> YAMLEvent {
    var event = yaml_event_t()
    guard yaml_parser_parse(parser, &event) == 1 else { throw failure(of: parser.pointee) }
    defer { yaml_event_delete(&event) }
    return YAMLEvent(
        kind: kind(of: event), hasAnchor: hasAnchor(event), hasTag: hasTag(event),
        start: mark(event.start_mark), end: mark(event.end_mark))
}

private func failure(of parser: yaml_parser_t) -> YAMLFailure {
    YAMLFailure(
        mark: mark(parser.problem_mark),
        context: parser.context == nil ? nil : mark(parser.context_mark))
}

private func mark(_ mark: yaml_mark_t) -> SourceMark {
    SourceMark(line: Int(mark.line) + 1, column: Int(mark.column) + 1)
}

private func kind(of event: yaml_event_t) -> YAMLEvent.Kind {
    switch event.type {
    case YAML_STREAM_START_EVENT: .streamStart
    case YAML_DOCUMENT_START_EVENT:
        .documentStart(
            hasDirective: event.data.document_start.version_directive != nil
                || event.data.document_start.tag_directives.start
                    != event.data.document_start.tag_directives.end
        )
    case YAML_DOCUMENT_END_EVENT: .documentEnd
    case YAML_ALIAS_EVENT: .alias
    case YAML_SCALAR_EVENT: textKind(of: event)
    case YAML_SEQUENCE_START_EVENT: .listStart
    case YAML_SEQUENCE_END_EVENT: .listEnd
    case YAML_MAPPING_START_EVENT: .mapStart
    case YAML_MAPPING_END_EVENT: .mapEnd
    default: .streamEnd
    }
}

private func textKind(of event: yaml_event_t) -> YAMLEvent.Kind {
    let scalar = event.data.scalar
    let bytes = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
    let isBlock =
        scalar.style == YAML_LITERAL_SCALAR_STYLE || scalar.style == YAML_FOLDED_SCALAR_STYLE
    return .text(
        String(decoding: bytes, as: UTF8.self),
        style: scalar.style == YAML_PLAIN_SCALAR_STYLE ? .plain : .quoted, isBlock: isBlock)
}

private func hasAnchor(_ event: yaml_event_t) -> Bool {
    switch event.type {
    case YAML_SCALAR_EVENT: event.data.scalar.anchor != nil
    case YAML_SEQUENCE_START_EVENT: event.data.sequence_start.anchor != nil
    case YAML_MAPPING_START_EVENT: event.data.mapping_start.anchor != nil
    default: false
    }
}

private func hasTag(_ event: yaml_event_t) -> Bool {
    switch event.type {
    case YAML_SCALAR_EVENT: event.data.scalar.tag != nil
    case YAML_SEQUENCE_START_EVENT: event.data.sequence_start.tag != nil
    case YAML_MAPPING_START_EVENT: event.data.mapping_start.tag != nil
    default: false
    }
}
