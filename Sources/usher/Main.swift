internal import ArgumentParser

@main
struct Usher: ParsableCommand {}
