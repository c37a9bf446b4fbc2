/** What a queue holds at most. */
interface QueueLimits {
  /** Pieces of work that wait or run. */
  readonly works: number;
  /** Their sizes together. A piece larger than that has to be alone. */
  readonly size: number;
  /** Pieces that run side by side. */
  readonly running: number;
}

/** What the desk of all changes and that of all imports hold: 24 Mi UTF-16 units of their texts, as the memory has room. */
export const DESK_LIMITS: QueueLimits = { works: 500, size: 24 * 1024 * 1024, running: 8 };

/** The keys that a piece of work needs for itself, and what it weighs in memory. */
export interface QueuedWork<Result> {
  readonly keys: Iterable<string>;
  readonly size: number;
  run(): Promise<Result>;
}

/**
 * Lets work that needs a common key run one after the other, in the order in which it came, and other work side by
 * side. Work takes its place at all its keys at once, so two pieces never wait for each other.
 */
export class KeyQueue {
  private readonly tails = new Map<string, Promise<void>>();
  private readonly waiting: (() => void)[] = [];
  private works = 0;
  private size = 0;
  private running = 0;

  constructor(private readonly limits: QueueLimits) {}

  /** Pieces of work that wait or run. */
  get length(): number {
    return this.works;
  }

  /** Runs the work when its turn has come; undefined when the queue is full. */
  async run<Result>({ keys, size, run }: QueuedWork<Result>): Promise<Result | undefined> {
    if (this.isFullFor(size)) return undefined;
    const own = [...keys];
    const before = own.map((key) => this.tails.get(key));
    const { promise: done, resolve: finish } = Promise.withResolvers<void>();
    for (const key of own) this.tails.set(key, done);
    this.works += 1;
    this.size += size;
    try {
      await Promise.all(before);
      return await this.runInTurn(run);
    } finally {
      this.works -= 1;
      this.size -= size;
      for (const key of own) if (this.tails.get(key) === done) this.tails.delete(key);
      finish();
    }
  }

  private isFullFor(size: number): boolean {
    if (this.works === 0) return false;
    return this.works >= this.limits.works || this.size + size > this.limits.size;
  }

  private async runInTurn<Result>(run: () => Promise<Result>): Promise<Result> {
    if (this.running >= this.limits.running) {
      // Whoever ends hands his place over, so `running` stays as it is.
      await new Promise<void>((resolve) => void this.waiting.push(resolve));
    } else {
      this.running += 1;
    }
    try {
      return await run();
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.running -= 1;
      else next();
    }
  }
}

/** The last of some times: those of one format sort as text. */
export function latestOf(...times: readonly string[]): string {
  return times.reduce((last, time) => (time > last ? time : last), "");
}
