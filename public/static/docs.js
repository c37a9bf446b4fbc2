// Examples of the reference run in their place; without this script they lead to the answer.

/** Characters of an answer that are shown. */
const SHOWN = 20_000;

for (const form of document.querySelectorAll("form.run")) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const address = `${form.getAttribute("action")}?${new URLSearchParams(new FormData(form))}`;
    let output = form.querySelector("pre.answer");
    if (!output) {
      output = document.createElement("pre");
      output.className = "answer";
      output.dir = "ltr";
      output.tabIndex = 0;
      output.setAttribute("role", "status");
      form.append(output);
    }
    try {
      const answer = await fetch(address, { headers: { Accept: "application/json" } });
      const type = answer.headers.get("Content-Type") ?? "";
      const text = /json|text|xml|javascript/.test(type) ? await answer.text() : "";
      const shown = type.startsWith("application/json") ? JSON.stringify(JSON.parse(text), null, 2) : text;
      const { pathname, search } = new URL(answer.url);
      output.textContent = `${decodeURI(pathname)}${search}\n${answer.status} ${type}\n\n${shown.slice(0, SHOWN)}`;
    } catch (error) {
      output.textContent = String(error);
    }
  });
}

// Each sample has a button that copies it.
for (const sample of document.querySelectorAll("pre.sample")) {
  const { textContent: text } = sample;
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = "Copy"), 2000);
  });
  sample.append(button);
}
