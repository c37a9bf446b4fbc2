/** The queues that this service reads, each with its dead letters in `<name>-dead`. */
export const QUEUE_NAMES = [
  "carrel-index",
  "carrel-lookups",
  "carrel-activity",
  "carrel-patron-jobs",
  "carrel-imports",
  "carrel-cover-jobs",
  "carrel-dumps",
] as const;
export type QueueName = (typeof QUEUE_NAMES)[number];

const names: readonly string[] = QUEUE_NAMES;

/** True for the name of one of the queues. */
export function isQueueName(name: string): name is QueueName {
  return names.includes(name);
}
