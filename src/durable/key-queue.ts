import { MIB } from "../catalog/units.ts";
interface QueueLimits {
  readonly tasks: number;
  /** Total size of the tasks. A larger task has to be alone. */
  readonly size: number;
  readonly running: number;
  /** Total size of the tasks that run. A larger task runs alone. */
  readonly runningSize: number;
}

/** Limits of both desks. Sizes are UTF-16 units of texts: what runs is parsed, and takes several times as much memory. */
export const DESK_LIMITS: QueueLimits = {
  tasks: 500,
  size: 24 * MIB,
  running: 8,
  runningSize: 8 * MIB,
};

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
  private readonly waiting: { readonly size: number; start(): void }[] = [];
  private tasks = 0;
  private size = 0;
  private running = 0;
  private runningSize = 0;

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
      return await this.runInTurn({ size, run });
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

  private async runInTurn<Result>({ size, run }: Pick<QueuedTask<Result>, "size" | "run">): Promise<Result> {
    if (this.waiting.length > 0 || !this.hasRoomFor(size)) {
      const { promise, resolve: start } = Promise.withResolvers<void>();
      this.waiting.push({ size, start });
      await promise;
    } else {
      this.begin(size);
    }
    try {
      return await run();
    } finally {
      this.running -= 1;
      this.runningSize -= size;
      for (
        let [next] = this.waiting;
        next !== undefined && this.hasRoomFor(next.size);
        [next] = this.waiting
      ) {
        this.waiting.shift();
        this.begin(next.size);
        next.start();
      }
    }
  }

  private hasRoomFor(size: number): boolean {
    const { running, runningSize } = this.limits;
    return this.running === 0 || (this.running < running && this.runningSize + size <= runningSize);
  }

  private begin(size: number): void {
    this.running += 1;
    this.runningSize += size;
  }
}

/** Returns the latest of some times in one text format, which sorts by time. */
export function latestOf(...times: readonly string[]): string {
  return times.reduce((last, time) => (time > last ? time : last), "");
}
