import { expect, it } from "vitest";
import { newPasswordField, passwordField } from "../../../src/worker/accounts/account-form.ts";
import { form } from "../../../src/worker/ui/form.ts";

it.each([
  ["current-password", passwordField()],
  ["new-password", newPasswordField({ label: "Password" })],
])("a %s is masked and works with password managers", (autocomplete, field) => {
  const shown = String(form({ action: "/", submit: "Go", fields: [field] }));
  expect(shown).toContain('type="password"');
  expect(shown).toContain(`autocomplete="${autocomplete}"`);
  // Browsers would cut what is pasted.
  expect(shown).not.toMatch(/maxlength|onpaste|autocomplete="off"/);
});
