// Most public clients have the address of Open Library written into them, and some ask other book services
// first. They are tested as they are: their requests are turned around where they leave the process. All of
// them go through `request` of node:http or node:https, most by way of axios or node-fetch, so these two
// functions are replaced. openlibrary.org becomes the service under test, and any host of the internet a
// server that knows no book, so that no test ever leaves the machine.

import http from "node:http";
import https from "node:https";
import { URL, urlToHttpOptions } from "node:url";

/** Base URLs: the main site, the cover store, and the server that stands for all other hosts. */
export interface Addresses {
  main: string;
  covers: string;
  elsewhere: string;
}

const VARIABLE = "CARREL_REROUTE";
const LOCAL = new Set(["127.0.0.1", "localhost", "::1", "[::1]"]);
const plainRequest = http.request;

/** Turns around what this process asks of hosts on the internet. */
export function reroute({ main, covers, elsewhere }: Addresses) {
  const targets = new Map([
    ["openlibrary.org", main],
    ["covers.openlibrary.org", covers],
  ]);
  // A proxy that the environment names would hide the host.
  process.env["no_proxy"] = "*";
  for (const module of [http, https]) {
    const send = module.request;
    const rerouted = (...args: unknown[]) => {
      const { options, onResponse } = parts(args);
      const host = options.hostname ?? options.host ?? "localhost";
      if (LOCAL.has(host)) return send(options, onResponse);
      const { protocol, hostname, port } = new URL(targets.get(host) ?? elsewhere);
      const target = { protocol, hostname, host: hostname, port, agent: undefined };
      return plainRequest({ ...options, ...target }, onResponse);
    };
    module.request = rerouted as typeof http.request;
  }
}

/** The arguments of `request` in one form: options, then the listener of the answer. */
function parts(args: unknown[]) {
  const [address, ...others] = args;
  const isAddress = typeof address === "string" || address instanceof URL;
  const own = isAddress ? others.find((other) => typeof other === "object") : address;
  const options = {
    ...(isAddress ? urlToHttpOptions(new URL(address)) : {}),
    ...(own as http.RequestOptions),
  } as http.RequestOptions;
  const onResponse = others.find((other) => typeof other === "function");
  return { options, onResponse: onResponse as (answer: http.IncomingMessage) => void };
}

/** Environment of a Node child process in which the same is done before its program runs. */
export function reroutedEnvironment(addresses: Addresses) {
  return { [VARIABLE]: JSON.stringify(addresses), NODE_OPTIONS: `--import=${import.meta.url}` };
}

const inherited = process.env[VARIABLE];
if (inherited !== undefined) reroute(JSON.parse(inherited));
