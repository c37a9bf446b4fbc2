import type { Problem } from "../../accounts/problems.ts";
import type { Reply } from "../../http/reply.ts";
import { accountPage } from "../account/account-page.ts";
import { form } from "../../ui/form.ts";
import { markup } from "../../ui/markup.ts";
import { link } from "../../ui/parts.ts";

/** What the page of the removal knows. */
export interface RemovePage {
  readonly username: string;
  readonly hasPassword: boolean;
  readonly problems?: readonly Problem[];
}

/** The form with which somebody removes his account. */
export function removePage({ username, hasPassword, problems = [] }: RemovePage): Reply {
  const errorOf = (field: string): string | undefined =>
    problems.find((problem) => problem.field === field)?.message;
  const password = {
    name: "password",
    label: "Your password",
    type: "password",
    required: true,
    autocomplete: "current-password",
    error: errorOf("password"),
  } as const;
  const body = markup`<p>This cannot be undone. Your shelves, notes, reading dates, goals, lists, loans, your profile and your address
are deleted. How often a book was read and rated stays counted, under no name. What you changed in the catalog stays in its
history.</p>
<p>You can ${link("/account/import", "download what you have here")} first.</p>
${form({
  action: "/account/remove",
  fields: [
    {
      name: "confirm",
      label: `Your username, ${username}`,
      required: true,
      autocomplete: "off",
      error: errorOf("confirm"),
    },
    ...(hasPassword ? [password] : []),
  ],
  submit: "Remove my account",
})}`;
  return accountPage({ title: "Remove your account", body, status: problems.length > 0 ? 400 : 200 });
}
