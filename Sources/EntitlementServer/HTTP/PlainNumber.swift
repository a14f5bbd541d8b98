extension FixedWidthInteger {
    /// Digits and nothing else: no sign, no spaces, no other alphabet's digits (THREATS.md F15).
    package init?(plain text: some StringProtocol) {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        self.init(text)
    }
}
