"""The programs of the benchmark as a Python programmer writes them, each under the name of its Gene twin."""

from __future__ import annotations

import json
from functools import cmp_to_key


def fib27():
    def fib(n):
        if n < 2:
            return n
        return fib(n - 1) + fib(n - 2)

    return fib(27)


def while_sum_1m_fn(n=1_000_000):
    total, i = 0, 1
    while i <= n:
        total += i
        i += 1
    return total


def loop_sum_1m():
    def sum_to(n):
        total, i = 0, 1
        while True:
            if i > n:
                break
            total += i
            i += 1
        return total

    total = j = 0
    while j < 5000:
        total += sum_to(200)
        j += 1
    return total


def for_range_1m(n=1_000_000):
    total = 0
    for i in range(1, n + 1):
        total += i
    return total


def map_path_1m(n=1_000_000):
    m = {"a": 0, "b": 1}
    i = 0
    while i < n:
        m["a"] = m["a"] + m["b"]
        i += 1
    return m["a"]


def closure_300k(k=300_000):
    def make():
        n = 0

        def add(x):
            nonlocal n
            n += x
            return n

        return add

    f = make()
    i = 0
    while i < k:
        f(1)
        i += 1
    return f(0)


class Counter:
    def __init__(self, start):
        self.value = start

    def add(self, n):
        self.value = self.value + n
        return self.value


def method_300k(n=300_000):
    c = Counter(0)
    i = 0
    while i < n:
        c.add(1)
        i += 1
    return c.value


def str_interp_100k(n=100_000):
    length = i = 0
    while i < n:
        s = f"item {i} of {n}"
        length += len(s)
        i += 1
    return length


def array_100k(n=100_000):
    a = []
    i = 0
    while i < n:
        a.append(i)
        i += 1
    b = [x * 2 for x in a]
    total = 0
    for x in b:
        total += x
    return total


class Point:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def sum(self):
        return self.x + self.y


def instances_200k(n=200_000):
    total = i = 0
    while i < n:
        p = Point(i, 1)
        total += p.sum()
        i += 1
    return total


def generator_300k(n=300_000):
    def upto(n):
        i = 0
        while i < n:
            yield i
            i += 1

    total = 0
    for x in upto(n):
        total += x
    return total


def hashmap_100k(n=100_000):
    h = {}
    i = 0
    while i < n:
        h[i] = i * 2
        i += 1
    total = i = 0
    while i < n:
        total += h[i]
        i += 1
    return total


def sort_50k(n=50_000):
    a = []
    x = 12345
    for _ in range(n):
        x = (x * 1103515245 + 12345) % 2147483648
        a.append(x)
    b = sorted(a, key=cmp_to_key(lambda p, q: p - q))
    return b[0]


class Circle:
    __match_args__ = ("r",)

    def __init__(self, r):
        self.r = r


class Rect:
    __match_args__ = ("w", "h")

    def __init__(self, w, h):
        self.w = w
        self.h = h


def match_200k(n=100_000):
    def area(shape):
        match shape:
            case Circle(r):
                return 3 * r * r
            case Rect(w, h):
                return w * h

    c, q = Circle(2), Rect(2, 5)
    total = i = 0
    while i < n:
        total += area(c)
        total += area(q)
        i += 1
    return total


def macro_100k(n=100_000):
    def when(test, body):
        if test():
            body()

    def add(k):
        nonlocal total
        total += k

    total = i = 0
    while i < n:
        when(lambda: i > 10, lambda: add(i))  # noqa: B023 - called before i changes
        i += 1
    return total


def macro_render_20k(n=20_000):
    def unless(test, body):
        if not test():
            body()

    def add(k):
        nonlocal total
        total += k

    total = i = 0
    while i < n:
        unless(lambda: i > 10_000, lambda: add(i))  # noqa: B023 - called before i changes
        i += 1
    return total


def enum_100k(n=100_000):
    def area(shape):
        match shape:
            case Circle(r):
                return 3 * r * r
            case Rect(w, h):
                return w * h
            case None:
                return 0

    total = i = 0
    while i < n:
        total += area(Rect(i, 2))
        total += area(Circle(1))
        total += area(None)
        i += 1
    return total


def case_literals_200k(n=50_000):
    def cost(word):
        match word:
            case "add":
                return 1
            case "sub":
                return 2
            case "mul":
                return 3
            case _:
                return 9

    def step(n):
        match n:
            case 0:
                return 1
            case 1:
                return 3
            case _:
                return 0

    words = ["add", "sub", "mul", "div"]
    total = i = 0
    while i < n:
        for word in words:
            total += cost(word)
        total += step(i % 3)
        i += 1
    return total


def hashset_100k(n=100_000):
    seen = set()
    again = i = 0
    while i < n:
        word = f"w{i % 1000}"
        if word in seen:
            again += 1
        else:
            seen.add(word)
        seen.add(i)
        i += 1
    return again + len(seen)


def string_build_100k(n=100_000):
    total = i = 0
    line = ""
    while i < n:
        line += f"w{i},"
        parts = []
        parts.append("k" + str(i % 10))
        parts.append("=")
        parts.append(str(i))
        total += len("".join(parts))
        if i % 100 == 99:
            total += len(line)
            line = ""
        i += 1
    return total


class Refused(Exception):
    pass


def exceptions_100k(n=100_000):
    def check(n):
        if n % 2 == 0:
            raise Refused("even")
        return n

    refused = i = 0
    while i < n:
        try:
            check(i)
        except Refused:
            refused += 1
        i += 1
    return refused


def json_2k(n=2_000):
    total = i = 0
    while i < n:
        inner = {"list": [1, 2, 3, 4], "none": None}
        record = {"id": i, "name": "call", "tags": ["a", "b", "c"], "score": 2.5, "ok": True, "inner": inner}
        back = json.loads(json.dumps(record))
        total += back["id"]
        total += len(back["inner"]["list"])
        i += 1
    return total
