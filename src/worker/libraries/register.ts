import * as z from "zod";
import {
  type DetailProblem,
  type LibraryDetails,
  LIBRARY_NAME_LENGTH_MAX,
  LIBRARY_TEXT_LENGTH_MAX,
  LIBRARY_WORD_LENGTH_MAX,
  detailProblems,
} from "../../catalog/lending/library.ts";
import { problemsFound } from "../accounts/account-form.ts";
import { wantsHtml } from "../http/accept.ts";
import { operation } from "../http/operation.ts";
import { type Reply, NO_STORE, json } from "../http/reply.ts";
import { isJson } from "../http/request-body.ts";
import { failureWords } from "../ui/failure-words.ts";
import { type Field, form } from "../ui/form.ts";
import { page } from "../ui/layout.ts";
import { markup } from "../ui/markup.ts";
import { link } from "../ui/parts.ts";
import { say } from "../ui/words.ts";
import { addRegistration } from "./registrations.ts";

const text = (length: number) =>
  z
    .string()
    .max(length)
    .default("")
    .transform((value) => value.trim());

export const registerLibraryForm = operation({
  id: "registerLibraryPage",
  summary: "Page with the form by which a library registers",
  tag: "libraries",
  responses: { 200: { description: "The page", contentType: "text/html" } },
  handle: () => registerPage(),
});

export const registerLibrary = operation({
  id: "registerLibrary",
  summary: "Register a library",
  tag: "libraries",
  form: {
    name: text(LIBRARY_NAME_LENGTH_MAX),
    addresses: text(LIBRARY_TEXT_LENGTH_MAX).describe(
      "Lines of name|street|city|state|zip|country|telephone|website|latitude,longitude",
    ),
    ip_ranges: text(LIBRARY_TEXT_LENGTH_MAX).describe("IP addresses and ranges of them, one a line"),
    website: text(LIBRARY_WORD_LENGTH_MAX),
    lending_region: text(LIBRARY_WORD_LENGTH_MAX),
    contact_email: text(LIBRARY_WORD_LENGTH_MAX).describe("Shown to administrators alone"),
  },
  responses: {
    201: {
      description: "Registered; an administrator decides",
      schema: z.object({ key: z.string() }),
      also: ["text/html"],
    },
    429: { description: "Too many registrations from this address" },
    503: { description: "Too many registrations are waiting" },
  },
  async handle({ form: details }, context) {
    const isForPeople = wantsHtml(context.request) && !isJson(context.request);
    const problems = detailProblems(details);
    if (problems.length > 0 && isForPeople) return registerPage(details, problems);
    if (problems.length > 0) throw problemsFound(problems);
    const key = await addRegistration(context, details);
    if (!isForPeople) return json({ key }, { status: 201, cacheControl: NO_STORE });
    return page({
      title: say("library.thanks"),
      body: markup`<p>${say("library.thanks_text", { name: details.name })}</p><p>${link("/libraries", say("library.all"))}</p>`,
      status: 201,
    });
  },
});

const ADDRESS_LINE = "name|street|city|state|zip|country|telephone|website|latitude,longitude";

const FIELDS: readonly (Field & { readonly name: keyof LibraryDetails })[] = [
  {
    name: "name",
    label: say("library.name"),
    required: true,
    autocomplete: "organization",
    maxlength: LIBRARY_NAME_LENGTH_MAX,
  },
  {
    name: "addresses",
    label: say("library.addresses"),
    type: "textarea",
    required: true,
    maxlength: LIBRARY_TEXT_LENGTH_MAX,
    hint: say("library.addresses_hint", { format: markup`<code dir="ltr">${ADDRESS_LINE}</code>` }),
  },
  {
    name: "ip_ranges",
    label: say("library.ip"),
    type: "textarea",
    required: true,
    maxlength: LIBRARY_TEXT_LENGTH_MAX,
    hint: say("library.ip_hint", {
      examples: markup`<code dir="ltr">192.0.2.7, 192.0.2.0/24, 192.0.2.1-192.0.2.9, 192.0.2.*</code>`,
    }),
  },
  { name: "website", label: say("library.website"), type: "url", maxlength: LIBRARY_WORD_LENGTH_MAX },
  { name: "lending_region", label: say("library.region"), maxlength: LIBRARY_WORD_LENGTH_MAX },
  {
    name: "contact_email",
    label: say("library.email"),
    type: "email",
    autocomplete: "email",
    maxlength: LIBRARY_WORD_LENGTH_MAX,
    hint: say("library.email_hint"),
  },
];

function registerPage(details?: LibraryDetails, problems: readonly DetailProblem[] = []): Reply {
  const fields = FIELDS.map((field) => {
    const problem = problems.find((one) => one.field === field.name);
    const error = problem && failureWords(problem.message);
    return Object.assign({}, field, { value: details?.[field.name], error });
  });
  const body = markup`<p>${say("library.intro")}</p>
${form({ action: "/libraries/register", fields, submit: say("library.register") })}`;
  return page({ title: say("library.register_title"), body, status: details === undefined ? 200 : 422 });
}
