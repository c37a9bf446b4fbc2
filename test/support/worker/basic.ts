import { Buffer } from "node:buffer";
import { PASSWORD, newAddress } from "./accounts.ts";

/** Headers of a program that knows an account's password, from an address of its own. */
export function basic(
  username: string,
  password = PASSWORD,
): { Authorization: string; "CF-Connecting-IP": string } {
  const text = Buffer.from(`${username}:${password}`).toString("base64");
  return { Authorization: `Basic ${text}`, "CF-Connecting-IP": newAddress() };
}
