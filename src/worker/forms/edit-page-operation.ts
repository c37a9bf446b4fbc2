import * as z from "zod";
import type { RequestContext } from "../context.ts";
import { type AnyOperation, operation } from "../operation.ts";
import type { Reply } from "../reply.ts";
import { editAddress } from "./edit-address.ts";

/** What an editing form is of. */
export interface EditedKind {
  /** Such as `author`: names the operation and the parameter `author_id`. */
  readonly noun: "author" | "work";
  readonly folder: string;
  readonly letter: string;
  page(
    context: RequestContext,
    record: { readonly key: string; readonly revision: string | undefined },
  ): Promise<Reply>;
}

const slug = z.string().describe("The readable part of the address");
const query = { v: z.string().optional().describe("Number of a revision to fill the form with") };

/** `GET /<folder>/XX…/edit`, with or without the readable part: the form for people, key and revision for programs. */
export function editPageOperation(kind: EditedKind, hasSlug: boolean): AnyOperation {
  const { noun, folder, letter, page } = kind;
  const number = `${noun}_id`;
  const digits = z.string().describe(`The digits of the ${noun}'s number`);
  const name = `edit${noun.slice(0, 1).toUpperCase()}${noun.slice(1)}Form`;
  return operation({
    id: hasSlug ? `${name}AtPage` : name,
    summary: `The form of ${noun === "author" ? "an" : "a"} ${noun}`,
    tag: "forms",
    path: hasSlug ? { [number]: digits, slug } : { [number]: digits },
    query,
    responses: {
      200: {
        description: "A page for people",
        schema: z.object({ key: z.string(), revision: z.int() }),
        also: ["text/html"],
      },
      301: { description: "The record's own address" },
      303: { description: "People who are to log in first" },
      404: { description: `No such ${noun}` },
    },
    handle({ path: values, query: { v: revision } }, context) {
      const key = `/${folder}/${context.settings.RECORD_PREFIX}${String(values[number])}${letter}`;
      const at = typeof values["slug"] === "string" ? values["slug"] : undefined;
      return editAddress(context, { key, type: `/type/${noun}`, slug: at, revision }, () =>
        page(context, { key, revision }),
      );
    },
  });
}
