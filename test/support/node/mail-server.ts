import { once } from "node:events";
import net from "node:net";
import { HOST } from "../../../scripts/lib/runtime.ts";

/** Starts a mail server (RFC 5321) that refuses the recipients of example.net. `received` has all that was sent to it. */
export async function startMailServer() {
  const state = { received: "", url: "", close: () => void server.close() };
  const server = net.createServer((socket) => {
    let isText = false;
    socket.write("220 mail.test\r\n");
    socket.on("error", () => socket.destroy());
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      state.received += chunk;
      if (isText && !state.received.endsWith("\r\n.\r\n")) return;
      const isRefused = !isText && /^RCPT TO:<\S+@example\.net>/im.test(chunk);
      isText = !isText && /^DATA\r\n/im.test(chunk);
      socket.write(
        isText ? "354 go on\r\n" : isRefused ? "550 no such person as ann@example.net\r\n" : "250 ok\r\n",
      );
    });
  });
  await once(server.listen(0, HOST), "listening");
  state.url = `smtp://${HOST}:${Object(server.address()).port}`;
  return state;
}
