import * as z from "zod";
import {
  LIBRARY_NAME_LENGTH_MAX,
  LIBRARY_TEXT_LENGTH_MAX,
  LIBRARY_WORD_LENGTH_MAX,
  type LibraryDetails,
  detailProblems,
} from "../../../catalog/libraries/registration.ts";
import { problemsFound } from "../../accounts/problems.ts";
import { addRegistration } from "../../libraries/pending.ts";
import { operation } from "../../operation.ts";
import { messagePage } from "../../pages/account/account-page.ts";
import { registerPage } from "../../pages/libraries/register-page.ts";
import { NO_STORE, json } from "../../reply.ts";
import { isJson } from "../../validation/request-body.ts";
import { wantsHtml } from "../../wants-html.ts";

const text = (length: number) =>
  z
    .string()
    .max(length)
    .default("")
    .transform((value) => value.trim());

/** `GET /libraries/register`: the form. */
export const registerLibraryForm = operation({
  id: "registerLibraryPage",
  summary: "Page with the form by which a library registers",
  tag: "libraries",
  responses: { 200: { description: "The page", contentType: "text/html" } },
  handle: () => registerPage(),
});

/** `POST /libraries/register`: a library that wants to take part; administrators decide (lookup.md 17.3). */
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
  async handle({ form }, context) {
    const details: LibraryDetails = form;
    const isPerson = wantsHtml(context.request) && !isJson(context.request);
    const problems = detailProblems(details);
    if (problems.length > 0 && isPerson) return registerPage({ details, problems });
    if (problems.length > 0) throw problemsFound(problems);
    const key = await addRegistration(context, details);
    if (!isPerson) return json({ key }, { status: 201, cacheControl: NO_STORE });
    return messagePage({
      title: "Thank you",
      text: `${details.name} is registered. An administrator will look at it.`,
      link: { href: "/libraries", text: "To the libraries" },
      status: 201,
    });
  },
});
