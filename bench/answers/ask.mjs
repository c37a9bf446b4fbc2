/** Sends the requests of a list one after the other, each when all that came of the one before is done. */
import { clientOf } from "./openapi/client.mjs";
import { answerOf } from "./answer.mjs";
import { bytesOf, filled } from "./lines.mjs";
import { BEGIN_MS, STEP_MS, TIME_HEADER, WAIT_HEADER } from "./steady.mjs";

/** @import { Received } from "./openapi/client.mjs" */
/** @import { Asked, Kept, Line } from "./lines.mjs" */
/** @import { Service } from "./service.mjs" */

/** How services are called in requests, whatever their ports are. */
const HOSTS = {
  main: "127.0.0.1:8080",
  record: "127.0.0.1:7000",
  search: "127.0.0.1:8983",
  cover: "127.0.0.1:7075",
};

/**
 * @param {Service} service
 * @param {AsyncIterable<Line> | Iterable<Line>} lines
 * @returns {AsyncGenerator<Required<Line>>}
 */
export async function* answersTo({ addresses }, lines) {
  const clients = Object.fromEntries(
    Object.entries(addresses).map(([name, url]) => [name, clientOf(url, 1)]),
  );
  /** @type {Map<string, string>} */
  const names = new Map();
  let number = 0;
  try {
    for await (const { asked } of lines) {
      number += 1;
      const received = await clients[asked.at]?.send(requestOf(asked, { number, names }));
      if (received === undefined) throw new Error(`nobody is called ${asked.at}`);
      for (const [name, kept] of Object.entries(asked.keep ?? {})) names.set(name, textKept(kept, received));
      yield { asked, answer: answerOf(received) };
      const left = await (await fetch(addresses.main, { headers: { [WAIT_HEADER]: "1" } })).text();
      if (left !== "0") console.error(`${number}: ${asked.method} ${asked.target}: ${left} calls do not end`);
    }
  } finally {
    for (const client of Object.values(clients)) client.close();
  }
}

/** @param {Asked} asked @param {{ number: number, names: ReadonlyMap<string, string> }} circumstances */
function requestOf({ at, method, target, headers, body }, { number, names }) {
  const bytes = body === undefined ? undefined : bytesOf(body, names);
  const filledHeaders = Object.entries(headers).map(([name, value]) => [name, filled(value, names)]);
  return {
    method,
    target: filled(target, names),
    headers: {
      Host: HOSTS[at],
      // Budgets and blocks are by address: each request has its own.
      "CF-Connecting-IP": `198.18.${number >> 8}.${number & 255}`,
      ...Object.fromEntries(filledHeaders),
      [TIME_HEADER]: String(BEGIN_MS + number * STEP_MS),
      ...(bytes === undefined ? {} : { "Content-Length": String(bytes.length) }),
    },
    body: bytes,
  };
}

/** @param {Kept} kept @param {Received} received */
function textKept({ in: place, match }, { headers, cookies, body }) {
  const texts = place === "cookies" ? cookies : [headers.location ?? "", body.toString()];
  const expression = new RegExp(match);
  return (
    texts.flatMap((text) => expression.exec(text)?.slice(1) ?? []).find((found) => found !== undefined) ?? ""
  );
}
