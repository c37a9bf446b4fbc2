import { writeFileSync } from "node:fs";

/** Beginnings of what the Workers runtime itself prints, much of it about failures that tests cause on purpose. */
const RUNTIME_OUTPUT =
  /^(?:uncaught exception|console warning|exception = |NOSENTRY |\S*\[mf:warn\]|A header value for )/;
/** Messages that are kept for a run that fails. */
const KEPT_MAX = 100;
const LOG = "runtime.log";

/** Holds back what the runtime prints. The last of it goes into a file if the run fails. */
export function holdRuntimeOutput(): void {
  const held: string[] = [];
  for (const stream of [process.stdout, process.stderr]) {
    const write = stream.write.bind(stream) as (text: unknown, ...more: unknown[]) => boolean;
    stream.write = (text: unknown, ...more: unknown[]): boolean => {
      if (typeof text !== "string" || !RUNTIME_OUTPUT.test(text)) return write(text, ...more);
      held.push(text);
      if (held.length > KEPT_MAX) held.shift();
      return true;
    };
  }
  process.once("exit", (code) => {
    if (code === 0 || held.length === 0) return;
    // Not printed: what failed has to stand last, since some systems show no more than the end.
    writeFileSync(LOG, held.join(""));
    process.stderr.write(`Output of the Workers runtime: ${LOG}\n`);
  });
}
