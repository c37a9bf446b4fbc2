import * as z from "zod";
import type { EditionBundle } from "../../../catalog/lookup/shared.ts";
import { keyOf, stringsOf } from "../../../catalog/record.ts";
import { availabilityWord } from "../../../search/present/availability.ts";
import { askedEdition } from "../../availability/asked-edition.ts";
import { type AnyOperation, type Parameters, operation } from "../../operation.ts";
import { NO_STORE, json } from "../../reply.ts";
import { callbackName } from "../../validation/parameters.ts";

/** Subjects that name the collections out of which is lent. */
const LENDING_SUBJECTS = ["Lending library", "In library"];

const edition_id = z.string().describe("The digits of the edition's number");
const slug = z.string().describe("Anything: the readable part of the address");

/** `GET /books/OL1M/_borrow_status`: whether a copy can be borrowed now (lookup.md 12.5). */
export const borrowStatus = borrowStatusOperation("borrowStatus", { edition_id });
/** `GET /books/OL1M/Title/_borrow_status`: the same. */
export const borrowStatusAtPage = borrowStatusOperation("borrowStatusAtPage", { edition_id, slug });

function borrowStatusOperation(id: string, path: Parameters): AnyOperation {
  return operation({
    id,
    summary: "Whether a copy of an edition can be borrowed now",
    tag: "lending",
    path,
    query: { callback: callbackName() },
    responses: {
      200: {
        description: "Whether a copy is free",
        schema: z.object({
          id: z.string(),
          loan_available: z.boolean(),
          available_formats: z.array(z.string()),
          lending_subjects: z.array(z.string()),
        }),
        also: ["text/javascript"],
      },
      404: { description: "No such edition" },
    },
    async handle({ path: named, query: { callback } }, context) {
      const body = statusOf(await askedEdition(context, String(named["edition_id"])));
      if (callback === undefined) return json(body, { cacheControl: NO_STORE });
      // Q283: a script of its own kind, with blanks inside the brackets.
      const script = `${callback} ( ${JSON.stringify(body)} );`;
      return { status: 200, contentType: "text/javascript", cacheControl: NO_STORE, body: script };
    },
  });
}

function statusOf({ edition, work, access, lending }: EditionBundle) {
  const isFree =
    lending === undefined
      ? access === "borrowable"
      : lending.isLendable && availabilityWord(lending) === "borrow_available";
  const subjects = stringsOf(work?.["subjects"]);
  return {
    id: keyOf(edition) ?? "",
    loan_available: isFree,
    available_formats: isFree ? ["bookreader"] : [],
    lending_subjects: LENDING_SUBJECTS.filter((name) => subjects.includes(name)),
  };
}
