/// `258.0 kB`: bytes in the unit that leaves three digits or fewer before the point.
func fileSize(_ bytes: Int64) -> String {
    var value = Double(bytes)
    if value < 1_000 { return "\(bytes) B" }
    for unit in ["kB", "MB", "GB"] {
        value /= 1_000
        // What would be rounded to a thousand is one of the next unit.
        guard value < 999.95 else { continue }
        let tenths = Int64((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) \(unit)"
    }
    return "\(Int64((value / 1_000).rounded())) TB"
}
