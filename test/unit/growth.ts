/** Milliseconds below which a run counts as fast at any growth. */
const FAST_MS = 5;
/** Runs of a quarter of the length that cost as much as a whole one if the growth is quadratic; if it is linear, four do. */
const QUARTER_RUNS = 16;
const ATTEMPTS = 5;

/**
 * Returns true if the cost of `run` grows faster than the length of its input. Compares CPU time, so other programs on the
 * machine make little difference; the clock, which costs less to read, only tells that a run is fast.
 */
export function growsTooFast(run: (length: number) => unknown, length: number): boolean {
  const start = performance.now();
  run(length);
  if (performance.now() - start <= FAST_MS) return false;
  const whole = leastCpuTime(() => run(length));
  if (whole <= FAST_MS) return false;
  // As many as take about as long: CPU time is not exact for short runs.
  const quarters = leastCpuTime(() => {
    for (let count = 0; count < QUARTER_RUNS; count += 1) run(length / 4);
  });
  return whole > quarters / 2;
}

/** The least CPU milliseconds of several attempts. */
function leastCpuTime(run: () => unknown): number {
  const times = Array.from({ length: ATTEMPTS }, () => {
    const start = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}
