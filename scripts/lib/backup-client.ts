import { appendFile, rm } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import {
  type BackupOptions,
  type FileNote,
  type Manifest,
  readLines,
  readManifest,
  writeChecked,
  writeLines,
  writeManifest,
} from "./backup-files.ts";
import { readText } from "./local-state.ts";
import { type Target, call, request } from "./service.ts";

/** Objects per request, requests at a time, and patrons per file. */
const OBJECTS_AT_ONCE = 20;
const REQUESTS_AT_ONCE = 4;
const PATRONS_OF_FILE = 1000;
/** Files that are copied at a time. */
const FILES_AT_ONCE = 8;
const FILE_LIST = "files.jsonl";
const BUCKETS = ["covers", "archive"] as const;

export interface Table {
  store: string;
  name: string;
  rows?: number;
}
/** Part of an object, as a line. */
export interface ObjectPart {
  name: string;
  part: number;
  last: boolean;
  tables: Record<string, Record<string, unknown>[]>;
}
/** File of a bucket in a backup. */
export interface StoredFile {
  bucket: string;
  name: string;
  bytes: number;
  etag: string;
  sha256: string;
  type: string;
}
type Options = BackupOptions & {
  /** Public key of age. */
  recipient?: string | undefined;
};

/** Copies everything that is not in the log of changes into a folder: tables, objects of patrons and loans, files. */
export class BackupClient {
  readonly #target: Target;
  readonly #options: Options;
  #manifest: Manifest = { format: 2, files: {}, patrons: { version: 0 }, missing: [] };

  constructor(target: Target, options: Options) {
    this.#target = target;
    this.#options = options;
  }

  /** Returns the state of the backup. */
  async run(): Promise<Manifest> {
    this.#manifest = {
      ...(this.#manifest = (await readManifest(this.#options.folder)) ?? this.#manifest),
      missing: [],
    };
    // Desks before the list of items, and objects before accounts, would lack what came meanwhile: tables come first.
    await this.#copyTables();
    if (this.#options.catalogOnly !== true) {
      await this.#copyPatrons();
      await this.#copyDesks();
      await this.#copyFiles();
    }
    await this.#save();
    return this.#manifest;
  }

  #save() {
    return writeManifest(this.#options.folder, this.#manifest);
  }

  async #write(name: string, lines: AsyncIterable<string>): Promise<FileNote> {
    const { folder, recipient } = this.#options;
    const [file, other] = recipient === undefined ? [name, `${name}.age`] : [`${name}.age`, name];
    const note = await writeLines(path.join(folder, file), lines, recipient);
    const { files } = this.#manifest;
    files[file] = note;
    // From before a key was given, or taken away.
    delete files[other];
    await rm(path.join(folder, other), { force: true });
    return note;
  }

  async #copyTables() {
    const tables = await tablesOf(this.#target, this.#options);
    for (const [index, { store, name }] of tables.entries()) {
      await this.#write(`tables/${store}.${name}.jsonl.gz`, this.#rowsOf(`${store}/${name}`));
      await this.#save();
      this.#options.onProgress("tables", (index + 1) / tables.length, index + 1);
    }
  }

  async *#rowsOf(table: string) {
    for (let after: unknown = null; ;) {
      const query = after === null ? "" : `?after=${encodeURIComponent(JSON.stringify(after))}`;
      const { rows, next } = await call(this.#target, `/system/backup/tables/${table}${query}`);
      for (const row of rows) yield JSON.stringify(row);
      if (next === null) return;
      after = next;
    }
  }

  async #copyPatrons() {
    const { patrons } = this.#manifest;
    const { version: end } = await this.#list("");
    if (patrons.version === 0) patrons.reading ??= { version: end, after: "" };
    const unread = patrons.unread ?? [];
    patrons.unread = [];
    if (unread.length > 0) await this.#writeObjects("patrons", unread);
    const accounts = noteOf(this.#manifest, "patrons.account")?.rows ?? 0;
    let done = 0;
    // Patrons who change something meanwhile are left to the next backup.
    while (patrons.reading !== undefined || patrons.version < end) {
      const { reading, version } = patrons;
      const query =
        reading === undefined ? `changed_after=${version}` : `after=${encodeURIComponent(reading.after)}`;
      const names = await this.#listAll(query, reading === undefined);
      const last = names.at(-1);
      if (last === undefined) break;
      await this.#writeObjects(
        "patrons",
        names.map(({ patron }) => patron),
      );
      done += names.length;
      if (reading === undefined) patrons.version = last.version ?? version;
      else reading.after = last.patron;
      await this.#save();
      this.#options.onProgress("patrons", reading === undefined ? 1 : done / Math.max(done, accounts), done);
    }
    if (patrons.reading === undefined) return;
    patrons.version = Math.max(1, patrons.reading.version);
    delete patrons.reading;
    await this.#save();
  }

  #list(query: string): Promise<{ patrons: { patron: string; version?: number }[]; version: number }> {
    return call(this.#target, `/system/backup/patrons?${query}`);
  }

  /** Lists the patrons of the next file. */
  async #listAll(query: string, byVersion: boolean) {
    const names: { patron: string; version?: number }[] = [];
    for (let next = query; ;) {
      const { patrons } = await this.#list(next);
      names.push(...patrons);
      const last = patrons.at(-1);
      if (last === undefined || names.length >= PATRONS_OF_FILE) return names;
      next = byVersion ? `changed_after=${last.version}` : `after=${encodeURIComponent(last.patron)}`;
    }
  }

  async #copyDesks() {
    const known = this.#manifest.desks ?? {};
    const changed: Record<string, number> = {};
    for await (const line of this.#rowsOf("patrons/lending_item")) {
      const { ocaid, sequence }: { ocaid: string; sequence: number } = JSON.parse(line);
      if ((known[ocaid] ?? -1) < sequence) changed[ocaid] = sequence;
    }
    const names = Object.keys(changed);
    if (names.length === 0) return;
    await this.#writeObjects("desks", names);
    this.#manifest.desks = { ...known, ...changed };
    await this.#save();
  }

  /** Writes objects into a new file, in parts of a request each. */
  async #writeObjects(kind: "patrons" | "desks", names: readonly string[]) {
    const number = Object.keys(this.#manifest.files).filter((name) => name.startsWith(`${kind}/`)).length + 1;
    const groups = chunks(names, OBJECTS_AT_ONCE);
    const readGroup = async (group: readonly string[]): Promise<string[]> => {
      const { url, token } = this.#target;
      const init = {
        method: "POST",
        headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
        body: JSON.stringify({ names: group }),
      };
      return (await request(this.#target, `${url}/system/backup/${kind}/read`, init))
        .split("\n")
        .filter((line: string) => line !== "");
    };
    const { missing, patrons } = this.#manifest;
    async function* lines(): AsyncGenerator<string> {
      for (const some of chunks(groups, REQUESTS_AT_ONCE)) {
        const read = await Promise.all(some.map((group) => readGroup(group)));
        for (const line of read.flat()) {
          // Parts are large, and only a failure begins so.
          const [, failed] = /^\{"name":"([^"]*)","error":/.exec(line) ?? [];
          if (failed === undefined) yield line;
          else {
            missing.push(`${kind} ${line}`);
            patrons.unread?.push(failed);
          }
        }
      }
    }
    await this.#write(`${kind}/${String(number).padStart(6, "0")}.jsonl.gz`, lines());
    await this.#save();
  }

  async #copyFiles() {
    const { folder, onProgress } = this.#options;
    const known = new Map<string, string>();
    for (const { bucket, name, etag } of await storedFiles(folder)) known.set(`${bucket}/${name}`, etag);
    const fresh: ListedFile[] = [];
    for await (const file of listFiles(this.#target, BUCKETS)) {
      if (known.get(`${file.bucket}/${file.name}`) !== file.etag) fresh.push(file);
    }
    const all = fresh.reduce((sum, file) => sum + file.bytes, 0);
    let [done, bytes] = [0, 0];
    for (const some of chunks(fresh, FILES_AT_ONCE)) {
      const copied = await Promise.all(some.map((file) => this.#copyFile(file)));
      const lines = copied.flatMap((file) => (file === undefined ? [] : [`\n${JSON.stringify(file)}`]));
      await appendFile(path.join(folder, FILE_LIST), lines.join(""), { mode: 0o600, flush: true });
      done += some.length;
      bytes += some.reduce((sum, file) => sum + file.bytes, 0);
      onProgress(`files, ${megabytes(bytes)} of ${megabytes(all)} MB`, bytes / all, done);
    }
  }

  async #copyFile({ bucket, name, bytes, etag }: ListedFile) {
    const { url, token } = this.#target;
    const response = await this.#target.fetch(url + addressOf(bucket, name), {
      headers: { Authorization: `Bearer ${token}` },
    });
    if (!response.ok || response.body === null) {
      this.#manifest.missing.push(`${bucket}/${name}: ${response.status}`);
      return undefined;
    }
    const content = Readable.fromWeb(response.body as never);
    const note = await writeChecked(fileOf(this.#options.folder, bucket, name), content);
    if (note.bytes !== bytes) {
      this.#manifest.missing.push(`${bucket}/${name}: ${note.bytes} of ${bytes} bytes`);
      return undefined;
    }
    const type = response.headers.get("Content-Type") ?? "application/octet-stream";
    return { bucket, name, ...note, etag, type } satisfies StoredFile;
  }
}

/** Lists the tables of a service that a backup has, in the order in which they are restored. */
export async function tablesOf(
  target: Target,
  { catalogOnly = false }: Pick<BackupOptions, "catalogOnly">,
): Promise<Table[]> {
  const { tables }: { tables: Table[] } = await call(target, "/system/backup");
  return tables.filter(({ store }) => !catalogOnly || store === "catalog");
}

interface ListedFile {
  bucket: string;
  name: string;
  bytes: number;
  etag: string;
}

/** Lists the files of some buckets of a service. */
export async function* listFiles(target: Target, buckets: Iterable<string>): AsyncGenerator<ListedFile> {
  for (const bucket of buckets) {
    for (let cursor: string | null = ""; cursor !== null;) {
      const query: string = cursor === "" ? "" : `?cursor=${encodeURIComponent(cursor)}`;
      const page = await call(target, `/system/backup/files/${bucket}${query}`);
      for (const file of page.files) yield { bucket, ...file };
      cursor = page.next;
    }
  }
}

/** Returns the path of a file at the service. */
export function addressOf(bucket: string, name: string) {
  return `/system/backup/files/${bucket}/${name.split("/").map(encodeURIComponent).join("/")}`;
}

function megabytes(bytes: number) {
  return Math.round(bytes / 1e6);
}

/** Returns the note of the file of a table; undefined if the backup has none. */
export function noteOf({ files }: Manifest, table: string): FileNote | undefined {
  return files[`tables/${table}.jsonl.gz`] ?? files[`tables/${table}.jsonl.gz.age`];
}

function chunks<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

/** Parses a line of the list of files. One that a kill has cut off is left out, and its file is copied again. */
function parseOrSkip(line: string): StoredFile | undefined {
  try {
    return line === "" ? undefined : JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Returns the path of a file of a bucket. No segment of its name leads out of the folder. */
export function fileOf(folder: string, bucket: string, name: string) {
  const segments = name.split("/").map((segment) => encodeURIComponent(segment).replaceAll(/^\.+$/g, "%2E"));
  return path.join(folder, "files", bucket, ...segments);
}

/** Lists the files of buckets in a backup; of several copies of a file the last. */
export async function storedFiles(folder: string): Promise<StoredFile[]> {
  const files = new Map<string, StoredFile>();
  for (const line of ((await readText(path.join(folder, FILE_LIST))) ?? "").split("\n")) {
    const file = parseOrSkip(line);
    if (file !== undefined) files.set(`${file.bucket}/${file.name}`, file);
  }
  return [...files.values()];
}

const LINE_START = /^\{"name":("(?:[^"\\]|\\.)*"),"part":(\d+),"last":(true|false)/;

/** Returns the files of objects of a kind, oldest first. */
function objectFiles({ files }: Manifest, kind: "patrons" | "desks"): string[] {
  return Object.keys(files)
    .filter((name) => name.startsWith(`${kind}/`))
    .toSorted();
}

/**
 * Yields the parts of objects of a kind, of each object those that were read last. Reads the files twice, so that only
 * names are in memory.
 */
export async function* newestParts(
  manifest: Manifest,
  kind: "patrons" | "desks",
  { folder, identity }: Pick<BackupOptions, "folder" | "identity">,
): AsyncGenerator<ObjectPart> {
  /** Readings of objects are numbered; these are the last whole ones. */
  const whole = new Map<string, number>();
  const starts = async function* () {
    let reading = 0;
    for (const file of objectFiles(manifest, kind)) {
      for await (const line of readLines(path.join(folder, file), identity)) {
        const [, name = '""', part, last] = LINE_START.exec(line) ?? [];
        if (part === "0") reading += 1;
        yield { name: JSON.parse(name) as string, isLast: last === "true", reading, line };
      }
    }
  };
  for await (const { name, isLast, reading } of starts()) if (isLast) whole.set(name, reading);
  for await (const { name, reading, line } of starts())
    if (whole.get(name) === reading) yield JSON.parse(line);
}
