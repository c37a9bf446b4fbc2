/** Files of a dump, and parts of them, from the main site. */
import { begin, filesOf, published } from "../../scripts/lib/dump-client.mjs";
import { anyOf, below } from "../lib/hostile.mjs";
import { operationsOf } from "../openapi/description.mjs";
import { requestOf } from "../openapi/requests.mjs";

/** @import { Random } from "../lib/hostile.mjs" */
/** @import { Target } from "./targets.mjs" */

const PATH = "/data/{name}";

/**
 * Dumps the catalog first. What is answered has to be what stands there in the file.
 * @param {any} site description of the main site
 * @param {{ url: string, token: string }} service
 * @returns {Promise<Target>}
 */
export async function dumps(site, service) {
  const files = await dumped(service);
  const document = { ...site, paths: { [PATH]: site.paths[PATH] } };
  const latest = [...files.values()].map(({ name }) => name.replace(/\d{4}-\d\d-\d\d/, "latest"));
  const name = [...[...files.values()].map((file) => file.name), ...latest, "x"];
  return {
    name: "files of dumps",
    document,
    operations: operationsOf(document),
    isService: false,
    request(operation, { random, pool }) {
      const byName = { ...pool.byName, name };
      const made = requestOf(operation, { random, pool: { ...pool, byName } });
      const { bytes, etag } = anyOf(random, [...files.values()]);
      /** @type {Record<string, string>} */
      const headers = { ...made.headers, Range: range(bytes.length, random) };
      if (random() < 0.2) headers["If-Range"] = anyOf(random, [etag, '"x"', "W/x"]);
      return { ...made, headers };
    },
    problem({ status, headers, body }) {
      const bytes = files.get(String(headers.etag))?.bytes;
      if (![200, 206].includes(status) || bytes === undefined || body.length === 0) return undefined;
      const [, from = 0, to = bytes.length - 1] = CONTENT_RANGE.exec(headers["content-range"] ?? "") ?? [];
      const isPart = body.equals(bytes.subarray(Number(from), Number(to) + 1));
      return isPart ? undefined : `not bytes ${from} to ${to} of the file`;
    },
  };
}

const CONTENT_RANGE = /^bytes (\d+)-(\d+)\/\d+$/;

/**
 * The files of a dump by their entity tags.
 * @param {{ url: string, token: string }} service
 */
async function dumped(service) {
  const target = { ...service, fetch };
  const { dump } = await begin(target, { kind: "full" });
  await published(dump, target, () => undefined);
  /** @type {Map<string, { name: string, bytes: Buffer, etag: string }>} */
  const files = new Map();
  for (const { name } of await filesOf(dump, target)) {
    const response = await fetch(`${service.url}/data/${name}`);
    const etag = response.headers.get("ETag") ?? "";
    files.set(etag, { name, bytes: Buffer.from(await response.arrayBuffer()), etag });
  }
  return files;
}

/** What is asked for of so many bytes: the end and the beginning, as programs read Parquet, parts, and what is no part. */
function range(/** @type {number} */ size, /** @type {Random} */ random) {
  const [one, other] = [below(random, size + 2), below(random, size + 2)];
  return anyOf(random, [
    "bytes=-8",
    "bytes=0-3",
    `bytes=-${one}`,
    `bytes=${one}-`,
    `bytes=${Math.min(one, other)}-${Math.max(one, other)}`,
    `bytes=${one}-${other}`,
    `bytes=${size - 1}-${size}`,
    `bytes=${one}-${one},${other}-`,
    "bytes=99999999999999999999-",
    "bytes=--1",
    "lines=1-2",
  ]);
}
