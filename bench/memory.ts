// Memory of `npm start` under a steady load of users: resident megabytes of npm, Node and the runtime, by minute:
// `npm run bench -- memory [--minutes 60] [--rate 100] [--works 3000]`.
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { DEVELOPMENT_ACCOUNTS } from "../scripts/lib/bootstrap.ts";
import { updateIndex } from "../scripts/lib/index-client.ts";
import { sendLines } from "../scripts/lib/load-client.ts";
import { knownToken } from "../scripts/lib/local-state.ts";
import { ServiceProcess, listGroup } from "../scripts/lib/service-process.ts";
import { catalogLines, isbn13 } from "./lib/catalog.ts";
import { percentiles } from "./lib/latency.ts";
import { login } from "./lib/patrons.ts";
import { randomFrom } from "./lib/random.ts";

const READY_SECONDS = 120;
/** Interval at which requests are sent, in milliseconds. */
const TICK_MS = 10;
/** Requests under way beyond which no more are sent: the service is overloaded. */
const UNDER_WAY_MAX = 200;
/** Words that are searched for, and of titles. */
const WORDS = ["river", "night", "garden", "letters", "silver", "winter", "voyage", "mirror", "island"];

interface UserRequest {
  path: string;
  method?: "GET" | "PUT" | "POST";
  body?: object;
}

export async function benchMemory({
  minutes,
  rate,
  works,
  seed,
}: {
  minutes: number;
  rate: number;
  works: number;
  seed: number;
}) {
  const state = await mkdtemp(path.join(os.tmpdir(), "carrel-memory-"));
  const service = new ServiceProcess("npm", ["start", "--", "--port", "0", "--state", state]);
  try {
    const url = await service.ready(READY_SECONDS);
    const target = { url, token: (await knownToken(state)) ?? "", fetch };
    await sendLines(catalogLines(works), target);
    await updateIndex(target, { quiet: true });
    const cookies = await Promise.all(DEVELOPMENT_ACCOUNTS.map((name) => login(url, name)));
    console.log("minute\tnpm\tNode\tworkerd\tall\trequests\tfailed\tp50\tp95");
    printMinute(0, service, []);
    const load = new UserLoad({ url, cookies, works, random: randomFrom(seed) });
    for (let minute = 1; minute <= minutes; minute += 1) {
      await load.run(rate);
      printMinute(minute, service, load.takeTimes());
    }
  } finally {
    service.kill();
    await rm(state, { recursive: true, force: true });
  }
}

/** Sends requests as users make them at a fixed rate, whether or not earlier ones were answered. */
class UserLoad {
  #options;
  #underWay = 0;
  /** Time of each answer in milliseconds; infinite for failures. */
  #times: number[] = [];

  constructor(options: { url: string; cookies: string[]; works: number; random: () => number }) {
    this.#options = options;
  }

  takeTimes() {
    return this.#times.splice(0);
  }

  /** Sends requests for a minute. */
  async run(rate: number) {
    const started = performance.now();
    let sent = 0;
    for (let elapsed = 0; elapsed < 60_000; elapsed = performance.now() - started) {
      for (; sent < (elapsed / 1000) * rate; sent += 1) {
        if (this.#underWay < UNDER_WAY_MAX) void this.#send(this.#next());
        else this.#times.push(Infinity);
      }
      await sleep(TICK_MS);
    }
  }

  async #send({ path: address, method = "GET", body }: UserRequest) {
    const { url, cookies, random } = this.#options;
    const started = performance.now();
    this.#underWay += 1;
    // Half of the readers are logged in. The first account may write.
    const patron = Math.floor(random() * cookies.length);
    const cookie =
      method === "PUT" ? cookies[0] : body !== undefined || random() < 0.5 ? cookies[patron] : "";
    try {
      const response = await fetch(url + address, {
        method,
        headers: { Cookie: cookie ?? "", "Content-Type": "application/json" },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      await response.arrayBuffer();
      this.#times.push(response.ok ? performance.now() - started : Infinity);
    } catch {
      this.#times.push(Infinity);
    }
    this.#underWay -= 1;
  }

  /** Chooses a request: of ten, three records, two pages, three searches, one lookup, one write. */
  #next(): UserRequest {
    const { random, works } = this.#options;
    const n = 1 + Math.floor(random() * works);
    const word = WORDS[n % WORDS.length] ?? "";
    const paths = [
      `/works/OL${n}W.json`,
      `/books/OL${2 * n - 1}M.json`,
      `/authors/OL${Math.ceil(n / 2)}A/works.json`,
      `/works/OL${n}W`,
      `/authors/OL${Math.ceil(n / 2)}A`,
      `/search.json?q=${word}+${n}`,
      `/search?q=${word}`,
      `/search.json?q=title:${word}&sort=new&fields=key,title,author_name`,
      `/api/books.json?bibkeys=ISBN:${isbn13(2 * n - 1)}&jscmd=data`,
    ];
    const address = paths[Math.floor(random() * (paths.length + 1))];
    if (address !== undefined) return { path: address };
    if (random() < 0.7) {
      const body = { bookshelf_id: String(1 + Math.floor(random() * 3)), dont_remove: "true" };
      return { method: "POST", path: `/works/OL${n}W/bookshelves.json`, body };
    }
    const key = `/works/OL${n}W`;
    const body = {
      key,
      type: { key: "/type/work" },
      title: `The ${word} of ${n} ${Math.floor(random() * n)}`,
    };
    return { method: "PUT", path: `${key}.json`, body };
  }
}

function printMinute(minute: number, service: ServiceProcess, times: number[]) {
  const sizes = residentMegabytes(service.pid ?? 0);
  const all = sizes.reduce((sum, size) => sum + size, 0);
  const answered = times.filter((time) => time !== Infinity);
  const { p50, p95 } = percentiles(answered);
  const figures = [...sizes, all, times.length, times.length - answered.length, p50, p95];
  console.log([minute, ...figures.map((figure) => Math.round(figure))].join("\t"));
}

/** Returns the resident megabytes of npm, Node and the runtime in a process group. */
function residentMegabytes(group: number) {
  const sizes: [npm: number, node: number, runtime: number] = [0, 0, 0];
  for (const { pid, name, residentBytes } of listGroup(group)) {
    sizes[pid === group ? 0 : name === "workerd" ? 2 : 1] += residentBytes / 2 ** 20;
  }
  return sizes;
}
