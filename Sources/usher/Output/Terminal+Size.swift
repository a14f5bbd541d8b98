internal import Glibc

extension Terminal {
    /// The columns of the terminal that standard output is; nil if it is none or does not tell.
    var columns: Int? {
        var size = winsize()
        let isTold = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        return isTold ? Int(size.ws_col) : nil
    }
}
