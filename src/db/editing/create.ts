import { type WriteFailure, documentFailure } from "../../catalog/editing/failure.ts";
import { findMissingMember } from "../../catalog/editing/values.ts";
import { idOfKey, makeKey, sequenceOfType } from "../../catalog/key-numbers.ts";
import { type CatalogRecord, typeKeyOf } from "../../catalog/record.ts";
import {
  type RaisedSequence,
  type TakenNumbers,
  assignNumbers,
  reserveNumbers,
  takeNext,
} from "./numbers.ts";
import { findNotesFailures, findRequestFailures } from "./check-request.ts";
import type { CreateRequest, SaveResult } from "./request.ts";
import { type SaveAttempt, type Desk, attemptSave, repeatUntilSaved } from "./save.ts";

interface NewDocuments {
  readonly documents: readonly CatalogRecord[];
  readonly edits: readonly CatalogRecord[];
}

type CreationRequest = Omit<CreateRequest, "documents" | "edits">;

/** Creates records in one change and assigns keys in the order of the documents. These are the `keys` of the result. */
export async function createDocuments(
  desk: Desk,
  newDocuments: NewDocuments,
  request: CreationRequest,
): Promise<SaveResult> {
  const { documents, edits } = newDocuments;
  const failures = [
    ...findNotesFailures(request),
    ...findRequestFailures({ documents: [...documents, ...edits], expected: request.expected ?? {} }),
    ...documents.flatMap((document) => findNewFailure(document) ?? []),
  ];
  if (failures.length > 0) return { ok: false, failures };
  const creation = new Creation(desk, newDocuments, request);
  const result = await repeatUntilSaved(() => creation.attempt());
  return result.ok ? { ...result, keys: creation.keys } : result;
}

/** Returns the failure of a new document that can be found before keys are assigned. */
function findNewFailure(document: CatalogRecord): WriteFailure | undefined {
  const type = document["type"];
  if (type === undefined || type === null)
    return documentFailure({ key: "bad_data.new_type_missing" }, undefined);
  const key = typeKeyOf(document);
  if (key === undefined || sequenceOfType(key) === undefined) {
    return documentFailure({ key: "bad_data.new_type", values: { type: JSON.stringify(type) } }, undefined);
  }
  return findMissingMember(document);
}

/** Creation in progress. Keeps the assigned keys and numbers between attempts. */
class Creation {
  keys: string[] = [];
  private readonly ids = new Map<string, number>();
  private raised: readonly RaisedSequence[] = [];
  private attempts = 0;

  constructor(
    private readonly desk: Desk,
    private readonly newDocuments: NewDocuments,
    private readonly request: CreationRequest,
  ) {}

  async attempt(): Promise<SaveAttempt> {
    await this.assignKeys();
    const { request, keys, ids } = this;
    const attempt = await attemptSave(this.desk, {
      request: { ...request, data: replaceReferences(request.data, keys) },
      writer: request.writer,
      expected: request.expected ?? {},
      documents: resolveReferences([...this.addKeys(), ...this.newDocuments.edits], keys),
      assignedKeys: new Set(keys),
      raised: this.raised,
      ids,
    });
    // Numbers that are not reserved are given to others meanwhile.
    if ("taken" in attempt) this.dropKeys(this.raised.length > 0 ? keys : attempt.taken);
    else if (attempt.result.ok) for (const { name, to } of this.raised) this.desk.lastNumbers.set(name, to);
    return attempt;
  }

  private addKeys(): CatalogRecord[] {
    // Spread makes every member an own property, including `__proto__`, so that it is rejected later.
    return this.newDocuments.documents.map((document, index) => ({
      ...document,
      key: this.keys[index] ?? "",
    }));
  }

  /** Drops keys that are taken by records loaded or created in the meantime. Their documents get new ones. */
  private dropKeys(taken: readonly string[]): void {
    const dropped = new Set(taken);
    this.keys = this.keys.map((key) => (dropped.has(key) ? "" : key));
  }

  /**
   * Assigns a key to every document without one, and a number to keys that carry none. One round trip, or none if this
   * change may raise the sequences itself.
   */
  private async assignKeys(): Promise<void> {
    const { documents } = this.newDocuments;
    const types = documents.map((document) => typeKeyOf(document) ?? "");
    const missing = types.flatMap((type, index) => (this.keys[index] ? [] : [{ type, index }]));
    if (missing.length === 0) return;
    const names = missing.flatMap(({ type }) => this.sequencesOf(type));
    const { numbers: assigned, raised } = await assignNumbers(names, (counts) => this.takeNumbers(counts));
    this.raised = raised;
    const numbers = assigned.values();
    for (const { type, index } of missing) {
      const key = this.keyOf(type, numbers.next().value ?? 0);
      this.keys[index] = key;
      if (this.lacksNumber(type)) this.ids.set(key, numbers.next().value ?? 0);
    }
  }

  /** Takes numbers without a statement in the first attempt, if it knows all sequences and no other change waits. */
  private async takeNumbers(counts: ReadonlyMap<string, number>): Promise<TakenNumbers> {
    const { catalog, lastNumbers, mayRaise } = this.desk;
    this.attempts += 1;
    const isKnown = [...counts.keys()].every((name) => lastNumbers.has(name));
    if (this.attempts === 1 && mayRaise && isKnown) return takeNext(counts, lastNumbers);
    const numbers = await reserveNumbers(catalog, counts);
    for (const [name, all] of numbers) lastNumbers.set(name, all.at(-1) ?? 0);
    return { numbers, raised: [] };
  }

  private sequencesOf(type: string): string[] {
    const ofKey = sequenceOfType(type) ?? "";
    return this.lacksNumber(type) ? [ofKey, "record"] : [ofKey];
  }

  private lacksNumber(type: string): boolean {
    return idOfKey(this.keyOf(type, 1), this.desk.prefix) === undefined;
  }

  private keyOf(type: string, number: number): string {
    const { owner = this.request.writer.author } = this.request;
    const key = makeKey(type, { prefix: this.desk.prefix, number, owner });
    if (key === undefined) throw new Error(`no sequence for ${type}`);
    return key;
  }
}

/** Pattern of a reference to the n-th new document in JSON, but not inside a longer text. */
const NEW_REFERENCE = /(?<!\\)"\/__new__\/(\d{1,5})"/g;

function resolveReferences(
  documents: readonly CatalogRecord[],
  keys: readonly string[],
): readonly CatalogRecord[] {
  const text = JSON.stringify(documents);
  if (!text.includes('"/__new__/')) return documents;
  // The text remains an array of documents.
  return JSON.parse(replaceReferences(text, keys)) as CatalogRecord[];
}

function replaceReferences(text: string, keys: readonly string[]): string {
  return text.replace(NEW_REFERENCE, (match, place: string) => {
    const key = keys[Number(place)];
    return key === undefined ? match : JSON.stringify(key);
  });
}
