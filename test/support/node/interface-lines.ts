import { readFileSync } from "node:fs";
import path from "node:path";

/** A line of test/wire/interface.md: a route, how it stands with it, and a request that shows it. */
export interface InterfaceLine {
  readonly method: string;
  /** As the interface spells it. */
  readonly route: string;
  /** `answers`, or `differs: why`, or `not served: why`. */
  readonly state: string;
  readonly access: string;
  readonly example: Example;
  /**
   * Status, and what comes with it: `JSON`, `page`, `text`, another media type, `empty` for no body; nothing of a
   * redirect.
   */
  readonly expected: { readonly status: number; readonly kind: string };
}

/**
 * A request: by whom, where to, with which body: JSON where it begins with a bracket, XML where it begins with `<`,
 * else a form. `$work` and the like are records that the test has made, `$today` is the day of the dump.
 */
interface Example {
  /** The word in front of the path. Empty: the client that the access level requires. */
  readonly role: string;
  readonly path: string;
  readonly body: string | undefined;
}

const DOCUMENT = path.join(import.meta.dirname, "../../..", "test/wire/interface.md");
const CELLS = 6;

/** All lines of the document, in its order. */
export function interfaceLines(): InterfaceLine[] {
  const text = readFileSync(DOCUMENT, "utf8");
  const rows = text
    .split("\n")
    .filter((line) => /^\| (?:GET|POST|PUT|DELETE) \|/.test(line))
    .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|")));
  return rows.map((cells) => {
    if (cells.length !== CELLS + 2) throw new Error(`not ${CELLS} cells: ${cells.join(" | ")}`);
    const [, method = "", route = "", state = "", access = "", example = "", status = ""] = cells;
    return {
      method,
      route: code(route),
      state,
      access,
      example: exampleOf(code(example)),
      expected: { status: Number(status.slice(0, 3)), kind: status.slice(4) },
    };
  });
}

function code(cell: string): string {
  const found = /^`(.*)`$/.exec(cell)?.[1];
  if (found === undefined) throw new Error(`not in backticks: ${cell}`);
  return found;
}

function exampleOf(text: string): Example {
  const match = /^(?:(\w+): )?(\/\S*)(?: (.*))?$/.exec(text);
  if (match === null) throw new Error(`no example: ${text}`);
  const [, role = "", target = "", body] = match;
  return { role, path: target, body };
}
