// docs/operations.md lists what the service says of itself: events of the log, data points and levels.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { QUEUE_NAMES } from "../../../src/worker/http/queue.ts";
import { sourceFiles } from "../../../scripts/lib/sources.ts";

const read = (file: string): string => readFileSync(join(import.meta.dirname, "../../..", file), "utf8");
const DOCUMENT = read("docs/operations.md");
const files = await sourceFiles("src", /\.ts$/);
const text = files.map((file) => file.text).join("\n");

/** Names in backticks in the first cells of a table that begins with a heading. */
function firstCells(heading: string): string[] {
  const [, table = ""] = DOCUMENT.split(heading);
  const rows = (table.split("\n\n")[0] ?? "").split("\n").slice(1);
  return rows.flatMap((row) =>
    [...(row.split("|")[1] ?? "").matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name),
  );
}

describe("docs/operations.md", () => {
  const inCode = [
    ...text.matchAll(/(?:logLine\(\s*[^,]*(?:"info"|"warn"|"error")[^,]*,|sendOrLog\()\s*"([^"]+)"/g),
  ].map(([, event = ""]) => event);
  // Objects, and the meter of invocations, write their lines themselves.
  const written = [...text.matchAll(/level: "(?:info|error)", event: "([^"]+)"/g)].map(
    ([, event = ""]) => event,
  );
  const ofQueues = [...text.matchAll(/name: "carrel-[^"]+",\n +event: "([^"]+)",$/gm)].map(
    ([, event = ""]) => event,
  );
  const events = firstCells("| Event | Means | Do |");

  it("names exactly the events of the log", () => {
    expect(inCode.length).toBeGreaterThan(40);
    expect([...new Set(events)].toSorted()).toEqual(
      [...new Set([...inCode, ...written, ...ofQueues])].toSorted(),
    );
  });

  it("covers log lines with a literal event", () => {
    expect(ofQueues).toHaveLength(QUEUE_NAMES.length);
    expect(text.match(/\blogLine\("error", event,/g)).toHaveLength(3);
    expect(text.match(/\b(?:logLine|sendOrLog)\(/g)).toHaveLength(inCode.length + 5);
  });

  it("names every kind of data point", () => {
    const [, shapes = ""] = text.split("interface DataPoints {");
    const kinds = [...(shapes.split("\n}")[0] ?? "").matchAll(/readonly (\w+): readonly/g)].map(
      ([, kind]) => kind,
    );
    expect(firstCells("| Kind | `blob2` … | `double1` … |")).toEqual(kinds);
  });

  it("describes every reported level", () => {
    const tables = [...text.matchAll(/^const \w+_WAITING = \{\n(.*?)^\};/gms)].map(([, rows = ""]) => rows);
    const counted = [...tables.join("").matchAll(/^ {2}(\w+): "SELECT/gm)].map(([, name = ""]) => name);
    expect(counted.length).toBeGreaterThan(8);
    const missing = [
      ...counted,
      "dump_days",
      "catalog_bytes",
      "search_bytes",
      "patrons_bytes",
      "index_jobs",
      "oldest_change_seconds",
      "oldest_import_seconds",
    ].filter((name) => !DOCUMENT.includes(`\`${name}\``));
    expect(missing).toEqual([]);
  });

  it.each([...new Set([...DOCUMENT.matchAll(/npm run ([a-z-]+)/g)].map(([, name = ""]) => name))])(
    "npm run %s is a script",
    (name) => {
      const { scripts } = JSON.parse(read("package.json"));
      expect(Object.keys(scripts)).toContain(name);
    },
  );

  it("names existing routes", () => {
    const routes = read("test/unit/scripts/routes.txt");
    const paths = [...DOCUMENT.matchAll(/`(?:POST )?(\/[a-z][\w/.-]*)`/g)].map(([, path = ""]) => path);
    expect(paths.length).toBeGreaterThan(10);
    expect(paths.filter((path) => !routes.includes(` ${path}\n`))).toEqual([]);
  });
});
