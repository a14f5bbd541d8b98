internal import Testing

@Test func placeholder() {}
