import { readFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "../../../scripts/lib/paths.ts";
import { type Engine, lookedAt } from "./growth.ts";

/** Works of the small catalog and of the large one, such as `20000,200000`. */
const { GROWTH_WORKS: ASKED } = process.env;
const [SMALL = 0, LARGE = 0] = (ASKED ?? "800,4000").split(",").map(Number);
const LISTED = /^- \*\*(.+?)\*\* `(.+?)`: \S/gm;

/** Statements that read more rows in a larger catalog, against the list in test/wire/growth.md. */
export interface Growth {
  /** Statements that are not listed, with their rows in both catalogs. */
  readonly unlisted: readonly string[];
  /** Texts of the list that are in no statement that grows; the list is for the usual sizes. */
  readonly vain: readonly string[];
  /** Number of statements that were measured. */
  readonly statements: number;
}

/** Asks a service with few works and one with many for everything. */
export async function growthOf(engine: Engine): Promise<Growth> {
  const small = await lookedAt(engine, SMALL);
  const large = await lookedAt(engine, LARGE);
  // A statement that grows with the catalog reads most of the added rows, not just a few more.
  const few = (LARGE - SMALL) / 10;
  const grown = [...large].filter(([sql, rows]) => rows > 2 * (small.get(sql) ?? 0) + few);
  const listed = listedTexts(engine);
  const texts = listed.map(({ text }) => text);
  // A sweep may have kept the answer before the statements were recorded.
  const expected = listed.filter(({ isKept }) => !isKept).map(({ text }) => text);
  const unlisted = grown.filter(([sql]) => !texts.some((text) => sql.includes(text)));
  return {
    unlisted: unlisted.map(([sql, rows]) => `${small.get(sql) ?? 0} -> ${rows}: ${sql}`),
    vain: ASKED !== undefined ? [] : expected.filter((text) => !grown.some(([sql]) => sql.includes(text))),
    statements: large.size,
  };
}

function listedTexts(engine: Engine): { text: string; isKept: boolean }[] {
  const text = readFileSync(path.join(ROOT, "test/wire/growth.md"), "utf8");
  return [...text.matchAll(LISTED)].flatMap(([, marks = "", part = ""]) => {
    const words = marks.split(", ");
    return words.includes(engine) ? [{ text: part, isKept: words.includes("kept") }] : [];
  });
}
