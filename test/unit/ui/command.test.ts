import { describe, expect, it } from "vitest";
import { failure, Failure } from "../../../src/worker/http/failure.ts";
import type { RequestContext } from "../../../src/worker/http/operation.ts";
import { command } from "../../../src/worker/ui/command.ts";
import { type InputField, form } from "../../../src/worker/ui/form.ts";

const url = new URL("http://carrel.test/form");
const request = new Request(url, { method: "POST", headers: { Accept: "text/html" } });
// Commands read nothing else before their views.
const context = { url, request, cookies: [], settings: { BASE_URL: "" } } as unknown as RequestContext;
const INPUT = { path: {}, query: {}, form: {}, json: undefined };
const ABOUT = { id: "change", summary: "Change", tag: "editing", responses: {} };

describe("command", () => {
  it("shows the form again if the action is refused, with the status of the refusal", async () => {
    const change = command({
      ...ABOUT,
      submit() {
        throw failure("conflict.batch_name");
      },
      again: ({ message }) => ({ status: 200, body: message }),
    });
    expect(await change.handle(INPUT, context)).toMatchObject({ status: 409 });
  });

  it("does not take an error after the action for a refusal", async () => {
    const change = command({
      ...ABOUT,
      submit: () => ({}),
      page() {
        throw failure("unavailable.slow");
      },
      again: () => ({ status: 200, body: "refused" }),
    });
    await expect(change.handle(INPUT, context)).rejects.toMatchObject({ status: 503 });
  });
});

describe("form", () => {
  const FIELDS: InputField[] = [{ name: "title", label: "Title" }];
  const refusalAt = (field: string) =>
    new Failure(422, "validation", { reasons: [{ field, text: { key: "bad_data.missing_field" } }] });
  const shown = (refusal: Failure) =>
    String(form({ action: "/form", fields: FIELDS, submit: "Send", refusal }));

  it.each([
    ["at its field", "title", '<a href="#title">Fill in this field'],
    ["in the summary, if no field has it", "other", "<li>Fill in this field"],
  ])("shows a reason %s", (_place, field, expected) => {
    expect(shown(refusalAt(field))).toContain(expected);
  });
});
