import { KIB } from "../../../catalog/units.ts";
import * as z from "zod";
import type { Text, TextKey } from "../../../catalog/texts.ts";
import {
  DEFAULT_PREFIX,
  parseEditionNumber,
  parseLooseEditionNumber,
  workNumberOfKey,
} from "../../../catalog/keys.ts";
import { readTargets } from "../../../db/redirects.ts";
import type { SessionUse } from "../../../durable/patron/sessions.ts";
import { keyOfEditionId, keyOfWorkId } from "../../../search/indexing/ids.ts";
import { ownSession } from "../../accounts/own-session.ts";
import { wantsHtml } from "../../http/accept.ts";
import { authenticationRequired, validationFailed } from "../../http/errors.ts";
import { Failure, failure } from "../../http/failure.ts";
import { invalid } from "../../http/input-failures.ts";
import {
  type AnyOperation,
  type Definition,
  type Input,
  type Parameters,
  type RequestContext,
  type Session,
  catalogReader,
  operation,
} from "../../http/operation.ts";
import { setFlash } from "../../http/pages/flash.ts";
import { isReadOnlyAccount } from "../../http/read-only.ts";
import type { BookMove } from "../../http/pages/reader.ts";
import { backOr } from "../../http/redirect-target.ts";
import { type Reply, PRIVATE, json, privateJson } from "../../http/reply.ts";
import { patronOf } from "../../http/session.ts";
import { integer } from "../../http/parameters.ts";
import { notify } from "../../ui/notice.ts";
import type { Words } from "../../ui/words.ts";

export const READING_BODY_BYTES = 16 * KIB;

export interface Owner {
  readonly session: Session;
  readonly patron: ReturnType<typeof patronOf>;
}

/** Patron whose session is not checked yet: `use` goes with the call of `patron` that writes, and checks it there. */
export interface OwnWriter extends Owner {
  readonly use: SessionUse;
}

const OWN_WRITE_RESPONSES = {
  303: { description: "For browsers: redirect to the page of the form" },
  403: { description: "Read-only account" },
};

/** Returns the session, and the object of its patron. Throws 401 without a session. */
export async function requireOwner(context: RequestContext): Promise<Owner> {
  const session = await ownSession(context);
  return { session, patron: patronOf(context.stores, session.username) };
}

/**
 * Authorizes a write to the patron's own data. Throws 403 for members of the group `read-only`. Routes whose operation
 * does not pass `use` must require a session themselves.
 */
export async function requireOwnWriter(context: RequestContext): Promise<OwnWriter> {
  const session = await context.claim();
  if (session === undefined) throw authenticationRequired("Session");
  // Q211: the patron is known, so the response says why, and does not demand a login.
  if (await isReadOnlyAccount(context, session.key)) throw failure("forbidden.read_only_account");
  const patron = patronOf(context.stores, session.username);
  return { session, patron, use: { id: session.id, now: context.now } };
}

/** Effect of a change of the patron's own data. */
interface Written {
  /** Answer for programs, which is empty if absent. */
  readonly json?: unknown;
  /** Notice for people: its words, or the move of the book that `findBook` returned. */
  readonly words?: Words;
  readonly type?: "success" | "error";
  readonly move?: Omit<BookMove, "key" | "title"> | undefined;
  /** True for a refusal with status 200, which people get as JSON too. */
  readonly isRefusal?: true;
}

interface OwnChange<I> {
  submit(input: I, writer: OwnWriter, context: RequestContext): Promise<Written>;
  /** Reads the book of the notice for people, before the change: a stored change must not end in an error. */
  findBook?(input: I, context: RequestContext): Promise<Pick<BookMove, "key" | "title">>;
  /** Shows the form of a refused request again, with what was typed. */
  again?(refusal: Failure, input: I, context: RequestContext): Promise<Reply>;
}

/**
 * Makes an operation that changes the patron's own data. Programs get JSON, people go back to the page with the form,
 * also at paths with `.json`, where the forms of pages are sent to (Q229).
 */
export function ownChange<
  P extends Parameters = {},
  Q extends Parameters = {},
  F extends Parameters = {},
  J extends z.ZodType = z.ZodUndefined,
>({
  id,
  summary,
  responses,
  submit,
  findBook,
  again,
  ...fields
}: Omit<Definition<P, Q, F, J>, "handle" | "tag"> & OwnChange<Input<P, Q, F, J>>): AnyOperation {
  return operation<P, Q, F, J>({
    id,
    summary,
    tag: "reading",
    ...fields,
    ...((fields.form ?? fields.json) && { bodyBytes: fields.bodyBytes ?? READING_BODY_BYTES }),
    responses: { ...OWN_WRITE_RESPONSES, ...responses },
    async handle(input, context) {
      const writer = await requireOwnWriter(context);
      const isPerson = wantsHtml(context.request);
      try {
        const book = isPerson ? await findBook?.(input, context) : undefined;
        const { json: value, words, type, move, isRefusal } = await submit(input, writer, context);
        if (words !== undefined) notify(context, words, type);
        if (move && book) setFlash(context, { type: "success", move: { ...book, ...move } });
        const reply: Reply =
          value === undefined ? { status: 200, body: null, cacheControl: PRIVATE } : privateJson(value);
        const { redir_url: target } = input.form as { redir_url?: string };
        return isRefusal ? reply : backOr(context, reply, target);
      } catch (error) {
        if (!isPerson || !again || !(error instanceof Failure) || error.status !== 422) throw error;
        return { ...(await again(error, input, context)), status: error.status };
      }
    },
  } as Definition<P, Q, F, J>);
}

const COUNTS_SECONDS = 60;

/** Sends counts, which are equal for all clients unless they contain the patron's own recent change. */
export function countsJson(value: unknown, { isOwn }: { isOwn: boolean }): Reply {
  const cacheControl = isOwn ? PRIVATE : `public, max-age=${COUNTS_SECONDS}`;
  return json(value, { cacheControl, headers: { Vary: "Cookie" } });
}

const ANY_EDITION = /^(?:\/books\/)?[A-Z]{2}\d{1,15}M$/i;
const BARE_NUMBER = /^\d{1,15}$/;

export const workPath = { work_id: integer(z.int().gt(0)).describe("Digits of the work ID") };

/** Creates the schema of a form field that counts as absent if it is empty. */
export function optionalField<Output>(schema: z.ZodType<Output, string>) {
  return z
    .string()
    .optional()
    .transform((text) => (text === "" ? undefined : text))
    .pipe(schema.optional());
}

export const backField = z.string().optional().describe("For browsers: page to return to");

/** Creates a 422 about a value that no schema rejects. `loc` is the path of the field. */
export function valueError(loc: readonly string[], text: Text, input?: unknown): Failure {
  return validationFailed([invalid(loc, text, { input, ctx: { error: {} } })]);
}

/** Creates the schema of an edition: `OL1M` or `/books/OL1M`, in any case. `isLoose` also allows a bare number. */
export function editionField({ isLoose = false } = {}) {
  return z
    .string()
    .superRefine((text, context) => {
      if (ANY_EDITION.test(text) || (isLoose && BARE_NUMBER.test(text))) return;
      const values = editionPattern(DEFAULT_PREFIX);
      const params = { type: MISMATCH, values, ctx: values };
      context.addIssue({ code: "custom", params, message: "validation.pattern" satisfies TextKey });
    })
    .describe("Edition, such as OL1M or /books/OL1M");
}

/** Returns the number of a submitted edition; undefined without one. Throws 422 for the prefix of another service. */
export function parseEdition(
  { settings }: Pick<RequestContext, "settings">,
  field: string,
  text: string | null | undefined,
  { isLoose = false } = {},
): number | undefined {
  if (text === undefined || text === null) return undefined;
  const prefix = settings.RECORD_PREFIX;
  const number = isLoose ? parseLooseEditionNumber(text, prefix) : parseEditionNumber(text, prefix);
  if (number !== undefined) return number;
  const values = editionPattern(prefix);
  const failed = { type: MISMATCH, input: text, ctx: values };
  throw validationFailed([invalid(["body", field], { key: "validation.pattern", values }, failed)]);
}

const MISMATCH = "string_pattern_mismatch";

function editionPattern(prefix: string) {
  return { pattern: String.raw`(?i)^(?:/books/)?${prefix}\d+M$` };
}

export function editionKey({ settings }: Pick<RequestContext, "settings">, number: number | null) {
  return number === null ? null : keyOfEditionId(number, settings.RECORD_PREFIX);
}

/** Returns the numbers of the works that merged works have become, and all others unchanged (Q680). One statement. */
export async function followWorks(context: RequestContext, works: readonly number[]): Promise<number[]> {
  const keys = works.map((work) => workKey(context, work));
  const targets = await readTargets(catalogReader(context), keys);
  return works.map((work, at) => workNumberOfKey(targets.get(keys[at] ?? "")) ?? work);
}

export function workKey({ settings }: Pick<RequestContext, "settings">, work: number): string {
  return keyOfWorkId(work, settings.RECORD_PREFIX);
}
