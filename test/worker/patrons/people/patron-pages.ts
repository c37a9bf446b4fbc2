import { expect } from "vitest";
import { jsonOf } from "../../../support/worker/accounts.ts";
import { type LoggedIn, loggedIn } from "../../../support/worker/logged-in.ts";
import { settleIndexQueue } from "../../../support/worker/queues.ts";
import type { TestService } from "../../../support/worker/service.ts";

const HTML = { headers: { Accept: "text/html" } };

type Fetching = Pick<LoggedIn, "fetch">;

/** Joe with a public reading log, and Ann with a private one, in a catalog of thirty works and one that is deleted. */
export async function joeAndAnn(service: TestService): Promise<{ joe: LoggedIn; ann: LoggedIn }> {
  const joe = await loggedIn(service, "Joe");
  const ann = await loggedIn(service, "Ann");
  await show(joe, "yes");
  await show(ann, "no");
  await service.load(
    { key: "/authors/OL1A", type: "/type/author", name: "A. Writer" },
    ...Array.from({ length: 30 }, (_, index) => ({
      key: `/works/OL${index + 1}W`,
      type: "/type/work",
      title: index === 0 ? "<b>Bold</b> & Co" : `Work ${index + 1}`,
      authors: [{ author: { key: "/authors/OL1A" } }],
      subjects: index % 2 === 0 ? ["Even things"] : ["Odd things"],
    })),
    { key: "/works/OL40W", type: "/type/delete" },
  );
  await settleIndexQueue();
  return { joe, ann };
}

/** Shows or hides a patron's reading log. */
export function show(who: LoggedIn, value: "yes" | "no"): Promise<Response> {
  return who.fetch("/account/preferences.json", jsonOf({ public_readlog: value }));
}

/** Reads a page as a patron or an anonymous client. */
export async function pageFor(who: Fetching, path: string): Promise<string> {
  const answer = await who.fetch(path, HTML);
  expect([path, answer.status]).toEqual([path, 200]);
  expect(answer.headers.get("Cache-Control")).toBe("private, no-store");
  return answer.text();
}

/** Returns status and redirect target of a page. */
export async function locationFor(who: Fetching, path: string): Promise<[number, string | null]> {
  const answer = await who.fetch(path, HTML);
  return [answer.status, answer.headers.get("Location")];
}
