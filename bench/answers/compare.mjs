/** Compares two records, request by request. */
import { isDeepStrictEqual } from "node:util";
import { readLines } from "./lines.mjs";

/** @import { Line } from "./lines.mjs" */

/** How much of two texts is shown from where they part. */
const SHOWN_BEFORE = 30;
const SHOWN_AFTER = 90;

/**
 * Prints each difference; the number of them.
 * @param {{ before: string, after: string, shown: number }} options `shown`: so many differences are printed
 */
export async function compareRecords({ before, after, shown }) {
  const others = readLines(after);
  let [requests, differences] = [0, 0];
  for await (const line of readLines(before)) {
    requests += 1;
    const other = (await others.next()).value;
    const found = other === undefined ? ["the other record ends here"] : differencesOf(line, other);
    if (found.length === 0) continue;
    differences += 1;
    if (differences > shown) continue;
    const { by, at, method, target } = line.asked;
    console.log(`\n${requests} ${at} ${method} ${target.slice(0, 150)} by ${by}`);
    for (const one of found) console.log(`  ${one}`);
    if (other === undefined) break;
  }
  if ((await others.next()).done !== true) throw new Error(`${after} goes on after ${requests} requests`);
  console.log(`${requests} requests, ${differences} with another answer`);
  return differences;
}

/** @param {Line} before @param {Line} after @returns {string[]} */
function differencesOf(before, after) {
  if (!isDeepStrictEqual(before.asked, after.asked)) return ["another request"];
  const [{ answer: a }, { answer: b }] = [before, after];
  if (a === undefined || b === undefined) return ["no answer"];
  const names = new Set([...Object.keys(a.headers), ...Object.keys(b.headers)]);
  return [
    differenceOf("status", a.status, b.status),
    ...[...names].map((name) => differenceOf(name, a.headers[name], b.headers[name])),
    differenceOf("body", a.body, b.body),
    differenceOf("problem", a.problem, b.problem),
  ].flatMap((one) => one ?? []);
}

/** @param {string} name @param {unknown} before @param {unknown} after */
function differenceOf(name, before, after) {
  if (isDeepStrictEqual(before, after)) return undefined;
  const [a, b] = [before, after].map((one) =>
    typeof one === "string" ? one : (JSON.stringify(one) ?? "nothing"),
  );
  const place = Math.max(0, partingOf(a ?? "", b ?? "") - SHOWN_BEFORE);
  const [was, is] = [a, b].map((one) =>
    JSON.stringify((one ?? "").slice(place, place + SHOWN_BEFORE + SHOWN_AFTER)),
  );
  return `${name}${place === 0 ? "" : `, from ${place}`}: ${was} -> ${is}`;
}

/** Where two texts part. @param {string} a @param {string} b */
function partingOf(a, b) {
  let place = 0;
  while (place < a.length && a[place] === b[place]) place += 1;
  return place;
}
