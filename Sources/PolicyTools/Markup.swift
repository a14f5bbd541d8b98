internal import EntitlementModel

/// HTML, and SVG within it: literals are the program's own tags, and whatever text is put between
/// them, or into their attributes, is escaped.
package struct Markup: Hashable, Sendable, ExpressibleByStringInterpolation {
    package private(set) var text: String

    package init(stringLiteral text: String) {
        self.text = text
    }

    package init(stringInterpolation: Interpolation) {
        text = stringInterpolation.text
    }

    package var isEmpty: Bool { text.isEmpty }

    package static func + (left: Markup, right: Markup) -> Markup {
        "\(left)\(right)"
    }

    package static func += (left: inout Markup, right: Markup) {
        left.text += right.text
    }

    package struct Interpolation: StringInterpolationProtocol {
        fileprivate var text: String

        package init(literalCapacity: Int, interpolationCount: Int) {
            text = ""
            text.reserveCapacity(literalCapacity + interpolationCount * 16)
        }

        package mutating func appendLiteral(_ literal: String) { text += literal }

        package mutating func appendInterpolation(_ written: String) { text += escaped(written) }

        /// A sentence in which dates, and words that have a hyphen, stay on one line: class `whole`.
        /// What is wider than a phone is broken where it has to be.
        package mutating func appendInterpolation(prose: String) {
            let words =
                /[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9:]{2,5}( UTC)?|[A-Za-z0-9*][A-Za-z0-9._:*\-]*/
            text += escaped(prose).replacing(words) { match in
                let word = match.0
                guard word.contains("-"), word.count <= 36 else { return String(word) }
                return "<span class=\"whole\">\(word)</span>"
            }
        }

        /// The program's own style sheet.
        package mutating func appendInterpolation(style: String) { text += style }

        package mutating func appendInterpolation(_ number: some BinaryInteger) {
            text += "\(number)"
        }

        package mutating func appendInterpolation(_ markup: Markup) { text += markup.text }

        package mutating func appendInterpolation(_ parts: [Markup]) {
            for part in parts { text += part.text }
        }
    }
}

/// Escaped for HTML and XML, in text and in attributes.
private func escaped(_ written: String) -> String {
    var escaped = ""
    // By scalars: a quote with an accent upon it ends an attribute all the same.
    for scalar in written.unicodeScalars {
        switch scalar {
        case "&": escaped += "&amp;"
        case "<": escaped += "&lt;"
        case ">": escaped += "&gt;"
        case "\"": escaped += "&quot;"
        case "'": escaped += "&#39;"
        case "\n": escaped += "&#10;"
        default: escaped.unicodeScalars.append(scalar)
        }
    }
    return escaped
}

extension [Markup] {
    package func joined(separator: Markup = "") -> Markup {
        var joined: Markup = ""
        for (index, part) in enumerated() {
            if index > 0 { joined += separator }
            joined += part
        }
        return joined
    }
}

extension Markup {
    /// A self-contained page: no script, no network, light and dark.
    ///
    /// - Parameter style: the rules of a style sheet, the program's own.
    static func page(
        title: String, style: String, in language: Language, body: Markup
    ) -> Markup {
        """
        <!doctype html>
        <html lang="\(language.tag)">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width,initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta name="referrer" content="no-referrer">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
        style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
        <title>\(title)</title>
        <style>\(style: style)</style>
        </head>
        <body>
        \(body)</body>
        </html>

        """
    }
}
