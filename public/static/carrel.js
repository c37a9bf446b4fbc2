// What makes the pages more convenient; every one of them works without. No page waits for it.

/** Milliseconds that somebody has typed nothing before something is looked up; and before what moves is asked for again. */
const PAUSE = 180;
const AGAIN = 15000;
/** Characters that are looked up, at least. */
const SHORTEST = 3;

/** Path of the site on its host. Keys of records do not have it. */
const ROOT = new URL(import.meta.url).pathname.replace(/\/static\/(?:build\/)?[^/]*$/, "");

const make = (name, attributes = {}, text = "") => {
  const element = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
  element.textContent = text;
  return element;
};

// Menus close by Escape, and when something else is used.
document.addEventListener("keydown", ({ key, target }) => {
  if (key !== "Escape") return;
  const menu = target.closest?.("details:is(.account, .menu)[open]");
  if (!menu) return;
  menu.open = false;
  menu.querySelector("summary").focus();
});
document.addEventListener("click", ({ target }) => {
  for (const menu of document.querySelectorAll("details:is(.account, .menu)[open]")) {
    if (!menu.contains(target)) menu.open = false;
  }
});

// Forms that change one thing are sent without leaving the page, which comes back and is put where it was.
document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.matches("[data-in-place]")) return;
  event.preventDefault();
  const body = new URLSearchParams(new FormData(form, event.submitter));
  const headers = { Accept: "text/html" };
  try {
    const answer = await fetch(form.action, { method: "POST", headers, body });
    if (!answer.ok) return form.submit();
    const next = new DOMParser().parseFromString(await answer.text(), "text/html");
    // All forms of the book: rating it can move it. Those of notices come and go.
    const action = CSS.escape(form.getAttribute("action"));
    const forms = ":not(.notice) > form[data-in-place]";
    const same = `${forms}[action^="${CSS.escape(form.getAttribute("action").replace(/[^/]*$/, ""))}"]`;
    for (const [at, old] of [...document.querySelectorAll(same)].entries()) {
      const made = next.querySelectorAll(same)[at];
      if (made) old.replaceWith(made);
    }
    const place = document.querySelector(`${forms}[action="${action}"]`);
    const notice = next.querySelector("main > .notice");
    if (notice) {
      for (const old of document.querySelectorAll("main > .notice, .toast")) old.remove();
      // Over the end of the window, so that nothing moves; after the form, so that Tab leads to it.
      notice.classList.add("toast");
      if (place) place.parentElement.after(notice);
      else document.querySelector("main").prepend(notice);
    }
    place?.querySelector("button, summary")?.focus();
  } catch {
    form.submit();
  }
});

// What moves is sent as it moves, while somebody looks.
let moves;
const watch = () => {
  moves?.close();
  if (document.hidden || !document.querySelector("[data-live]")) return;
  moves = new EventSource(location.href);
  moves.onmessage = ({ data, target }) => {
    const made = new DOMParser().parseFromString(data, "text/html").body.firstElementChild;
    const old = document.getElementById(made.id);
    // Nobody is disturbed who is in it.
    if (!old || old.contains(document.activeElement) || old.querySelector("details[open]")) return;
    old.replaceWith(made);
    if (!("live" in made.dataset)) target.close();
  };
  // Where it is refused, the browser does not come again by itself.
  moves.onerror = ({ target }) => target.readyState === EventSource.CLOSED && setTimeout(watch, AGAIN);
};
watch();
document.addEventListener("visibilitychange", watch);

/** What an answer of one of our lists has of each entry. */
const entryOf = (row, counted) => {
  const { key, name, title, full_title: full, birth_date: birth, death_date: death, author_name: by } = row;
  const note = by?.join?.(", ") ?? [birth, death].filter(Boolean).join("–");
  const count = row.edition_count ?? row.work_count ?? 0;
  const apart = counted ? [row.first_publish_year, `${counted}: ${count}`, key?.split("/")[2]] : [];
  return {
    key,
    text: full ?? title ?? name ?? key,
    note: [note, ...apart].filter(Boolean).join(", "),
    folder: key?.split("/")[1],
  };
};

/**
 * Makes a field a combobox (WAI-ARIA, editable with list): `sources` are addresses that take `?q=`, and `pick` is called
 * with what was chosen.
 */
function combobox(input, sources, pick) {
  const list = make("ul", { class: "options", role: "listbox", id: `${input.id}-options`, hidden: "" });
  const label = input.labels?.[0]?.textContent;
  if (label) list.setAttribute("aria-label", label);
  const said = make("span", { class: "unseen", role: "status" });
  input.after(list, said);
  input.parentElement.classList.add("suggests");
  const states = { role: "combobox", "aria-autocomplete": "list", "aria-controls": list.id, "aria-expanded": "false" };
  for (const [name, value] of Object.entries(states)) input.setAttribute(name, value);
  // Keys that are not offered, and what their editions or works are called where twins are told apart.
  const { without, counted } = input.closest("[data-picker]")?.dataset ?? {};
  const left = without?.split(" ") ?? [];
  let entries = [];
  let at = -1;
  let timer;
  let turn = 0;

  const show = (isOpen) => {
    list.hidden = !isOpen;
    input.setAttribute("aria-expanded", String(isOpen));
    if (!isOpen) mark(-1);
  };
  const mark = (next) => {
    at = next;
    for (const [index, option] of [...list.children].entries()) {
      option.setAttribute("aria-selected", String(index === at));
      if (index === at) option.scrollIntoView({ block: "nearest" });
    }
    if (at === -1) input.removeAttribute("aria-activedescendant");
    else input.setAttribute("aria-activedescendant", list.children[at].id);
  };
  const choose = (index) => {
    const entry = entries[index];
    show(false);
    if (entry) pick(entry);
  };
  const look = async () => {
    const q = input.value.trim();
    const mine = (turn += 1);
    if (q.length < SHORTEST) return show(false);
    const find = (correct) => Promise.all(
      sources.map(async (source) => {
        const address = new URL(source, location.href);
        address.searchParams.set("q", q);
        address.searchParams.set("limit", 5 + left.length);
        address.searchParams.set("correct", correct);
        const answer = await fetch(address);
        const json = answer.ok ? await answer.json() : [];
        const rows = (Array.isArray(json) ? json : (json.docs ?? [])).filter(({ key }) => !left.includes(key));
        return rows.slice(0, 5).map((row) => entryOf(row, counted));
      }),
    );
    // Most titles are no author, which only a correction shows: several sources are asked for one if all find nothing.
    let found = sources.length > 1 ? (await find(false)).flat() : [];
    if (found.length === 0 && mine === turn) found = (await find(true)).flat();
    if (mine !== turn) return;
    entries = found;
    list.replaceChildren(
      ...entries.map(({ text, note, folder }, index) => {
        const kind = input.dataset[folder];
        const option = make("li", { role: "option", id: `${list.id}-${index}`, "aria-selected": "false", dir: "auto" }, text);
        for (const [words, name] of [[note, "soft"], [kind, "kind"]]) {
          if (words) option.append(" ", make("small", { class: name, dir: "auto" }, words));
        }
        option.addEventListener("pointerdown", (event) => event.preventDefault());
        option.addEventListener("click", () => choose(index));
        return option;
      }),
    );
    said.textContent = String(entries.length);
    show(entries.length > 0);
  };

  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => look().catch(() => show(false)), PAUSE);
  });
  input.addEventListener("blur", () => show(false));
  input.addEventListener("keydown", (event) => {
    if (list.hidden) return;
    const last = entries.length - 1;
    if (event.key === "ArrowDown") mark(at === last ? -1 : at + 1);
    else if (event.key === "ArrowUp") mark(at === -1 ? last : at - 1);
    else if (event.key === "Escape") show(false);
    else if (event.key === "Enter" && at !== -1) choose(at);
    else return;
    event.preventDefault();
  });
}

for (const input of document.querySelectorAll("input[data-suggest]")) {
  combobox(input, input.dataset.suggest.split(" "), ({ key }) => location.assign(ROOT + key));
}
for (const picker of document.querySelectorAll("[data-picker]")) {
  const input = picker.querySelector("input[id]");
  const [hidden, found] = ["", "_found"].map((end) => picker.querySelector(`input[type=hidden][name="${CSS.escape(input.id + end)}"]`));
  if (!hidden) continue;
  picker.querySelector("button[name=find]").hidden = true;
  input.addEventListener("input", () => (hidden.value = ""));
  combobox(input, [picker.dataset.picker], ({ key, text }) => {
    input.value = text;
    hidden.value = key;
    if (found) found.value = text;
    picker.dispatchEvent(new Event("change", { bubbles: true }));
  });
}
// Names that are picked go to the others, which stand in one text.
for (const terms of document.querySelectorAll("[data-terms]")) {
  const [all, input] = [terms.querySelector("textarea"), terms.querySelector("input[id]")];
  terms.querySelector("button[name=find]").hidden = true;
  combobox(input, [terms.dataset.terms], ({ key, text }) => {
    const quoted = "keys" in terms.dataset ? key : terms.dataset.between === ", " && /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    all.value = [all.value.trim().replace(/[,;]$/, ""), quoted].filter(Boolean).join(terms.dataset.between);
    input.value = "";
    all.dispatchEvent(new Event("input", { bubbles: true }));
  });
}
// What is typed is looked at by the service, which says what it thinks of it in the place that the field names.
for (const input of document.querySelectorAll("input[data-check]")) {
  let timer;
  let turn = 0;
  const look = async () => {
    const mine = (turn += 1);
    const answer = await fetch(input.dataset.check + encodeURIComponent(input.value), { headers: { Accept: "text/html" } });
    const next = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById(`${input.id}-state`);
    if (next && mine === turn) document.getElementById(next.id).replaceChildren(...next.childNodes);
  };
  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => look().catch(() => {}), PAUSE * 2);
  });
}
// Images can be dropped on the form, or pasted into the page.
for (const input of document.querySelectorAll("input[type=file][data-drop]")) {
  const take = (data) => {
    if (!data?.files.length) return;
    input.files = data.files;
    document.getElementById(input.dataset.drop).textContent = input.files[0].name;
  };
  input.form.addEventListener("dragover", (event) => event.preventDefault());
  input.form.addEventListener("drop", (event) => {
    event.preventDefault();
    take(event.dataTransfer);
  });
  document.addEventListener("paste", ({ clipboardData }) => take(clipboardData));
  input.addEventListener("change", () => take(input));
}
// The box of a page's request shows its answer once it is opened.
for (const box of document.querySelectorAll("details[data-answer]")) {
  const show = async () => {
    const answer = await fetch(box.dataset.answer, { headers: { Accept: "application/json" } });
    const output = document.createElement("pre");
    output.dir = "ltr";
    output.tabIndex = 0;
    output.setAttribute("role", "status");
    output.textContent = JSON.stringify(await answer.json(), null, 2).slice(0, 20_000);
    box.append(output);
  };
  box.addEventListener("toggle", () => show().catch(() => {}), { once: true });
}
