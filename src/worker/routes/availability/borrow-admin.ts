import * as z from "zod";
import { privateJson } from "../../accounts/private.ts";
import { askedEdition } from "../../availability/asked-edition.ts";
import { loansOfEdition } from "../../availability/loans-of-edition.ts";
import { type AnyOperation, operation } from "../../operation.ts";
import { borrowAdminResponses } from "./schemas.ts";

/** `GET /books/OL1M/borrow_admin`: loans and queue of an edition's scan, as its desk has them (lookup.md 12.5). */
export const borrowAdmin = read("borrowAdmin", true);
/** `GET /books/OL1M/borrow_admin_no_update`: the same as it was told last, without asking the desk. */
export const borrowAdminNoUpdate = read("borrowAdminNoUpdate", false);

function read(id: string, isFresh: boolean): AnyOperation {
  return operation({
    id,
    summary: "Who has an edition's scan, and who waits for it",
    tag: "lending",
    path: { edition_id: z.string().describe("The digits of the edition's number") },
    responses: borrowAdminResponses,
    async handle({ path: { edition_id: digits } }, context) {
      return privateJson(await loansOfEdition(context, await askedEdition(context, digits), isFresh));
    },
  });
}
