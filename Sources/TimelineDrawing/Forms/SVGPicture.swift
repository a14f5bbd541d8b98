internal import EntitlementModel

extension AccountChart {
    /// The timeline as one SVG image without references to anything outside: light and dark,
    /// readable without colour and by screen readers.
    package func svg(_ options: PictureOptions) -> String {
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + SVGPicture(self, options).markup.text
    }
}

/// A picture as an SVG element.
struct SVGPicture {
    private let layout: ChartLayout
    private let axis: TimeAxis
    private let lines: [ChartLine]
    private let metrics: SVGMetrics

    init(_ chart: AccountChart, _ options: PictureOptions) {
        layout = ChartLayout(chart: chart, language: options.language)
        axis = TimeAxis(chart, from: options.from, until: options.until)
        lines = layout.lines
        metrics = SVGMetrics(lines, account: chart.account)
    }

    private var language: Language { layout.language }

    var markup: Markup {
        let top = SVGMetrics.top
        var y = top
        var (tracks, titles): (Markup, Markup) = ("", "")
        for line in lines {
            if case .track(let track) = line {
                tracks += draw(track, at: y)
            } else {
                titles += title(line, at: y)
            }
            y += metrics.height(of: line)
        }
        let bottom = y + 6
        let hasTracks = !layout.looks.isEmpty
        let legend = self.legend(below: bottom + 22)
        let (grid, mark): (Markup, Markup) =
            hasTracks
            ? (self.grid(from: top - 10, to: bottom), self.mark(from: top - 10, to: bottom))
            : ("", "")
        return frame(
            "\(header)\(grid)\(tracks)\(mark)\(titles)\(legend.markup)",
            height: hasTracks ? legend.bottom : bottom + 8)
    }

    private func frame(_ content: Markup, height: Int) -> Markup {
        let chart = layout.chart
        let title = ChartPhrase.title.text(language, chart.account)
        let tag = language.tag
        return """
            <svg class="usher" xmlns="http://www.w3.org/2000/svg" role="img" lang="\(tag)" \
            viewBox="0 0 \(metrics.width) \(height)" width="\(metrics.width)" \
            height="\(height)" aria-labelledby="usher-title usher-description">
            <title id="usher-title">\(title)</title>
            <desc id="usher-description">\(description)</desc>
            <style>\(style: SVGStyle.rules)</style>
            \(SVGStyle.patterns)
            <rect class="paper" width="100%" height="100%" rx="10"/>
            \(content)</svg>

            """
    }

    /// What a person sees at a glance, in sentences.
    private var description: String {
        let sentences = lines.compactMap { line -> String? in
            switch line {
            case .heading: nil
            case .remark(let text): text
            case .unit(let products, let details):
                products.joined(separator: ChartSeparator.products) + " ("
                    + details.joined(separator: ChartSeparator.facts) + ")"
            case .track(let track):
                ([track.name, track.verdict, track.note].compactMap(\.self))
                    .filter { !$0.isEmpty }.joined(separator: ChartPhrase.comma.text(language))
            }
        }
        return ChartPhrase.asOf.text(language, layout.chart.at.brief)
            + ChartPhrase.colon.text(language)
            + sentences.joined(separator: ChartPhrase.clause.text(language))
    }
}

/// What stands around the rows.
extension SVGPicture {
    private var header: Markup {
        let chart = layout.chart
        let basis = ChartPhrase.basis.text(
            language, "\(chart.revision)", String(chart.policy.prefix(12)))
        let instant = ChartPhrase.asOf.text(language, chart.at.brief)
        let line = "\(instant) · \(basis)"
        let account = SVGElement.text(chart.account, "account", x: SVGMetrics.side, y: 34)
        return account
            + (metrics.fits(chart.account, beside: line)
                ? SVGElement.text(line, "basis", x: metrics.right, y: 34, anchor: "end")
                : SVGElement.text(line, "basis", x: SVGMetrics.side, y: 54))
    }

    private func grid(from top: Int, to bottom: Int) -> Markup {
        axis.ticks(room: SVGMetrics.room).map { tick -> Markup in
            let x = metrics.x(axis.fraction(tick.at))
            // At the end of the picture there may be no room for a label.
            let fits = x + 4 + SVGMetrics.length(of: tick.label) <= Double(metrics.width)
            let label: Markup =
                fits ? SVGElement.text(tick.label, "tick", x: x + 4, y: Double(top) - 8) : ""
            return "<path class=\"grid\" d=\"M\(x.short) \(top)V\(bottom)\"/>\n\(label)"
        }.joined()
    }

    /// The instant that is asked about.
    private func mark(from top: Int, to bottom: Int) -> Markup {
        guard axis.contains(layout.chart.at) else { return "" }
        let x = metrics.x(axis.fraction(layout.chart.at)).short
        let label = ChartPhrase.mark.text(language) + " " + layout.chart.at.brief
        return """
            <g><title>\(label)</title>\
            <path class="mark" d="M\(x) \(top)V\(bottom)"/>\
            <path class="arrow" d="M\(x) \(top + 2)l-5 -7h10z"/></g>

            """
    }

    private func legend(below top: Int) -> (markup: Markup, bottom: Int) {
        var (x, y) = (Double(metrics.left), top)
        var markup: Markup = ""
        for look in layout.looks {
            let word = look.label.text(language)
            let width = 34 + SVGMetrics.length(of: word) + 18
            if x + width > Double(metrics.right) { (x, y) = (Double(metrics.left), y + 22) }
            markup +=
                look.point.map { SVGElement.point(look, $0, x: x + 13, y: y - 4) }
                ?? SVGElement.bar(look, x: x, width: 26, y: y - 10, height: 12)
            markup += SVGElement.text(word, "key", x: x + 34, y: Double(y))
            x += width
        }
        return (markup, y + 20)
    }
}

/// The rows.
extension SVGPicture {
    /// What stands between tracks.
    private func title(_ line: ChartLine, at y: Int) -> Markup {
        switch line {
        case .heading(let text):
            return SVGElement.text(text, "heading", x: SVGMetrics.side, y: Double(y + 26))
        case .remark(let text):
            return SVGElement.text(text, "name", x: SVGMetrics.side, y: Double(y + 20))
        case .unit(let products, let details):
            return metrics.texts(products, details).enumerated().map { index, text -> Markup in
                let gap: Markup = text.title.isEmpty ? "" : " dx=\"10\""
                let title: Markup =
                    text.title.isEmpty
                    ? "" : "<tspan class=\"unit\">\(text.title)</tspan>"
                let detail: Markup =
                    text.detail.isEmpty
                    ? "" : "<tspan class=\"detail\"\(gap)>\(text.detail)</tspan>"
                return """
                    <text x="\(SVGMetrics.side)" y="\(y + 27 + 18 * index)">\(title)\(detail)</text>

                    """
            }.joined()
        case .track: preconditionFailure("a track is drawn, not written")
        }
    }

    private func draw(_ track: Track, at y: Int) -> Markup {
        let baseline = Double(y + 17)
        var rows = SVGElement.text(
            track.name, track.rank.isBelowUnit ? "below" : "name",
            x: SVGMetrics.side + (track.rank.isBelowUnit ? 12 : 0), y: baseline)
        if let verdict = track.verdict {
            rows += SVGElement.text(
                verdict, track.isGood ? "good" : "bad", x: metrics.left - 14, y: baseline,
                anchor: "end")
        }
        let height = track.rank == .owner ? 10 : 18
        for bar in track.bars {
            guard let part = axis.fractions(bar.interval) else { continue }
            let x = metrics.x(part.lowerBound)
            // A stretch of an hour is seen in a picture of years.
            let width = max(metrics.x(part.upperBound) - x - 1, 1.5)
            rows += draw(bar, x: x, width: width, y: y + (26 - height) / 2, height: height)
        }
        for mark in track.marks { rows += draw(mark, y: y + 13) }
        return "<g>\n\(rows)</g>\n"
    }

    private func draw(_ mark: Mark, y: Int) -> Markup {
        guard let point = mark.look.point, axis.contains(mark.at) else { return "" }
        let x = metrics.x(axis.fraction(mark.at))
        let drawn = SVGElement.point(mark.look, point, x: x, y: y)
        return "<g><title>\(mark.sentence)</title>\(drawn)</g>\n"
    }

    private func draw(_ bar: Bar, x: Double, width: Double, y: Int, height: Int) -> Markup {
        var drawn = SVGElement.bar(bar.look, x: x, width: width, y: y, height: height)
        if height > 12, let start = start(ofLabel: bar.label, from: x, to: x + width) {
            drawn += SVGElement.text(
                bar.label, "on \(bar.look.name)", x: start, y: Double(y) + 13)
        }
        return "<g><title>\(bar.sentence)</title>\(drawn)</g>\n"
    }

    /// Where a label stands within its bar: behind the mark if the mark would strike it out. Nil
    /// where there is no room for it.
    private func start(ofLabel label: String, from left: Double, to right: Double) -> Double? {
        let start = left + 6
        let end = start + SVGMetrics.length(of: label)
        guard !label.isEmpty, end + 4 <= right else { return nil }
        let mark = metrics.x(axis.fraction(layout.chart.at))
        let behind = mark + 5
        let isStruck = (start...end).contains(mark)
        return isStruck && behind + (end - start) + 4 <= right ? behind : start
    }
}
