import { readFileSync } from "node:fs";
import path from "node:path";

/** A line of docs/interface.md: a route, how it stands with it, and a request that shows it. */
export interface InterfaceLine {
  readonly method: string;
  /** As the interface spells it. */
  readonly route: string;
  /** `answers`, or `differs: why`, or `not served: why`. */
  readonly state: string;
  readonly access: string;
  readonly example: Example;
  /** Status, and what comes with it. */
  readonly expected: { readonly status: number; readonly kind: string };
  /** Test files that show more of it, below the folder of the project. */
  readonly tests: readonly string[];
}

/** A request: by whom, where to, with which body. */
export interface Example {
  /** Empty: whoever the access level asks for. */
  readonly role: string;
  readonly path: string;
  readonly body: string | undefined;
}

const DOCUMENT = path.join(import.meta.dirname, "../../../docs/interface.md");
const CELLS = 7;

/** All lines of the document, in its order. */
export function interfaceLines(): InterfaceLine[] {
  const text = readFileSync(DOCUMENT, "utf8");
  const rows = text
    .split("\n")
    .filter((line) => /^\| (?:GET|POST|PUT|DELETE) \|/.test(line))
    .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|")));
  return rows.map((cells) => {
    if (cells.length !== CELLS + 2) throw new Error(`not ${CELLS} cells: ${cells.join(" | ")}`);
    const [, method = "", route = "", state = "", access = "", example = "", status = "", tests = ""] = cells;
    return {
      method,
      route: code(route),
      state,
      access,
      example: exampleOf(code(example)),
      expected: { status: Number(status.slice(0, 3)), kind: status.slice(4) },
      tests: [...tests.matchAll(/`([^`]+)`/g)].map(([, file = ""]) => file),
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
