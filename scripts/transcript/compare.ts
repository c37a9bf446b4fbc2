// Comparison of what the same request leads to on both sides.
import type { Outcome } from "./side.ts";

/** Headers of the connection, and what follows from the body. */
const NOT_COMPARED = new Set(["date", "connection", "keep-alive", "transfer-encoding", "content-length"]);
/** Values that are different each time, and what they become. */
const MASKS: [value: RegExp, mask: string][] = [
  // R2 makes the names of uploads in parts.
  [/(?<="upload(?:_id)?":\s*")[\w-]{100,}/g, "<upload>"],
  // Salts of passwords.
  [/(?<=scrypt\$[\d$]+\$)[\w-]+\$[\w-]+/g, "<hash>"],
  // The runtime makes those of batches of messages.
  [/(?<="batch":")[0-9a-f]{32}/g, "<batch>"],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, "<uuid>"],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-z]{1,6}\b/g, "<request>"],
  [/\b0{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32}\b/g, "<bookmark>"],
  // Names of chunks and places in the code.
  [/\\n +at [^"]*/g, ""],
];
/** Lines of a difference that are shown. */
const LINES_MAX = 12;
const LINE_LENGTH = 400;

function mask(text: string): string {
  return MASKS.reduce((masked, [value, name]) => masked.replaceAll(value, name), text);
}

/** Returns what a side did as lines, which are the same on both sides if they did the same. */
export function linesOf({ status, headers, body, notes, changes }: Outcome): string[] {
  const named = Object.entries(headers).filter(([name]) => !NOT_COMPARED.has(name));
  return [
    `status ${status}`,
    ...named.flatMap(([name, value]) =>
      [value ?? ""].flat().map((one) => `${name}: ${mask(headerText(name, one))}`),
    ),
    ...bodyLines(body, String(headers["content-type"] ?? "")).map(mask),
    ...notes.map(mask).sort(),
    ...changes.map(mask).sort(),
  ];
}

/** Cookies have names and attributes; their values are secrets. */
function headerText(name: string, value: string) {
  // The local runtime makes tags of static files of their paths.
  if (name === "etag") return value.replace(/^"[0-9a-f]{32}"$/, "<file>");
  return name === "set-cookie"
    ? value.replace(
        /^([^=]+)=([^;]*)/,
        (_all, cookie: string, text: string) => `${cookie}=${text === "" ? "" : "<value>"}`,
      )
    : value;
}

function bodyLines(body: Buffer, type: string): string[] {
  if (/json/.test(type)) {
    try {
      return JSON.stringify(JSON.parse(body.toString()), undefined, 1).split("\n");
    } catch {
      return [body.toString()];
    }
  }
  return /^image|octet|zip|gzip|parquet/.test(type)
    ? [`${body.length} bytes ${body.toString("base64", 0, 300)}`]
    : body.toString().split(/\n|(?=<)/);
}

/** Lists the lines that only one side has, `-` for the base and `+` for the working tree. */
export function differences(base: readonly string[], tree: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const line of base) counts.set(line, (counts.get(line) ?? 0) + 1);
  for (const line of tree) counts.set(line, (counts.get(line) ?? 0) - 1);
  const lines = [...counts].flatMap(([line, count]) =>
    count === 0 ? [] : [`${count > 0 ? "-" : "+"} ${line}`],
  );
  // Both sides have equal lines, perhaps in a different order.
  const moved = lines.length === 0 ? base.findIndex((line, index) => line !== tree[index]) : -1;
  return moved === -1 ? lines : [`- ${base[moved]}`, `+ ${tree[moved]} (the order)`];
}

/** Returns the first lines; of long ones the part around the first sign that differs from the other side. */
export function shortened(lines: readonly string[]): string[] {
  const shown = lines.slice(0, LINES_MAX).map((line) => excerpt(line, lines));
  return lines.length > LINES_MAX ? [...shown, `… ${lines.length - LINES_MAX} more lines`] : shown;
}

function excerpt(line: string, lines: readonly string[]): string {
  if (line.length <= LINE_LENGTH) return line;
  const others = lines.filter((other) => other[0] !== line[0]);
  const start = Math.max(
    0,
    ...others.map((other) => commonLength(line.slice(1), other.slice(1)) - LINE_LENGTH / 2),
  );
  return `${line.slice(0, 60)}…${line.slice(Math.max(60, start), Math.max(60, start) + LINE_LENGTH)}…`;
}

function commonLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}
