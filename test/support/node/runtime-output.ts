import { writeFileSync } from "node:fs";

/** Prefixes of messages that the Workers runtime prints, many of them about failures that tests cause on purpose. */
const RUNTIME_OUTPUT =
  /^(?:uncaught exception|console warning|exception = |NOSENTRY |\S*\[mf:warn\]|A header value for )/;
/** Messages that are kept for a run that fails. */
const KEPT_MAX = 100;
const LOG = "runtime.log";

/** Holds back messages of the runtime. If the run fails, the last ones are written to a file. */
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
    // Not printed, so that failures come last: some CI systems show only the end of the output.
    writeFileSync(LOG, held.join(""));
    process.stderr.write(`Output of the Workers runtime: ${LOG}\n`);
  });
}
