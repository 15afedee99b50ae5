"""The programs of the benchmark as a Python programmer writes them, each under the name of its Gene twin."""

from __future__ import annotations

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
