import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { type BackupOptions, type Manifest, checkFile, readLines, readManifest } from "./backup-files.ts";
import {
  type ObjectPart,
  type Table,
  addressOf,
  fileOf,
  listFiles,
  newestParts,
  noteOf,
  storedFiles,
  tablesOf,
} from "./backup-client.ts";
import { CommandError } from "./command.ts";
import { type Target, call } from "./service.ts";

/** Limits of a request: rows, lines, and their characters. */
const ROWS_AT_ONCE = 500;
const LINES_AT_ONCE = 20;
const CHARACTERS_AT_ONCE = 4_000_000;
const REQUESTS_AT_ONCE = 4;
/** Bytes of a request with a file or a part of one: the most that the service takes. */
const PART_BYTES = 32 * 1024 * 1024;

/** Text of a scanned book in the bucket `archive`. */
const TEXT_FILE = /^text\/([^/]+)\/[^/]+\.gz$/;

type Options = BackupOptions & {
  /** Lists of removed accounts besides that of the backup: `removed_account` tables of newer ones. */
  removed: readonly string[];
};

/** Writes what is not in the log of changes from a folder into a service. Repeating it changes nothing. */
export class RestoreClient {
  readonly #target: Target;
  readonly #options: Options;

  constructor(target: Target, options: Options) {
    this.#target = target;
    this.#options = options;
  }

  /** Returns numbers of what was restored; undefined if the folder has nothing but changes. */
  async run() {
    const { folder } = this.#options;
    const manifest = await readManifest(folder);
    if (manifest === undefined) return undefined;
    const rows = await this.#restoreTables(manifest);
    if (this.#options.catalogOnly === true) return { rows, patrons: 0, desks: 0, files: 0, removed: 0 };
    const accounts = await this.#accounts(manifest);
    const patrons = await this.#restoreObjects(manifest, "patrons", (name) => accounts.has(name));
    const desks = await this.#restoreObjects(manifest, "desks", () => true);
    const files = await this.#restoreFiles();
    const removed = await this.#removeAgain();
    return { rows, patrons, desks, files, removed };
  }

  async #restoreTables(manifest: Manifest) {
    const tables = await tablesOf(this.#target, this.#options);
    let sent = 0;
    for (const [index, { store, name }] of tables.entries()) {
      let first = true;
      const table = `/system/backup/tables/${store}/${name}`;
      const removed = name === "removed_account" ? this.#options.removed : [];
      for (const file of [...tableFiles(manifest, this.#options.folder, `${store}.${name}`), ...removed]) {
        for await (const lines of grouped(readLines(file, this.#options.identity), ROWS_AT_ONCE)) {
          const body = `{"first":${first},"rows":[${lines.join(",")}]}`;
          await call(this.#target, table, { method: "POST", body, type: "application/json" });
          first = false;
          sent += lines.length;
        }
      }
      this.#options.onProgress("tables", (index + 1) / tables.length, sent);
      if (name === "account") await this.#checkAccounts(manifest);
    }
    return sent;
  }

  /** Throws if the service has accounts that the backup does not have: it was not empty. */
  async #checkAccounts(manifest: Manifest) {
    const { tables }: { tables: Table[] } = await call(this.#target, "/system/backup?counts=true");
    const here = tables.find(({ name }) => name === "account")?.rows ?? 0;
    const known = noteOf(manifest, "patrons.account")?.rows ?? 0;
    if (here > known) {
      throw new CommandError(
        `${this.#target.url} has accounts that the backup does not have: it must be empty.`,
      );
    }
  }

  async #accounts(manifest: Manifest) {
    const names = new Set<string>();
    for (const file of tableFiles(manifest, this.#options.folder, "patrons.account")) {
      for await (const line of readLines(file, this.#options.identity))
        names.add(JSON.parse(line).username_folded);
    }
    return names;
  }

  async #restoreObjects(manifest: Manifest, kind: "patrons" | "desks", isWanted: (name: string) => boolean) {
    let [objects, waiting] = [0, [] as Promise<unknown>[]];
    const send = (lines: readonly string[]) =>
      call(this.#target, `/system/backup/${kind}`, {
        method: "POST",
        body: lines.join("\n"),
        type: "application/x-ndjson",
      });
    const options = this.#options;
    const parts = newestParts(manifest, kind, options);
    async function* wanted() {
      for await (const part of parts) {
        if (!isWanted(part.name)) continue;
        if (part.last) objects += 1;
        yield part;
      }
    }
    for await (const { group, isWhole } of groupedParts(wanted())) {
      // Parts of an object are sent in order.
      if (!isWhole) await Promise.all(waiting);
      waiting.push(send(group));
      if (!isWhole || waiting.length === REQUESTS_AT_ONCE) {
        await Promise.all(waiting);
        waiting = [];
      }
      options.onProgress(kind, 0, objects);
    }
    await Promise.all(waiting);
    return objects;
  }

  async #restoreFiles() {
    const { folder, onProgress } = this.#options;
    const stored = await storedFiles(folder);
    const there = new Map<string, number>();
    const texts = new Set<string>();
    for await (const { bucket, name, bytes } of listFiles(
      this.#target,
      new Set(stored.map((file) => file.bucket)),
    )) {
      there.set(`${bucket}/${name}`, bytes);
      const [, item] = TEXT_FILE.exec(name) ?? [];
      if (item !== undefined) texts.add(item);
    }
    let done = 0;
    for (const { bucket, name, bytes, sha256, type } of stored) {
      done += 1;
      if (there.get(`${bucket}/${name}`) === bytes) continue;
      const file = fileOf(folder, bucket, name);
      if ((await checkFile(file)).sha256 !== sha256) throw new CommandError(`${file} is damaged.`);
      const [, item] = TEXT_FILE.exec(name) ?? [];
      if (item === undefined) await this.#putFile(file, { address: addressOf(bucket, name), bytes, type });
      else if (!texts.has(item)) {
        // The words of a text are in the index of books, which is made when it is stored.
        const text = new Uint8Array(gunzipSync(await readFile(file)));
        await call(this.#target, `/system/text/${encodeURIComponent(item)}`, {
          method: "PUT",
          body: text,
          type: "text/plain; charset=utf-8",
        });
      }
      onProgress("files", done / stored.length, done);
    }
    return done;
  }

  /** Sends a file, in parts if it is large. */
  async #putFile(file: string, { address, bytes, type }: { address: string; bytes: number; type: string }) {
    if (bytes <= PART_BYTES) {
      await call(this.#target, address, { method: "PUT", body: await readFile(file), type });
      return;
    }
    const { upload } = await call(this.#target, address, { method: "POST", json: { type } });
    const query = `upload=${encodeURIComponent(upload)}`;
    const parts: { partNumber: number; etag: string }[] = [];
    for await (const body of createReadStream(file, { highWaterMark: PART_BYTES })) {
      const partNumber = parts.length + 1;
      const { etag } = await call(this.#target, `${address}?${query}&part=${partNumber}`, {
        method: "PUT",
        body,
      });
      parts.push({ partNumber, etag });
    }
    await call(this.#target, `${address}?${query}`, { method: "POST", json: { parts } });
  }

  /** Has accounts removed that were removed since the backup, also where only the log of changes has them. */
  async #removeAgain() {
    let removed = 0;
    for (let after: string | null = ""; after !== null;) {
      const part = await call(this.#target, "/system/backup/removals", { method: "POST", json: { after } });
      removed += part.removed;
      after = part.next;
    }
    return removed;
  }
}

/** Returns the files of a table in a backup: none, or one. */
function tableFiles(manifest: Manifest, folder: string, table: string): string[] {
  const name = [`tables/${table}.jsonl.gz`, `tables/${table}.jsonl.gz.age`].find(
    (file) => file in manifest.files,
  );
  return name === undefined ? [] : [path.join(folder, name)];
}

async function* grouped(lines: AsyncIterable<string>, most: number): AsyncGenerator<string[]> {
  let [group, size] = [[] as string[], 0];
  for await (const line of lines) {
    if (group.length === most || size + line.length > CHARACTERS_AT_ONCE) {
      if (group.length > 0) yield group;
      [group, size] = [[], 0];
    }
    group.push(line);
    size += line.length;
  }
  if (group.length > 0) yield group;
}

/** Groups parts as lines. `isWhole` is false for groups with an object in several parts. */
async function* groupedParts(parts: AsyncIterable<ObjectPart>) {
  const lines = async function* () {
    for await (const part of parts) yield JSON.stringify(part);
  };
  for await (const group of grouped(lines(), LINES_AT_ONCE)) {
    yield { group, isWhole: group.every((line) => WHOLE.test(line)) };
  }
}

const WHOLE = /^\{"name":"(?:[^"\\]|\\.)*","part":0,"last":true/;
