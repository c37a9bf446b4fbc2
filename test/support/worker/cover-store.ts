import { env } from "cloudflare:workers";
import { pngImage } from "../covers/real-images.ts";
import type { TestService } from "./service.ts";

/** Credentials for writing to the cover store. */
export const COVERS_KEY = { Authorization: `Bearer ${env.COVERS_SECRET}` };

/** Fields of a form, files among them. */
export type Fields = Record<string, string | Blob>;

/** A form with files. */
export function multipart(fields: Fields): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}

/** An image as a file. */
export function imageFile(bytes: Uint8Array<ArrayBuffer> = pngImage(3, 2), name = "cover.png"): File {
  return new File([bytes], name);
}

/** Sends a form to the cover store with its secret: a urlencoded one where no file is in it. */
export function toStore(
  service: Pick<TestService, "fetch">,
  path: string,
  fields: Fields,
): Promise<Response> {
  const texts = Object.entries(fields).filter(
    (field): field is [string, string] => typeof field[1] === "string",
  );
  const hasFiles = texts.length < Object.keys(fields).length;
  const body = hasFiles ? multipart(fields) : new URLSearchParams(texts);
  return service.fetch(path, { method: "POST", body, headers: COVERS_KEY });
}

/** Stores an image for a record; its number. */
export async function storedCover(
  service: Pick<TestService, "fetch">,
  { category = "b", ...fields }: { category?: string } & Fields = {},
): Promise<number> {
  const response = await toStore(service, `/${category}/upload2`, { data: imageFile(), ...fields });
  const { id } = await response.json<{ id?: number }>();
  if (id === undefined) throw new Error(`upload2: ${response.status}`);
  return id;
}

/** The row of a cover. */
export function coverRow(id: number): Promise<Record<string, unknown> | null> {
  return env.CATALOG.prepare("SELECT * FROM cover WHERE id = ?").bind(id).first();
}

/** Returns the log entries of a cover, in order. */
export async function coverLog(id: number): Promise<unknown[]> {
  const { results } = await env.CATALOG.prepare(
    "SELECT action, timestamp FROM cover_log WHERE cover_id = ? ORDER BY id",
  )
    .bind(id)
    .all();
  return results.map(({ action, timestamp }) => [action, timestamp]);
}

/** Names in the bucket of covers. */
export async function coverObjects(prefix = ""): Promise<string[]> {
  return (await env.COVERS.list({ prefix })).objects.map(({ key }) => key).toSorted();
}
