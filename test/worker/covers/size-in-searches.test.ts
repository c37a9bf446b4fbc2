// Q526
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { formatDatetime } from "../../../src/catalog/datetime.ts";
import { insertPendingCover } from "../../../src/db/covers/write-covers.ts";
import { prepare } from "../../../src/db/statement.ts";
import { fetchCover } from "../../../src/worker/covers/jobs.ts";
import { jobsOf } from "../../../src/worker/http/queue.ts";
import { refreshIndex } from "../../../src/worker/indexing/refresh.ts";
import { pngImage } from "../../support/covers/real-images.ts";
import { fakeNetwork } from "../../support/worker/outbound.ts";
import { edition, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
const network = fakeNetwork();
const jobs = jobsOf(env);
const ADDRESS = "https://archive.org/services/img/a";

async function found(): Promise<unknown> {
  await refreshIndex(jobs);
  const fields = "cover_i,cover_width,cover_height,editions";
  return Object(await service.json(`/search.json?q=sized&sort=old&fields=${fields}`))["docs"];
}

it("searches return a cover's size as soon as its image is stored", async () => {
  await service.load(
    work(1, { title: "Sized" }),
    edition(1, { work: 1, title: "Sized", covers: [501], publish_date: "2001" }),
    edition(2, { title: "Sized alone", covers: [502], publish_date: "2002" }),
    work(3, { title: "Sized elsewhere", covers: [9] }),
    edition(3, { work: 3, title: "Sized elsewhere", publish_date: "2003" }),
  );
  network.answer({ [ADDRESS]: () => new Response(pngImage(30, 40)) });
  for (const id of [501, 502]) {
    const cover = { id, olid: `OL${id - 500}M`, sourceUrl: ADDRESS, author: null, ip: null };
    await prepare(
      env.CATALOG,
      insertPendingCover({ ...cover, now: formatDatetime(Date.now() - 1000) }),
    ).run();
  }
  const shown = (size: object) => {
    const editions = { docs: [expect.objectContaining({ cover_i: 501, ...size })] };
    return [
      { cover_i: 501, ...size, editions: expect.objectContaining(editions) },
      { cover_i: 502, ...size, editions: expect.anything() },
      // No cover has this number.
      { cover_i: 9, editions: expect.anything() },
    ];
  };
  expect(await found()).toEqual(shown({}));
  for (const id of [501, 502]) await fetchCover(id, jobs);
  expect(await found()).toEqual(shown({ cover_width: 30, cover_height: 40 }));
});
