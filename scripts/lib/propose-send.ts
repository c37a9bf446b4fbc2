import { createHash } from "node:crypto";
import { fingerprint } from "../../src/catalog/editing/same-values.ts";
import { type CatalogRecord, type Json, isObject } from "../../src/catalog/record.ts";
import { CommandError } from "./command.ts";
import { Journal } from "./journal.ts";
import type { Difference } from "./propose-differences.ts";
import type { Source, SourceAnswer } from "./propose-source.ts";

/** Pages of proposals, and proposals on each, that are read to find one that was sent before. */
const PAGES_MAX = 100;
const PAGE_PROPOSALS = 100;
/** States in which a proposal may be whose acknowledgement was lost. */
const STATES = ["open", "accepted", "declined", "withdrawn"];

/** Outcome of sending a record. `changed`: nothing was stored, because the source has a newer revision. */
export interface Delivery {
  outcome: "sent" | "known" | "changed" | "refused";
  detail: string;
}

interface Sent {
  /** Hash of the changes. */
  hash: string;
  /** Number of the proposal, 0 for an edit; null until the source has acknowledged it. */
  id: number | null;
  /** Proposal of other changes of the record, which this one replaces. */
  before?: number | null;
}

interface Proposal {
  id: number;
  key: string;
  revision: number;
  changes: CatalogRecord;
  state: string;
  note: string;
}

export interface Sender {
  send(difference: Difference, comment: string): Promise<Delivery>;
}

/** Remembers which corrections a source got, by key of the record. Written before and after each of them. */
class SentJournal {
  #journal;
  #sent: Record<string, Sent>;

  constructor(source: string) {
    this.#journal = new Journal<Record<string, Sent>>(source, "propose-");
    this.#sent = this.#journal.read() ?? {};
  }

  find(key: string): Sent | undefined {
    return Object.hasOwn(this.#sent, key) ? this.#sent[key] : undefined;
  }

  set(key: string, sent: Sent) {
    this.#sent[key] = sent;
    this.#journal.write(this.#sent);
  }
}

/** Sends proposals to another Carrel, with a personal token. */
export class ProposalSender implements Sender {
  #source;
  #journal;
  #open: Map<string, Proposal[]> | undefined;

  constructor(source: Source, token: string) {
    source.authorize({ Authorization: `Bearer ${token}` });
    this.#source = source;
    this.#journal = new SentJournal(source.url);
  }

  async send({ key, changes, there }: Difference, comment: string): Promise<Delivery> {
    const hash = hashOf(changes);
    const earlier = this.#journal.find(key);
    const known = await this.#findKnown(key, hash, earlier);
    const before = (earlier?.hash === hash ? earlier.before : (earlier?.id ?? earlier?.before)) ?? null;
    if (known !== undefined && (known.state !== "open" || known.revision === there)) {
      await this.#conclude(key, { hash, id: known.id, before });
      const { id, state, note } = known;
      return {
        outcome: "known",
        detail: `${this.#source.url}/proposals/${id} is ${state}${note && `: ${note}`}`,
      };
    }
    // One for an older revision can no longer be accepted.
    const intent = { hash, id: null, before: known?.id ?? before };
    this.#journal.set(key, intent);
    const json = { key, revision: there, changes, comment };
    const answer = await this.#source.send("POST", "/proposals.json", { json });
    const id = isObject(answer.json) ? answer.json["id"] : undefined;
    if (typeof id !== "number") return refusalOf(answer);
    await this.#conclude(key, { ...intent, id });
    return { outcome: "sent", detail: `${this.#source.url}/proposals/${id}` };
  }

  /** Remembers a proposal, and withdraws the one that it replaces; refused if that was decided meanwhile. */
  async #conclude(key: string, { hash, id, before }: Sent) {
    if (before && before !== id) {
      const json = { decision: "withdraw" };
      await this.#source.send("POST", `/proposals/${before}.json`, { json });
    }
    this.#journal.set(key, { hash, id });
  }

  /** Returns the proposal of these changes, if the source has one. */
  async #findKnown(key: string, hash: string, earlier: Sent | undefined): Promise<Proposal | undefined> {
    const isSame = (proposal: Proposal) => proposal.key === key && hashOf(proposal.changes) === hash;
    if (earlier?.hash !== hash) {
      this.#open ??= Map.groupBy(await this.#list("open"), (proposal) => proposal.key);
      return this.#open.get(key)?.find(isSame);
    }
    if (earlier.id !== null) {
      const { status, json } = await this.#source.send("GET", `/proposals/${earlier.id}.json`);
      return status === 200 ? (json as Proposal) : undefined;
    }
    for (const state of STATES) {
      const found = (await this.#list(state)).find(isSame);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  async #list(state: string): Promise<Proposal[]> {
    const found: Proposal[] = [];
    for (let page = 1; page <= PAGES_MAX; page += 1) {
      const path = `/proposals.json?state=${state}&limit=${PAGE_PROPOSALS}&page=${page}`;
      const answer = await this.#source.send("GET", path);
      if (answer.status === 404)
        throw new CommandError(`${this.#source.url} takes no proposals: use --as edit.`);
      if (answer.status !== 200) throw new CommandError(`${path} answered ${messageOf(answer)}`);
      const { entries } = answer.json as { entries: Proposal[] };
      found.push(...entries);
      if (entries.length < PAGE_PROPOSALS) break;
    }
    return found;
  }
}

/** Saves records in a service that takes no proposals, with a pair of keys. */
export class EditSender implements Sender {
  #source;
  #journal;
  #keys: Record<"access" | "secret", string> | undefined;

  constructor(source: Source, keys: Record<"access" | "secret", string>) {
    this.#source = source;
    this.#journal = new SentJournal(source.url);
    this.#keys = keys;
  }

  async send({ key, changes, there }: Difference, comment: string): Promise<Delivery> {
    const hash = hashOf(changes);
    const earlier = this.#journal.find(key);
    if (earlier?.hash === hash && earlier.id !== null)
      return { outcome: "known", detail: "saved before, and changed back there" };
    await this.#logIn();
    const theirs = (await this.#source.readRecords([key])).get(key);
    if (theirs?.["revision"] !== there) return { outcome: "changed", detail: "" };
    this.#journal.set(key, { hash, id: null });
    const members: [string, Json | undefined][] = Object.entries({
      ...theirs,
      ...changes,
      _comment: comment,
    });
    const answer = await this.#source.send("PUT", `${encodeURI(key)}.json`, {
      json: Object.fromEntries(members.filter(([, value]) => value !== null)),
      headers: { "If-Match": `"${there}"` },
    });
    if (answer.status !== 200) return refusalOf(answer);
    this.#journal.set(key, { hash, id: 0 });
    return { outcome: "sent", detail: `saved ${this.#source.url}${key}` };
  }

  async #logIn() {
    if (this.#keys === undefined) return;
    const answer = await this.#source.send("POST", "/account/login", { json: this.#keys });
    const cookies = answer.cookies.map((cookie) => cookie.split(";")[0]);
    if (answer.status >= 400 || cookies.length === 0)
      throw new CommandError(`${this.#source.url} refused the login: ${messageOf(answer)}`);
    this.#keys = undefined;
    this.#source.authorize({ Cookie: cookies.join("; ") });
  }
}

function hashOf(changes: CatalogRecord) {
  return createHash("sha256").update(fingerprint(changes)).digest("hex").slice(0, 24);
}

/** Throws if the credentials are refused: each further record would be, too. */
function refusalOf(answer: SourceAnswer): Delivery {
  const { status } = answer;
  if (status === 401 || status === 403) throw new CommandError(`Not allowed there: ${messageOf(answer)}`);
  return { outcome: status === 409 ? "changed" : "refused", detail: messageOf(answer) };
}

function messageOf({ status, json, text }: SourceAnswer) {
  const message = isObject(json) ? json["message"] : undefined;
  return `${status}: ${typeof message === "string" ? message : text.slice(0, 300)}`;
}
