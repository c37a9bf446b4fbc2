// Failures that people see on pages have a text in the catalogue.
import { beforeAll, describe, expect, it } from "vitest";
import { sourceFiles } from "../../../scripts/lib/sources.ts";
import { failure } from "../../../src/worker/http/failure.ts";
import { ANONYMOUS_READER } from "../../../src/worker/http/pages/reader.ts";
import { importTexts } from "../../../src/worker/http/pages/texts.ts";
import { errorPage } from "../../../src/worker/ui/error-page.ts";
import { failureWords, translatedFailure } from "../../../src/worker/ui/failure-words.ts";
import type { Markup } from "../../../src/worker/ui/markup.ts";
import { reason } from "../../../src/worker/ui/words.ts";

/** Sources whose failures only programs get. */
const FOR_PROGRAMS =
  /\/(?:backup|listeners|oai|sru|opds|reconcile|lookup|follow)\/|\/covers\/manage-images\.|\/imports\/upload-file\.|\/http\/access\.|\/history\/change-|\/http\/(?:bytes|request-body)\.|\/service\/(?:openapi|load|operator|docs)[\w-]*\.|\/search\/(?:scan-text|search-request|search)\.|\/records\/(?:query|read-api|languages)\.|\/editing\/(?:bulk-tag-works|put-record|write-api|single-forms|submitted-form)\.|\/imports\/(?:stored-file|new-batch|affiliate)\.|\/lists\/(?:write-list|write-request)\.|\/service\/(?:projections|repairs)\.|\/borrowing\/(?:borrow-admin|notices)\./;
/** Calls that make a failure of a message. */
const FAILURE =
  /\b(?:forbidden|conflict|unavailable|badData|badList|permissionDenied)\(\s*(?:"((?:[^"\\]|\\.)*)"|`([^`]*)`)|\btooManyRequests\([^,()]+,\s*(?:"([^"]*)"|`([^`]*)`)|\brefused\(\s*"[a-z-]+",\s*"([^"]*)"/g;

let messages: { readonly name: string; readonly message: string }[] = [];
beforeAll(async () => {
  const sources = await sourceFiles("src/worker", /\.ts$/);
  messages = sources
    .filter(({ name }) => !FOR_PROGRAMS.test(name))
    .flatMap(({ name, text }) =>
      [...text.matchAll(FAILURE)].map(([, ...found]) => ({
        name,
        message: (found.find((one) => one !== undefined) ?? "").replace(/\$\{[^}]*\}/g, "1"),
      })),
    );
});

describe("failures on pages", () => {
  beforeAll(() => importTexts("de"));

  it("have a text in the catalogue", () => {
    expect(messages.length).toBeGreaterThan(50);
    // The answer to a signed request of a program.
    const shown = messages.filter(({ message }) => message !== "Service Unavailable");
    expect(shown.filter(({ message }) => translatedFailure(message) === undefined)).toEqual([]);
  });

  const german = (markup: Markup): string => markup.textFor({ ...ANONYMOUS_READER, language: "de" });

  it("are translated, with their values", () => {
    expect(german(reason({ key: "lending.place", values: { place: 1, of: 2 } }))).toBe(
      "Sie sind Nummer 1 von 2 auf der Warteliste.",
    );
    expect(german(failureWords("no <such> text"))).toBe('<span lang="en">no &lt;such&gt; text</span>');
  });

  it("make an error page in the reader's language, with the time to wait", () => {
    const { body } = errorPage(failure("too_many_requests.attempts", {}, { retryAfter: 60 }));
    const text = typeof body === "function" ? body({ ...ANONYMOUS_READER, language: "de" }) : "";
    expect(text).toContain("Zu viele Versuche.");
    expect(text).toContain("in 60 Sekunden");
  });
});
