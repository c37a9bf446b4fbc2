import type { Call } from "./first-calls.ts";

/** Languages of the samples, in the order in which they are shown. */
export const SAMPLE_LANGUAGES = ["curl", "JavaScript", "Python"] as const;

interface Request extends Pick<Call, "method" | "body" | "form" | "session" | "file"> {
  /** Absolute URL, with all placeholders filled. */
  readonly url: string;
}

const TOKEN = { name: "Authorization", value: "Bearer PERSONAL_TOKEN" };

/** Writes a request as a program. A sample with a session goes on from the one that opens it. */
export function writeSample(language: (typeof SAMPLE_LANGUAGES)[number], request: Request): string {
  switch (language) {
    case "curl":
      return writeCurl(request);
    case "JavaScript":
      return writeJavaScript(request);
    case "Python":
      return writePython(request);
  }
}

function writeCurl({ url, body, form = {}, session, file }: Request): string {
  const lines = [
    file === undefined ? "curl -L" : `curl -L -o ${file}`,
    ...(session === "opens" ? ["-c cookies.txt"] : []),
    ...(session === "needed" ? ["-b cookies.txt"] : []),
    ...(session === "token" ? [`-H '${TOKEN.name}: ${TOKEN.value}'`] : []),
    ...Object.entries(form).map((field) => `-d ${field.join("=")}`),
    ...(body === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `-d ${shellQuote(JSON.stringify(body))}`]),
  ];
  return `${lines.join(" \\\n  ")} ${lines.length > 1 ? "\\\n  " : ""}${shellQuote(url)}`;
}

/** Quotes a text for a shell: a quote in it ends the quoted text, stands alone, and begins it again. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function writeJavaScript({ url, method, body, form, session, file }: Request): string {
  const headers = {
    ...(body !== undefined && { "Content-Type": `"application/json"` }),
    ...(session === "needed" && { Cookie: "cookie" }),
    ...(session === "token" && { [TOKEN.name]: `"${TOKEN.value}"` }),
  };
  const options = [
    ...(method === undefined ? [] : [`method: "${method}"`]),
    ...(Object.keys(headers).length === 0
      ? []
      : [
          `headers: { ${Object.entries(headers)
            .map(([name, value]) => `${name.includes("-") ? `"${name}"` : name}: ${value}`)
            .join(", ")} }`,
        ]),
    ...(body === undefined ? [] : [`body: JSON.stringify(${JSON.stringify(body)})`]),
    ...(form === undefined ? [] : [`body: new URLSearchParams(${JSON.stringify(form)})`]),
  ];
  const call = `await fetch(${JSON.stringify(url)}${options.length === 0 ? "" : `, {\n  ${options.join(",\n  ")},\n}`})`;
  if (file !== undefined) {
    return `import { writeFile } from "node:fs/promises";\n\nconst response = ${call};\nawait writeFile("${file}", Buffer.from(await response.arrayBuffer()));`;
  }
  if (session === "opens") {
    return `const login = ${call};\nconst cookie = login.headers.getSetCookie().map((line) => line.split(";")[0]).join("; ");\nconsole.log(await login.json());`;
  }
  return `const response = ${call};\nconsole.log(await response.json());`;
}

function writePython({ url, method, body, form, session, file }: Request): string {
  const hasSession = session === "opens" || session === "needed";
  const sender = hasSession ? "session" : "requests";
  const json = [
    body !== undefined && `, json=${JSON.stringify(body)}`,
    form !== undefined && `, data=${JSON.stringify(form)}`,
    session === "token" && `, headers={"${TOKEN.name}": "${TOKEN.value}"}`,
  ]
    .filter((part) => part !== false)
    .join("");
  const call = `${sender}.${method === undefined ? "get" : "post"}(${JSON.stringify(url)}${json})`;
  if (file !== undefined) {
    return `import requests\n\nwith open("${file}", "wb") as file:\n    file.write(${call}.content)`;
  }
  const start = session === "opens" ? "import requests\n\nsession = requests.Session()\n" : "";
  return `${hasSession ? start : "import requests\n\n"}print(${call}.json())`;
}
