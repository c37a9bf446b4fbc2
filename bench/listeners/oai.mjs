/** Requests of harvesters (OAI-PMH) to the main site: sound ones, of which each argument may be replaced or doubled. */
import { anyOf, below } from "../lib/hostile.mjs";
import { strange } from "../openapi/values.mjs";
import { operationsOf } from "../openapi/description.mjs";
import { requestOf } from "../openapi/requests.mjs";

/** @import { Random } from "../lib/hostile.mjs" */
/** @import { Target } from "./targets.mjs" */

const PATH = "/oai";
const VERBS = "Identify ListMetadataFormats ListSets GetRecord ListIdentifiers ListRecords".split(" ");
const VALUES = {
  metadataPrefix: ["oai_dc", "marc21", "mods"],
  from: ["2026-01-01", "2026-01-01T00:00:00Z", "0000-01-01", "2026-02-30"],
  until: ["2030-01-01", "2030-01-01T00:00:00Z", "9999-12-31", "-1"],
  set: [
    "books",
    "works",
    "languages~eng",
    "subjects~love",
    "subjects~person!3Ajane_austen",
    "lists~OL1L",
    "!",
  ],
  identifier: ["oai:127.0.0.1:OL101M", "oai:127.0.0.1:OL101W", "oai:127.0.0.1:OL0M", "oai:::"],
};
/** Tokens that are kept to be sent again. */
const TOKENS_MAX = 200;
const ANSWER = /^<\?xml[^>]*>\n<OAI-PMH [^>]*>[^]*<request[^]*<\/OAI-PMH>\n$/;

/**
 * `/oai` of the main site, by GET and by form.
 * @param {any} site description of the main site
 * @returns {Target}
 */
export function harvesters(site) {
  const document = { ...site, paths: { [PATH]: site.paths[PATH] } };
  /** @type {string[]} */
  const tokens = [];
  return {
    name: "harvesters",
    document,
    operations: operationsOf(document),
    isService: false,
    request(operation, means) {
      const made = requestOf(operation, means);
      if (!made.isSound || means.random() < 0.1) return made;
      const sent = argumentsOf(means.random, tokens).toString();
      if (made.method !== "POST") return { ...made, target: `${PATH}?${sent}` };
      const body = Buffer.from(sent);
      const headers = {
        "Content-Type": "application/x-www-form-urlencoded",
        "Content-Length": String(body.length),
      };
      return { ...made, target: PATH, headers, body };
    },
    problem(received) {
      const text = received.body.toString();
      if (received.status !== 200 || text === "") return undefined;
      const [, token] = /<resumptionToken[^>/]*>([^<]+)/.exec(text) ?? [];
      if (token !== undefined && tokens.length < TOKENS_MAX) tokens.push(token);
      return ANSWER.test(text) ? undefined : "no answer of the protocol";
    },
  };
}

/** @param {Random} random @param {readonly string[]} tokens */
function argumentsOf(random, tokens) {
  const verb = anyOf(random, VERBS);
  /** @type {[string, string][]} */
  const sent = [["verb", verb]];
  if (verb.startsWith("List") && tokens.length > 0 && random() < 0.3) {
    sent.push(["resumptionToken", damaged(random, anyOf(random, tokens))]);
  } else {
    for (const [name, values] of Object.entries(VALUES)) {
      const isNeeded = (name === "metadataPrefix") === /Record|Identifiers/.test(verb);
      if (random() < (isNeeded ? 0.8 : 0.2)) sent.push([name, anyOf(random, values)]);
    }
  }
  const at = below(random, sent.length);
  const share = random();
  const one = sent[at];
  if (one !== undefined && share < 0.1) sent.push(one);
  else if (one !== undefined && share < 0.25) sent[at] = [one[0], strange(random)];
  else if (share < 0.3) sent.push([strange(random), strange(random)]);
  return new URLSearchParams(sent);
}

/** @param {Random} random @param {string} token */
function damaged(random, token) {
  if (random() < 0.6) return token;
  const at = below(random, token.length);
  return token.slice(0, at) + anyOf(random, ["", "A", ".", "-", "%"]) + token.slice(at + 1);
}
