import * as z from "zod";
import { OPDS_TYPES } from "../../export/opds/feed.ts";
import { CarrelError } from "../http/errors.ts";
import { type RequestContext, baseUrl, operation } from "../http/operation.ts";
import { type Reply, PRIVATE, jsonText } from "../http/reply.ts";
import { NAME } from "../http/settings.ts";
import { asBasicUser } from "../lookup/ils-user.ts";
import { opdsFile } from "./form.ts";

const linkSchema = z.object({ rel: z.string(), href: z.string(), type: z.string() });
const documentSchema = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  links: z.array(linkSchema),
  authentication: z.array(
    z.object({ type: z.string(), labels: z.object({ login: z.string(), password: z.string() }) }),
  ),
});

/** What readers are told who have to say who they are (Authentication for OPDS 1.0). */
function authenticationDocument(context: RequestContext): z.infer<typeof documentSchema> {
  const page = (rel: string, path: string) => ({ rel, href: baseUrl(context) + path, type: "text/html" });
  return {
    id: opdsFile(context, "authentication.json"),
    title: NAME,
    description: "Log in to see your loans and your shelves.",
    links: [
      page("register", "/account/create"),
      page("help", "/help"),
      { rel: "start", href: `${baseUrl(context)}/opds.json`, type: OPDS_TYPES.feed },
    ],
    authentication: [
      {
        type: "http://opds-spec.org/auth/basic",
        labels: { login: "Username or email address", password: "Password" },
      },
    ],
  };
}

/** `GET /opds/authentication.json`: how readers log in. */
export const opdsAuthentication = operation({
  id: "opdsAuthentication",
  summary: "How e-book readers log in (Authentication for OPDS 1.0)",
  tag: "account",
  responses: {
    200: { description: "The document", contentType: OPDS_TYPES.authentication, schema: documentSchema },
  },
  handle: (_input, context) =>
    jsonText(JSON.stringify(authenticationDocument(context)), {
      contentType: OPDS_TYPES.authentication,
      cacheControl: "public, max-age=3600",
    }),
});

/** Whom a request is of. */
interface Reader {
  readonly username: string;
}

/**
 * Answers the patron whose session or whose name and password a request carries (Q382); others are told how to log in,
 * with 401.
 */
export async function asReader(
  context: RequestContext,
  answer: (reader: Reader, context: RequestContext) => Promise<Reply>,
): Promise<Reply> {
  const session = await context.session();
  if (session !== undefined) return answer(session, context);
  const known = await knownBasicUser(context);
  const username = known === undefined ? null : (await known.actor()).username;
  if (known !== undefined && username !== null) return answer({ username }, known);
  return {
    status: 401,
    body: JSON.stringify(authenticationDocument(context)),
    contentType: OPDS_TYPES.authentication,
    cacheControl: PRIVATE,
    headers: { "WWW-Authenticate": `Basic realm="${baseUrl(context)}", charset="UTF-8"` },
  };
}

/** Undefined for who says nothing of himself, or something wrong. */
async function knownBasicUser(context: RequestContext): Promise<RequestContext | undefined> {
  try {
    return await asBasicUser(context);
  } catch (error) {
    if (error instanceof CarrelError && error.status === 401) return undefined;
    throw error;
  }
}
