import { format } from "node:util";
import { Log, LogLevel } from "miniflare";
import type { LogSink } from "../runtime.ts";

const LEVELS = { log: "info", info: "info", warn: "warn", error: "error" } as const;

/** Colors of terminals. */
// oxlint-disable-next-line no-control-regex -- escape sequences begin with one
const COLOR = /\u001B\[[\d;]*m/g;

/** Writes a line of the log: an object with its time first. */
function writeLine(fields: Readonly<Record<string, unknown>>) {
  process.stdout.write(`${JSON.stringify({ time: new Date().toISOString(), ...fields })}\n`);
}

/** Turns all that this process prints into lines of JSON. */
export function logAsJson() {
  for (const [method, level] of Object.entries(LEVELS)) {
    console[method as keyof typeof LEVELS] = (...parts: unknown[]) => {
      writeLine({ level, event: "serve", message: format(...parts) });
    };
  }
}

class RuntimeLog extends Log {
  protected override log(message: string) {
    writeLine({ level: "warn", event: "runtime", message: message.replace(COLOR, "") });
  }
}

/** Returns the sink of what runtime and worker print. `take` gets each data point of METRICS_LOG, which is not printed. */
export function jsonLogSink(take: (point: unknown) => void): LogSink {
  return {
    runtime: new RuntimeLog(LogLevel.WARN),
    line({ level, message }) {
      const fields = parseObject(message);
      if (fields?.["point"] !== undefined) return take(fields["point"]);
      if (fields !== undefined) return writeLine(fields);
      return writeLine({ level: level === "log" ? "info" : level, event: "runtime", message });
    },
  };
}

function parseObject(text: string): Record<string, unknown> | undefined {
  if (!text.startsWith("{")) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
