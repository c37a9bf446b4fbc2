import { mkdtempSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { markOf } from "../../../scripts/lib/change-log.ts";
import { LoadJournal } from "../../../scripts/lib/journal.ts";

const ACKNOWLEDGED = { created: 5, updated: 0, unchanged: 0, kept: 0, rejected: 0 };
const BEGIN = "2026-11-20T10:00:00.000000";
const LATER = "2026-11-20T10:00:07.000000";

/** Reads the changes of a log with these times, the first of which is change 1. */
function logOf(...times: string[]): Parameters<LoadJournal["resume"]>[0] {
  const answer = async (url: string | URL | Request): Promise<Response> => {
    const { searchParams } = new URL(String(url));
    const since = Number(searchParams.get("since"));
    const changes = times.map((timestamp, index) => ({ id: index + 1, timestamp }));
    const limit = Number(searchParams.get("limit"));
    return Response.json({ end: times.length, changes: changes.slice(since, since + limit) });
  };
  return (id) => markOf({ url: "http://carrel.test", token: "", fetch: answer as typeof fetch }, id);
}

describe("the journal of a load", () => {
  let file = "";
  const journalOf = (): LoadJournal => new LoadJournal(file, "http://carrel.test");

  beforeEach(() => {
    file = path.join(mkdtempSync(path.join(os.tmpdir(), "carrel-journal-test-")), "dump.txt");
    writeFileSync(file, "");
  });

  it.each([
    ["resumed", "in the same log", [BEGIN, LATER, LATER]],
    ["other", "in an empty log", []],
    ["other", "in a log without its last change", [BEGIN]],
    ["other", "in a log with another change of this number", [BEGIN, BEGIN, LATER]],
  ])("is %s %s", async (outcome, _log, times) => {
    const journal = journalOf();
    expect(await journal.resume(logOf(BEGIN))).toBe("new");
    journal.add(1000, { ...ACKNOWLEDGED, mark: { id: 2, time: LATER } });
    journal.save();
    const next = journalOf();
    expect(await next.resume(logOf(...times))).toBe(outcome);
    expect(next.progress).toMatchObject(
      outcome === "other" ? { line: 0, created: 0 } : { line: 1000, created: 5 },
    );
    next.remove();
  });

  it("belongs to the log that it began in while all lines are stored already", async () => {
    const journal = journalOf();
    await journal.resume(logOf(BEGIN));
    journal.add(1000, ACKNOWLEDGED);
    journal.save();
    expect(await journalOf().resume(logOf(LATER))).toBe("other");
    expect(await journalOf().resume(logOf(BEGIN, LATER))).toBe("resumed");
    journal.remove();
  });
});
