import * as z from "zod";
import { type AnyOperation, type RequestContext, operation } from "../http/operation.ts";
import { pageNumber } from "../http/parameters.ts";
import { seeOther } from "../http/reply.ts";
import { ownSession } from "./own-session.ts";

export const ownLists = toOwnPage("ownLists", "Own lists", "/lists");
export const ownNewList = toOwnPage("ownNewList", "Form for a new list", "/lists/add");
export const ownBooks = toOwnPage("ownBooks", "Own books", "/books");

export const ownShelf = operation({
  id: "ownShelf",
  summary: "A part of the own books",
  tag: "account",
  path: { rest: z.string() },
  query: { page: pageNumber() },
  responses: { 303: { description: "To the page below /people" } },
  async handle({ path: { rest }, query: { page } }, context) {
    const path = rest.split("/").map(encodeURIComponent).join("/");
    const query = page > 1 ? `?page=${page}` : "";
    return seeOther(`${await ownPath(context)}/books/${path}${query}`);
  },
});

export const waitlist = operation({
  id: "waitlist",
  summary: "Books waited for",
  tag: "account",
  responses: { 303: { description: "To /account/loans" } },
  handle: () => seeOther("/account/loans"),
});

function toOwnPage(id: string, summary: string, path: string): AnyOperation {
  return operation({
    id,
    summary,
    tag: "account",
    responses: { 303: { description: "To the page below /people" } },
    handle: async (_input, context) => seeOther((await ownPath(context)) + path),
  });
}

async function ownPath(context: RequestContext): Promise<string> {
  return (await ownSession(context)).key;
}
