"""Wires to a database that can be cut, where there is no network to do it in."""

import socket
import threading
import time


class Wire:
    """A port that leads to a server, until it is cut: silently, as a network does it, or after
    the next question, so that its answer is lost. What is sent can be replaced, by as many bytes:
    pairs of what is sought and what comes in its place."""

    def __init__(self, server, replacing=()):
        self.server, self.replacing = server, replacing
        # How often each was replaced.
        self.replaced = [0] * len(replacing)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.is_cut = False
        self.delay = 0
        self.loses_answers = False
        self.pairs, self.lock = [], threading.Lock()
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            try:
                far = socket.create_connection(("127.0.0.1", self.server.port))
            except OSError:
                near.close()
                continue
            for end in (near, far):
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with self.lock:
                self.pairs.append((near, far))
            for source, target, is_answer in ((near, far, False), (far, near, True)):
                threading.Thread(target=self.carry, args=(source, target, is_answer),
                                 daemon=True).start()

    def carry(self, source, target, is_answer):
        try:
            while data := source.recv(65536):
                while self.is_cut:
                    time.sleep(0.02)
                if self.delay:
                    time.sleep(self.delay)
                if is_answer and self.loses_answers:
                    # The server has done it, and nobody hears of it.
                    break
                target.sendall(data if is_answer else self.replace(data))
        except OSError:
            pass
        for end in (source, target):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def replace(self, data):
        for number, (sought, other) in enumerate(self.replacing):
            self.replaced[number] += data.count(sought)
            data = data.replace(sought, other.ljust(len(sought)))
        return data

    def lead_to(self, server):
        """Ends what is open; what comes next leads elsewhere."""
        self.server = server
        self.drop()

    def drop(self):
        with self.lock:
            pairs, self.pairs = self.pairs, []
        for pair in pairs:
            for end in pair:
                try:
                    end.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass

    def close(self):
        self.listener.close()
        self.is_cut = False
        self.drop()
