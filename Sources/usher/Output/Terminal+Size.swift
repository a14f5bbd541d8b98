internal import Glibc

extension Terminal {
    /// The columns of the terminal that standard output is; nil if it is none or cannot draw.
    var columns: Int? {
        guard isatty(STDOUT_FILENO) == 1, environment["TERM"] != "dumb" else { return nil }
        var size = winsize()
        let hasSize = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        return hasSize ? Int(size.ws_col) : 80
    }
}
