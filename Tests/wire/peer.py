"""A client that asks at its own pace and compares every byte."""

import socket

from oracle import Wrong

# How much is read or written at once, and how often.
SIZES = ((1, 4), (16, 8), (300, 15), (4_096, 25), (65_536, 30), (1 << 20, 18))


class Turn:
    """Requests that are sent together, and the bytes that have to come back."""

    def __init__(self, kind, asked):
        self.kind = kind
        self.names = [name for name, _, _, _ in asked]
        self.output = b"".join(request for _, request, _, _ in asked)
        self.expected = b"".join(answer for _, _, answer, _ in asked)
        self.counts = [count for _, _, _, count in asked]
        self.ends, end = [], 0
        for _, _, answer, _ in asked:
            end += len(answer)
            self.ends.append(end)
        # The same with the last answer as the service may also give it.
        self.other = None
        # The service closes after it; we say that there will be no more; we go once so many
        # bytes are written, or read.
        self.closes, self.half_closes = False, False
        self.goes_after_writing, self.goes_after_reading = None, None

    def allow_close(self):
        """A service that has heard the end of our side may say that it closes."""
        start = self.ends[-2] if len(self.ends) > 1 else 0
        end = self.expected.find(b"\r\n\r\n", start)
        if end >= 0:
            self.other = self.expected[:end] + b"\r\nConnection: close" + self.expected[end:]

    def answered(self, place):
        """How many questions the first so many bytes answer."""
        return sum(count for count, end in zip(self.counts, self.ends) if end <= place)


class Peer:
    """One connection after the other, each for some turns."""

    def __init__(self, path, draws, plan, pace):
        """`plan` draws what is asked, `pace` how it is read: the second depends on how quickly
        answers come, and must not change the first."""
        self.path, self.draws, self.plan, self.pace = path, draws, plan, pace
        self.file, self.turn = None, None
        self.turns_left = self.pause = self.answers = self.connections = 0
        self.kinds = {}
        self.is_done = False
        self.wants_more = lambda: True

    # Drawing.

    def begin_turn(self):
        if self.file is None:
            if not self.wants_more():
                self.is_done = True
                return
            self.file = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            self.file.connect(self.path)
            self.file.setblocking(False)
            self.connections += 1
            self.turns_left = self.plan.choice((1, 3, 8, 20))
        self.turns_left -= 1
        self.turn = self.draw_turn() if self.turns_left > 0 else self.draw_end()
        self.kinds[self.turn.kind] = self.kinds.get(self.turn.kind, 0) + 1
        self.sent = self.place = 0
        # Sometimes everything is written before anything is read.
        self.writes_first = self.pace.random() < 0.2

    def draw_turn(self):
        which = self.plan.random()
        if which < 0.45:
            return Turn("single", self.pipeline()[:1])
        if which < 0.8:
            return Turn("pipeline", self.pipeline())
        count = self.plan.choice((1, 10, 100, 700, 1_000))
        count = self.plan.randint(max(1, count // 2), count)
        return Turn("batch", [("batch", *self.draws.batch(count), count)])

    def pipeline(self):
        return [(name, request, answer, 1) for name, request, answer in self.draws.pipeline()]

    def draw_end(self):
        """The last turn of a connection."""
        which = self.plan.random()
        asked = self.pipeline()
        if which < 0.25:
            turn = Turn("interrupted", asked)
            if self.plan.random() < 0.3:
                turn.goes_after_writing = self.plan.randrange(len(turn.output))
            else:
                turn.goes_after_reading = self.plan.randrange(len(turn.expected))
        elif which < 0.5:
            # What comes behind the last question is not answered.
            behind = [("behind", request, b"", 0) for _, request, _, _ in self.pipeline()]
            turn = Turn("ended", [*asked, ("last", *self.draws.last(), 1), *behind])
            turn.closes = True
            turn.half_closes = self.plan.random() < 0.5
        elif which < 0.75:
            turn = Turn("cut", [*asked, ("cut", *self.draws.cut(), 0)])
            turn.half_closes = turn.closes = True
        else:
            turn = Turn("half-closed", asked)
            turn.half_closes = turn.closes = True
            turn.allow_close()
        return turn

    def size(self):
        sizes, weights = zip(*SIZES)
        return self.pace.choices(sizes, weights)[0]

    # Writing and reading.

    def step(self):
        """Writes and reads a little; false if nothing could be done."""
        if self.pause > 0:
            self.pause -= 1
            return True
        if self.turn is None:
            self.begin_turn()
            return not self.is_done
        if self.pace.random() < 0.05:
            self.pause = self.pace.choice((1, 10, 100))
        has_written = self.write()
        if self.turn is None:
            return True
        if self.writes_first and has_written and self.sent < len(self.turn.output):
            return True
        return self.read() or has_written

    def write(self):
        turn = self.turn
        if self.sent == len(turn.output):
            return False
        try:
            self.sent += self.file.send(turn.output[self.sent:self.sent + self.size()])
        except BlockingIOError:
            return False
        except (BrokenPipeError, ConnectionResetError):
            if not turn.closes:
                raise Wrong(self.told("the service closed while we asked")) from None
            self.sent = len(turn.output)
            return True
        if turn.goes_after_writing is not None and self.sent >= turn.goes_after_writing:
            self.end_turn()
            self.close()
        elif self.sent == len(turn.output) and turn.half_closes:
            self.file.shutdown(socket.SHUT_WR)
        return True

    def read(self):
        turn = self.turn
        try:
            piece = self.file.recv(self.size())
        except BlockingIOError:
            return False
        except ConnectionResetError:
            piece = b""
        if not piece:
            self.end_of_answers()
            return True
        self.compare(piece)
        if turn.goes_after_reading is not None and self.place >= turn.goes_after_reading:
            self.end_turn()
            self.close()
        elif self.place == len(turn.expected) and not turn.closes:
            self.end_turn()
        return True

    def compare(self, piece):
        turn, end = self.turn, self.place + len(piece)
        if turn.expected[self.place:end] != piece:
            if turn.other is None or turn.other[self.place:end] != piece or (
                    self.place and turn.other[:self.place] != turn.expected[:self.place]):
                raise Wrong(self.told_difference(piece))
            turn.expected, turn.other = turn.other, None
        self.place = end

    def end_of_answers(self):
        turn = self.turn
        if not turn.closes or self.place != len(turn.expected):
            raise Wrong(self.told("the service closed too early"))
        self.end_turn()
        self.close()

    def end_turn(self):
        self.answers += self.turn.answered(self.place)
        self.turn = None

    def close(self):
        self.file.close()
        self.file = None

    # Telling.

    def told(self, what):
        turn = self.turn
        number = sum(end <= self.place for end in turn.ends)
        name = turn.names[min(number, len(turn.names) - 1)]
        return (f"{what}, in answer {number + 1} of {len(turn.names)} ({name}) of a turn"
                f" '{turn.kind}', at byte {self.place} of {len(turn.expected)}")

    def told_difference(self, piece):
        turn = self.turn
        expected = turn.expected[self.place:self.place + len(piece)]
        same = next((number for number, pair in enumerate(zip(expected, piece))
                     if pair[0] != pair[1]), len(expected))
        self.place += same
        begin = max(0, same - 100)
        return (self.told("another answer") + f"\n  expected {expected[begin:same + 100]!r}"
                f"\n  got      {piece[begin:same + 100]!r}")
