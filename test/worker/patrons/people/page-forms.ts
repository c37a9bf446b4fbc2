/** A form with the fields that a browser would send unchanged. */
interface PageForm {
  readonly action: string;
  readonly fields: Record<string, string>;
}

/** Parses the POST forms in the main part of a page. */
export async function formsOf(html: string): Promise<PageForm[]> {
  const forms: { action: string; fields: Record<string, string> }[] = [];
  let name = "";
  const field = (value: string): void => {
    const form = forms.at(-1);
    if (form !== undefined) form.fields[name] = value;
  };
  const rewriter = new HTMLRewriter()
    .on("main form[method=post]", {
      element: (form) => {
        forms.push({ action: form.getAttribute("action") ?? "", fields: {} });
      },
    })
    .on(["input", "select", "textarea"].map((tag) => `main form[method=post] ${tag}`).join(", "), {
      element: (input) => {
        name = input.getAttribute("name") ?? "";
        field(input.getAttribute("value") ?? "");
      },
    })
    .on("main form[method=post] option[selected]", {
      element: (option) => field(option.getAttribute("value") ?? ""),
    });
  await rewriter.transform(new Response(html)).text();
  return forms;
}

/** Finds a form by the prefix of its action. */
export function formWith(forms: readonly PageForm[], action: string): PageForm {
  const form = forms.find((one) => one.action.startsWith(action));
  if (form === undefined)
    throw new Error(`no form for ${action} among ${forms.map((one) => one.action).join()}`);
  return form;
}

/** Builds the request of a form with some fields filled in. */
export function sent(form: PageForm, fields: Record<string, string> = {}): RequestInit {
  return {
    method: "POST",
    body: new URLSearchParams({ ...form.fields, ...fields }).toString(),
    headers: { "Content-Type": "application/x-www-form-urlencoded", Accept: "text/html" },
  };
}
