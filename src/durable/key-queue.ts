interface QueueLimits {
  readonly tasks: number;
  /** Total size of the tasks. A larger task has to be alone. */
  readonly size: number;
  readonly running: number;
}

/** Limits of both desks. The size in UTF-16 units of their texts fits into memory. */
export const DESK_LIMITS: QueueLimits = { tasks: 500, size: 24 * 1024 * 1024, running: 8 };

export interface QueuedTask<Result> {
  readonly keys: Iterable<string>;
  readonly size: number;
  run(): Promise<Result>;
}

/**
 * Runs tasks that need a common key one after the other, in order of arrival, and other tasks concurrently. A task
 * queues at all its keys at once, so two tasks never wait for each other.
 */
export class KeyQueue {
  private readonly tails = new Map<string, Promise<void>>();
  private readonly waiting: (() => void)[] = [];
  private tasks = 0;
  private size = 0;
  private running = 0;

  constructor(private readonly limits: QueueLimits) {}

  get length(): number {
    return this.tasks;
  }

  /** Runs a task when its turn has come. Returns undefined if the queue is full. */
  async run<Result>({ keys, size, run }: QueuedTask<Result>): Promise<Result | undefined> {
    if (this.isFullFor(size)) return undefined;
    const ownKeys = [...keys];
    const before = ownKeys.map((key) => this.tails.get(key));
    const { promise: done, resolve: finish } = Promise.withResolvers<void>();
    for (const key of ownKeys) this.tails.set(key, done);
    this.tasks += 1;
    this.size += size;
    try {
      await Promise.all(before);
      return await this.runInTurn(run);
    } finally {
      this.tasks -= 1;
      this.size -= size;
      for (const key of ownKeys) if (this.tails.get(key) === done) this.tails.delete(key);
      finish();
    }
  }

  private isFullFor(size: number): boolean {
    if (this.tasks === 0) return false;
    return this.tasks >= this.limits.tasks || this.size + size > this.limits.size;
  }

  private async runInTurn<Result>(run: () => Promise<Result>): Promise<Result> {
    if (this.running >= this.limits.running) {
      // A finished task hands its place over, so `running` stays as it is.
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

/** Returns the latest of some times in one text format, which sorts by time. */
export function latestOf(...times: readonly string[]): string {
  return times.reduce((last, time) => (time > last ? time : last), "");
}
