import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { SolrRequestError, checkParameters } from "../../../../src/search/solr/parameters.ts";

const file = path.join(import.meta.dirname, "../../../../docs/wire/listeners.md");
const document = readFileSync(file, "utf8");
/** Names in the row of the document's table that begins so. */
const namesIn = (row: string): string[] => {
  const line = document.split("\n").find((one) => one.startsWith(`| ${row}`)) ?? "";
  const written = line.slice(line.indexOf("|", 2)).replace(/\([^)]*\)/g, "");
  return [...written.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
};
const asked = (name: string, value: string) => () => checkParameters(new URLSearchParams([[name, value]]));

describe("checkParameters", () => {
  it.each([...namesIn("done"), ...namesIn("of no effect")])("takes %s", (name) => {
    expect(asked(name, "1")).not.toThrow();
  });

  const refused = namesIn("400");
  it("lists all refused parameters", () => expect(refused.length).toBeGreaterThan(15));
  it.each(refused)("refuses %s by name, also for one field", (name) => {
    expect(asked(name, "true")).toThrow(`'${name}' is not supported`);
    expect(asked(`f.title.${name}`, "true")).toThrow(SolrRequestError);
  });

  it("ignores disabled families and the client's own parameters", () => {
    for (const query of ["hl=false&hl.fl=title", "group=off", "_=1", "ol.label=x", "mine.own=1"])
      expect(() => checkParameters(new URLSearchParams(query)), query).not.toThrow();
  });

  it("accepts certain values", () => {
    expect(asked("overwrite", "true")).not.toThrow();
    expect(asked("overwrite", "false")).toThrow("overwrite: 'false' is not supported");
    expect(asked("update.chain", "mine")).toThrow("update.chain");
  });

  it("allows a handler its own parameters", () => {
    expect(() => checkParameters(new URLSearchParams("terms.fl=title"), ["terms.fl"])).not.toThrow();
  });
});
