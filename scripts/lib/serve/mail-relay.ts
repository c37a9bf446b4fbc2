import { randomBytes } from "node:crypto";
import http from "node:http";
import { createTransport } from "nodemailer";
import { CommandError } from "../command.ts";
import { isSecret } from "./requests.ts";
import { HOST } from "../runtime.ts";

/** Longest email in bytes: they are texts of a few lines. */
const MAIL_BYTES = 256 * 1024;
/** Time of each step of SMTP, in milliseconds: the worker waits ten seconds. */
const STEP_MS = 8000;

/**
 * Opens a mailer for the worker, which cannot speak SMTP: it posts emails as `{from, to, subject, text}`. Returns the
 * settings that lead there, and a function that closes it.
 */
export async function openMailRelay(smtpUrl: string) {
  if (!/^smtps?:\/\/\S+$/.test(smtpUrl)) {
    throw new CommandError("SMTP_URL must be an address such as smtps://user:password@mail.example.org.");
  }
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: STEP_MS,
    greetingTimeout: STEP_MS,
    socketTimeout: STEP_MS,
  });
  const token = randomBytes(32).toString("base64url");
  const server = http.createServer(async (request, response) => {
    const status = isSecret(request.headers.authorization, token) ? await send(request) : 401;
    response.writeHead(status).end();
  });
  async function send(request: http.IncomingMessage) {
    try {
      const { from, to, subject, text } = JSON.parse(await bodyOf(request));
      await transport.sendMail({ from, to, subject, text, disableFileAccess: true, disableUrlAccess: true });
      return 204;
    } catch (error) {
      // Neither recipient nor text: servers repeat addresses in their refusals.
      const { code = "unknown", responseCode = 0 } = Object(error);
      console.error(`mail: not sent (${code} ${responseCode})`);
      return 502;
    }
  }
  await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
  const { port } = Object(server.address());
  return {
    settings: { MAIL_URL: `http://${HOST}:${port}/`, MAIL_TOKEN: token },
    close() {
      server.close();
      server.closeAllConnections();
      transport.close();
    },
  };
}

async function bodyOf(request: http.IncomingMessage) {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MAIL_BYTES) throw new CommandError("an email that is too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
