/**
 * Lets others go on. In the local runtime, where databases and consumers share a thread, requests are not even read
 * as long as there is anything else to do.
 */
export function takeTurns(): Promise<void> {
  return scheduler.wait(0);
}
