// Another service as followers see it. Shapes as the reference sends them: numbers of changes are texts, deleted records are
// missing among many.
import { OPERATOR } from "./import-queue.ts";
import { type Answers, fakeNetwork } from "./outbound.ts";
import type { TestService } from "./service.ts";

export const SOURCE = "https://there.example";
/** The day of the tests' clock. */
export const TODAY = "2026-11-21";
export const SINCE = { since: TODAY };

interface Named {
  readonly key: string;
  readonly revision: number;
}

export const change = (id: number, ...changes: Named[]) => ({
  id: String(id),
  kind: "edit-book",
  timestamp: `${TODAY}T01:02:03.000000`,
  comment: "added a subject",
  changes,
  author: { key: "/people/jane" },
  ip: null,
  data: {},
});

const time = (second: number) => ({
  type: "/type/datetime",
  value: `2026-11-20T00:00:${String(second).padStart(2, "0")}.000000`,
});

export function record(key: string, revision: number, members: Record<string, unknown> = {}) {
  const kind = { W: "work", M: "edition", A: "author" }[key.at(-1) ?? ""] ?? "object";
  return {
    key,
    type: { key: `/type/${kind}` },
    ...members,
    latest_revision: revision,
    revision,
    created: time(0),
    last_modified: time(revision),
  };
}

export const pageAt = (offset = 0, day = TODAY) =>
  `${SOURCE}/recentchanges/${day.replaceAll("-", "/")}.json?limit=${offset === 0 ? 100 : 1000}&offset=${offset}`;
export const manyAt = (...keys: string[]) =>
  `${SOURCE}/api/get_many?keys=${encodeURIComponent(JSON.stringify(keys))}`;
export const many = (...records: readonly { readonly key?: unknown }[]) => ({
  status: "ok",
  result: Object.fromEntries(records.map((one) => [one.key, one])),
});

export const W1 = record("/works/OL1W", 2, { title: "One" });

/** The network of a test that follows. */
export function followedNetwork() {
  const network = fakeNetwork();
  return {
    ...network,
    /** The other service answers so from here on: JSON with 200, or a response. */
    answers(all: Record<string, unknown>): void {
      const told = Object.entries(all).map(([address, value]): [string, Answers[string]] => [
        address,
        () => (value instanceof Response ? value.clone() : Response.json(value)),
      ]);
      network.answer(Object.fromEntries(told));
    },
  };
}

/** Returns the response of `POST /system/follow`. Throws unless the status is 200. */
export async function followBy(service: TestService, wish: object = {}): Promise<Record<string, unknown>> {
  const body = JSON.stringify({ source: SOURCE, rate: 1000, ...wish });
  const headers = { ...OPERATOR, "Content-Type": "application/json" };
  const response = await service.fetch("/system/follow", { method: "POST", body, headers });
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  return response.json();
}
