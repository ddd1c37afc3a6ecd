"""The highest load that a program keeps up with."""
LEG_SECONDS = 2
STEP = 1.25        # between loads that are tried until one is over the limit
RESOLUTION = 0.04  # of the answer
HIGHEST_X = 1000


def search(program, target):
    """A function that returns the highest N at which the program completes 99 % of the planned
    reads and writes of Nx on the target. It begins where the last search ended."""
    last = {}

    def keeps_up(n):
        # Somebody else may have been in its way, once.
        return n >= 1 and any(program.leg(target, n, n, LEG_SECONDS).kept_up for _ in range(2))

    def highest():
        threads = getattr(program, "threads", 1)
        low, high = 0, last.get(threads, 20)
        while high <= HIGHEST_X and keeps_up(high):
            low, high = high, max(high + 1, round(high * STEP))
        while low == 0 and high > 1:
            lower = max(1, int(high / STEP))
            low, high = (lower, high) if keeps_up(lower) else (0, lower)
        while high - low > max(1, RESOLUTION * low) and low:
            middle = (low + high) // 2
            low, high = (middle, high) if keeps_up(middle) else (low, middle)
        last[threads] = max(1, low)
        return low
    return highest
