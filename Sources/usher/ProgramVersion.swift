/// The version that `usher version`, `/status` and the metadata show.
enum ProgramVersion {
    static let text = "0.1.0"
}
