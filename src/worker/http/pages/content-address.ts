import { Buffer } from "node:buffer";
import type { Stores } from "../bindings.ts";

const addresses = new Map<string, string>();

/** Returns the address of a file of `/static/` that changes with its content, so that it can be cached permanently. */
export async function contentAddress(path: string, { assets }: Pick<Stores, "assets">): Promise<string> {
  const known = addresses.get(path);
  if (known !== undefined) return known;
  const file = await assets.fetch(`http://assets${path}`);
  if (!file.ok) throw new Error(`there is no ${path}`);
  const digest = await crypto.subtle.digest("SHA-256", await file.arrayBuffer());
  const print = Buffer.from(digest).toString("hex").slice(0, 10);
  const address = path.replace(/^\/static\/(\w+)\./, `/static/build/$1.${print}.`);
  addresses.set(path, address);
  return address;
}
