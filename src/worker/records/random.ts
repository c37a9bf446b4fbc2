import { Buffer } from "node:buffer";
import { editionsAt } from "../../db/records/members.ts";
import { lendingStates } from "../holdings/lending-of.ts";
import { notFound } from "../http/errors.ts";
import { type RequestContext, catalogReader, operation } from "../http/operation.ts";
import { NO_STORE, redirect } from "../http/reply.ts";

/** Random editions that are read; the first readable one is chosen. */
const RANDOM_EDITIONS = 32;
const BYTES_OF_PLACE = 4;

/** `GET /random`: redirects to a random edition, one that can be read or borrowed if there is one (Q433). */
export const random = operation({
  id: "random",
  summary: "To a book at random, one that can be read or borrowed if chance finds such",
  tag: "records",
  responses: { 303: { description: "To an edition" }, 404: { description: "There are no editions" } },
  async handle(_input, context) {
    const editions = await editionsAt(catalogReader(context), places(context));
    const scans = editions.flatMap(({ ocaid }) => ocaid ?? []);
    const states = await lendingStates(context, scans);
    const isReadable = (ocaid: string | null): boolean => {
      const status = states?.get(ocaid ?? "");
      return status !== undefined && (status.isReadable || status.isLendable);
    };
    const chosen = editions.find(({ ocaid }) => isReadable(ocaid)) ?? editions.at(0);
    if (chosen === undefined) throw notFound();
    return redirect(303, chosen.key, { cacheControl: NO_STORE });
  },
});

/** Returns random fractions from 0 to 1. */
function places({ sources }: RequestContext): number[] {
  const found: number[] = [];
  while (found.length < RANDOM_EDITIONS) {
    const bytes = Buffer.from(sources.newSecret(), "base64url");
    for (
      let at = 0;
      at + BYTES_OF_PLACE <= bytes.length && found.length < RANDOM_EDITIONS;
      at += BYTES_OF_PLACE
    ) {
      found.push(bytes.readUInt32BE(at) / 2 ** 32);
    }
  }
  return found;
}
