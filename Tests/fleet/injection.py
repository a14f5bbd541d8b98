"""What happens to a fleet. Each fault ends before the next one begins, but for wrong clocks, which
last until another clock is set."""

import os
import signal
import time

# How long a fleet may take until it takes writes again. Seconds.
PATIENCE = 90
# A hundredth of an hour more or less, so that no two clocks show the same.
HOURS = (-6, -3, -0.01, 0.01, 2, 5)
HOUR = 3_600_000


class Faults:
    """In turns first, each kind once; then as often as their weights say."""

    def __init__(self, fleet, rng, history, longest_stop, only=None):
        self.fleet, self.rng, self.counts, self.history = fleet, rng, {}, history
        self.longest_stop, self.story = longest_stop, []
        # How often all clocks had to be set, because nothing was taken by the wrong one.
        self.righted = 0
        self.kinds = [
            (6, self.kill_leader), (4, self.kill_node), (3, self.stop_leader),
            (6, self.end_sessions), (3, self.restart_primary), (1, self.kill_standby),
            (1, self.restart_all), (1, self.promote), (2, self.slow_network),
        ]
        if fleet.network:
            self.kinds += [
                (3, self.cut_node_from_primary), (2, self.lose_questions), (4, self.lose_answers),
                (2, self.isolate_node), (2, self.isolate_primary), (1, self.cut_one_standby),
                (1, self.cut_all_standbys), (1, self.switch_over),
            ]
        else:
            self.kinds += [(4, self.lose_wire_answers), (3, self.cut_wire)]
        if fleet.nodes[0].clock:
            self.kinds += [(3, self.set_clock)]
        if fleet.volumes:
            self.kinds += [(2, self.fill_node), (1, self.fill_primary)]
        if only:
            self.kinds = [(weight, kind) for weight, kind in self.kinds if called(kind) == only]
        self.turn = [kind for _, kind in self.kinds]
        rng.shuffle(self.turn)

    def next(self):
        weights = [weight for weight, _ in self.kinds]
        fault = self.turn.pop() if self.turn else self.rng.choices(
            [kind for _, kind in self.kinds], weights)[0]
        name = called(fault)
        self.counts[name] = self.counts.get(name, 0) + 1
        self.story.append((round(time.monotonic(), 1), name))
        fault()
        return name

    def await_writes(self, count):
        """Until so many more are acknowledged."""
        wanted = self.history.acknowledged + count
        self.fleet.wait(lambda: self.history.acknowledged >= wanted, PATIENCE,
                        "nothing is taken while the fault lasts")

    def some_node(self):
        return self.rng.choice(self.fleet.nodes)

    def leader(self):
        return self.fleet.wait(self.fleet.leader, PATIENCE, "nobody leads")

    def leader_or_node(self):
        return self.leader() if self.rng.random() < 0.5 else self.some_node()

    # Processes.

    def kill(self, node):
        node.process.kill()
        node.process.wait()
        time.sleep(self.rng.random() * 0.3)
        node.launch()

    def kill_leader(self):
        self.kill(self.leader())

    def kill_node(self):
        self.kill(self.some_node())

    def stop_leader(self):
        """The leader stands still until another one leads, or for half a minute, and wakes up."""
        node = self.leader()
        node.process.send_signal(signal.SIGSTOP)
        node.is_stopped = True
        begun = time.monotonic()
        try:
            self.leader()
            time.sleep(self.rng.random())
            if self.rng.random() < 0.15:
                time.sleep(max(0, self.longest_stop - (time.monotonic() - begun)))
        finally:
            node.process.send_signal(signal.SIGCONT)
            node.is_stopped = False

    def end_sessions(self):
        self.fleet.primary.sql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'usher' "
            "AND application_name = 'usher'", "postgres")

    def set_clocks_right(self):
        for node in self.fleet.nodes:
            node.clock.set(node.clock.OFFSET, 0)

    def set_clock(self):
        """One node's clock is wrong from now on, and it is to lead; the one before it is right
        again."""
        self.set_clocks_right()
        node = self.some_node()
        node.clock.set(node.clock.OFFSET, int(self.rng.choice(HOURS) * HOUR))
        leader = self.leader()
        if leader is not node:
            self.kill(leader)

    # Databases.

    def restart_primary(self):
        self.fleet.primary.kill()
        time.sleep(self.rng.random() * 0.5)
        self.fleet.primary.start()

    def kill_standby(self):
        standby = self.rng.choice(self.fleet.standbys)
        standby.kill()
        time.sleep(self.rng.random())
        standby.start()

    def restart_all(self):
        for node in self.fleet.nodes:
            node.process.kill()
            node.process.wait()
        for server in self.fleet.servers:
            server.kill()
        # Whoever starts before its database asks again.
        order = [server.start for server in self.fleet.servers]
        self.rng.shuffle(order)
        for start in order:
            start()
        for node in self.fleet.nodes:
            node.launch()

    def promote(self):
        """The primary is lost for good, and a person has a standby take its place."""
        self.fleet.primary.kill()
        self.replace_primary()

    def switch_over(self):
        """The primary is cut from everything, and lives. A person promotes a standby; the nodes
        find it, though the first of their hosts is silent. Only then the old primary is ended, and
        the network whole again."""
        old = self.fleet.primary
        self.fleet.network.isolate(old.name)
        time.sleep(self.rng.random() * 2)

        def fence():
            self.await_writes(1)
            old.kill()
            self.fleet.network.heal()
        self.replace_primary(fence)

    def replace_primary(self, fence=lambda: None):
        """Of several standbys, the one that has gone furthest; the others begin anew from it."""
        fleet = self.fleet
        best = max(fleet.standbys, key=position)
        best.set("synchronous_standby_names = ''")
        best.promote()
        for node in fleet.nodes:
            if node.wire:
                node.wire.lead_to(best)
        old, fleet.primary = fleet.primary, best
        fleet.standbys = [standby for standby in fleet.standbys if standby is not best]
        for standby in fleet.standbys:
            self.follow(standby)
        best.set("synchronous_standby_names = 'ANY 1 (*)'")
        best.sql("SELECT pg_reload_conf()", "postgres")
        fence()
        self.follow(old)
        fleet.standbys.append(old)

    def follow(self, standby):
        standby.remove()
        standby.make_folder()
        standby.copy(self.fleet.primary, standby.name).start()

    # The network.

    def for_a_while(self, *seconds):
        try:
            time.sleep(self.rng.choice(seconds))
        finally:
            self.fleet.network.heal()

    def cut_node_from_primary(self):
        """Nothing gets through, and nobody is told so."""
        self.fleet.network.cut(self.leader_or_node().name, self.fleet.primary.name)
        self.for_a_while(0.5, 2, 8)

    def lose_questions(self):
        """In one direction: what the node says does not arrive."""
        node = self.leader_or_node()
        self.fleet.network.cut(node.name, self.fleet.primary.name, both=False)
        self.for_a_while(0.5, 2, 7)

    def lose_answers(self):
        """In the other direction: commits are done, and their leader never hears of it."""
        self.fleet.network.cut(self.fleet.primary.name, self.leader().name, both=False)
        self.for_a_while(0.5, 2, 7)

    def isolate_node(self):
        self.fleet.network.isolate(self.leader_or_node().name)
        self.for_a_while(1, 7)

    def isolate_primary(self):
        self.fleet.network.isolate(self.fleet.primary.name)
        self.for_a_while(0.5, 3, 8)

    def cut_one_standby(self):
        standby = self.rng.choice(self.fleet.standbys)
        self.fleet.network.cut(self.fleet.primary.name, standby.name)
        self.for_a_while(1, 7)

    def cut_all_standbys(self):
        """No commit is replicated meanwhile, and so none is acknowledged."""
        for standby in self.fleet.standbys:
            self.fleet.network.cut(self.fleet.primary.name, standby.name)
        self.for_a_while(1, 7)

    def slow_network(self):
        if self.fleet.network:
            self.fleet.network.slow()
            self.for_a_while(2, 4)
            return
        for node in self.fleet.nodes:
            node.wire.delay = 0.05
        time.sleep(1)
        for node in self.fleet.nodes:
            node.wire.delay = 0

    # Wires, where there is no network.

    def lose_wire_answers(self):
        node = self.leader()
        node.wire.loses_answers = True
        time.sleep(0.1 + self.rng.random() * 0.2)
        node.wire.loses_answers = False

    def cut_wire(self):
        node = self.leader_or_node()
        node.wire.is_cut = True
        time.sleep(self.rng.choice([0.5, 2, 8]))
        node.wire.is_cut = False

    # Disks.

    def fill_node(self):
        volume = self.fleet.volumes[self.leader_or_node().name]
        volume.fill(left=self.rng.choice((0, 65_536)))
        time.sleep(self.rng.choice((1, 3)))
        volume.free()

    def fill_primary(self):
        """It may end by that, and is started again when there is room."""
        primary = self.fleet.primary
        volume = self.fleet.volumes[primary.name]
        volume.fill(left=self.rng.choice((0, 1_000_000)))
        time.sleep(3)
        volume.free()
        if not primary.is_up():
            primary.kill()
            primary.start()


def called(kind):
    return kind.__name__.replace("_", " ")


def position(standby):
    """One that has only just started again may not have received anything yet."""
    return int(standby.sql(
        "SELECT (greatest(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn(), '0/0') - '0/0')"
        "::bigint", "postgres"))


def revive(fleet):
    """What has ended by itself is started, as a service manager does it."""
    for node in fleet.nodes:
        if not node.is_running():
            node.launch()


def make_right(fleet):
    """Whatever the last fault was, it is over."""
    if fleet.network:
        fleet.network.heal()
    for node in fleet.nodes:
        if node.clock:
            node.clock.set(node.clock.OFFSET, 0)
        if node.is_stopped and node.is_running():
            os.kill(node.process.pid, signal.SIGCONT)
            node.is_stopped = False
