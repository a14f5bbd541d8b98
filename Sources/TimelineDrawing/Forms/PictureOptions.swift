package import EntitlementModel

/// How a picture is drawn.
package struct PictureOptions: Sendable {
    package var language: Language
    /// Columns of the terminal.
    package var width: Int
    package var usesColour: Bool
    /// Where the picture begins and ends; what is nil follows from the chart.
    package var from: Instant?
    package var until: Instant?

    package init(
        language: Language, width: Int = 100, usesColour: Bool = false,
        from: Instant? = nil, until: Instant? = nil
    ) {
        self.language = language
        self.width = width
        self.usesColour = usesColour
        self.from = from
        self.until = until
    }
}
