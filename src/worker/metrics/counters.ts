import type { AnswerSource } from "./trace.ts";

/** Answers of this isolate since it started, by the first digit of their status and by where they came from. */
const byStatus = new Map<number, number>();
const bySource = new Map<AnswerSource, number>();

/** Counts an answer. */
export function countAnswer(status: number, source: AnswerSource): void {
  const kind = Math.floor(status / 100);
  byStatus.set(kind, (byStatus.get(kind) ?? 0) + 1);
  bySource.set(source, (bySource.get(source) ?? 0) + 1);
}

/** What was counted. */
export function countedAnswers(): {
  readonly by_status: Readonly<Record<string, number>>;
  readonly by_source: Readonly<Record<string, number>>;
} {
  return {
    by_status: Object.fromEntries([...byStatus].map(([kind, count]) => [`${kind}xx`, count])),
    by_source: Object.fromEntries(bySource),
  };
}
