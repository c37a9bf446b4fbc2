import { CommandError, readOptions, runCommand } from "./lib/command.ts";
import { type Compared, type Difference, compareRecords } from "./lib/propose-differences.ts";
import { type Delivery, type Sender, EditSender, ProposalSender } from "./lib/propose-send.ts";
import { Source } from "./lib/propose-source.ts";
import { TARGET_HELP, TARGET_OPTIONS, type Target, call, targetOf } from "./lib/service.ts";

const HELP = `usage: npm run propose -- --to SOURCE_URL [--key KEY... | --all] [options]

Lists the works, editions and authors that were edited here and differ from those of the service that this one follows or
was loaded from, with a merge of both by member. Sends nothing, unless --send and records are named.

  --to URL       the source: another Carrel, Open Library, or a compatible service
  --key KEY      this record only, such as /works/OL1W; may be given again
  --all          with --send: all records that differ
  --send         sends the merged records, without conflicts
  --prefer ours  of conflicts in the records of --key our values are sent
  --as KIND      proposal: librarians there decide, with $PROPOSE_TOKEN or --to-token, a personal token of the source;
                 edit: saves the records, with the key pair $PROPOSE_ACCESS and $PROPOSE_SECRET, or --access and --secret
                 (default: edit if there is a key pair and no token)
  --json         prints a line of JSON for each record
  --rate N       requests a second to the source (default 1)
  --contact TEXT how its operator reaches you: an email or web address, sent with every request
${TARGET_HELP}`;

/** Maximum length of a value in the list, in characters. */
const VALUE_LENGTH = 500;
const COMMENT_LENGTH = 500;

const { env } = process;
const { values } = readOptions(HELP, {
  options: {
    ...TARGET_OPTIONS,
    to: { type: "string" },
    key: { type: "string", multiple: true, default: [] },
    all: { type: "boolean", default: false },
    send: { type: "boolean", default: false },
    prefer: { type: "string" },
    as: { type: "string" },
    "to-token": { type: "string", default: env["PROPOSE_TOKEN"] ?? "" },
    access: { type: "string", default: env["PROPOSE_ACCESS"] ?? "" },
    secret: { type: "string", default: env["PROPOSE_SECRET"] ?? "" },
    json: { type: "boolean", default: false },
    rate: { type: "string", default: "1" },
    contact: { type: "string" },
  },
});

/** Throws a `CommandError` for arguments that do not belong together. */
function check() {
  const { key, all, send, prefer, rate, as: kind } = values;
  const odd = key.find((name) => !/^\/(?:works|books|authors)\/[A-Z]{2}\d+[WMA]$/.test(name));
  if (odd !== undefined) throw new CommandError(`Not the key of a work, edition or author: ${odd}`);
  if (all && key.length > 0) throw new CommandError("Give --key or --all, not both.");
  if (send && !all && key.length === 0)
    throw new CommandError("Name the records to send: --key KEY, or --all.");
  if (prefer !== undefined && (prefer !== "ours" || key.length === 0))
    throw new CommandError("--prefer takes ours, for the records that --key names.");
  if (!(Number(rate) > 0)) throw new CommandError(`Not a number of requests a second: ${rate}`);
  if (kind !== undefined && kind !== "proposal" && kind !== "edit")
    throw new CommandError(`Not proposal or edit: ${kind}`);
}

/** Returns the sender for the operator's credentials. Throws without any. */
function senderTo(source: Source): Sender {
  const { access, secret, "to-token": token } = values;
  const hasKeys = access !== "" && secret !== "";
  const kind = values.as ?? (hasKeys && token === "" ? "edit" : "proposal");
  if (kind === "edit") {
    if (!hasKeys) throw new CommandError("An edit needs a key pair: PROPOSE_ACCESS and PROPOSE_SECRET.");
    return new EditSender(source, { access, secret });
  }
  if (token === "") throw new CommandError("A proposal needs a token of the source: PROPOSE_TOKEN.");
  return new ProposalSender(source, token);
}

/** Sends a merged record. If the source's changed meanwhile, it is merged anew, once. */
async function deliver(
  { difference, merge }: Compared,
  { sender, source, target }: { sender: Sender; source: Source; target: Target },
): Promise<Delivery> {
  let current = difference;
  for (let attempt = 1; ; attempt += 1) {
    if (current.state !== "differs") return { outcome: "known", detail: `meanwhile: ${current.state}` };
    const { key, revision, changes } = current;
    const names = Object.keys(changes).join(", ").slice(0, COMMENT_LENGTH);
    const delivery = await sender.send(current, `${names}: corrected at ${target.url}${key}?v=${revision}`);
    if (delivery.outcome !== "changed") return delivery;
    const theirs = (await source.readRecords([key])).get(key);
    const refusal: Delivery = { outcome: "refused", detail: delivery.detail || "changed there again" };
    if (attempt === 2 || theirs === undefined || merge === undefined) return refusal;
    const { there } = current;
    current = merge(theirs);
    // The conflict is of another kind, such as too many open proposals.
    if (current.there === there) return refusal;
  }
}

function print(difference: Difference, delivery: Delivery | undefined) {
  if (values.json) return console.log(JSON.stringify({ ...difference, ...(delivery && { delivery }) }));
  const { key, state, revision, there, members, left_out: leftOut } = difference;
  console.log(`${key}: ${state} (revision ${revision} here, ${there ?? "none"} there)`);
  for (const { name, ours, theirs, conflict } of members) {
    console.log(`  ${name}${conflict ? ", conflict" : ""}`);
    console.log(`    ours   ${JSON.stringify(ours).slice(0, VALUE_LENGTH)}`);
    console.log(`    theirs ${JSON.stringify(theirs).slice(0, VALUE_LENGTH)}`);
  }
  for (const [name, reason] of Object.entries(leftOut)) console.log(`  ${name} is left out: it ${reason}`);
  if (delivery !== undefined) console.log(`  ${delivery.outcome}: ${delivery.detail}`);
}

/** Warns if the service follows another source. */
async function checkSource(target: Target, source: Source) {
  const { position } = await call(target, "/system/follow.json?limit=1");
  if (position !== null && position.source !== source.url)
    console.error(`This service follows ${position.source}, not ${source.url}.`);
}

async function main() {
  const { to, key: keys, send, rate, contact, prefer } = values;
  if (to === undefined) return console.log(HELP);
  check();
  const source = new Source(to, { rate: Number(rate), contact });
  const sender = send ? senderTo(source) : undefined;
  const target = await targetOf(values);
  await checkSource(target, source);
  const counts = new Map<string, number>();
  const count = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  for await (const compared of compareRecords({ target, source, prefersOurs: prefer === "ours" }, keys)) {
    const { difference } = compared;
    count(difference.state);
    const isSent = sender !== undefined && difference.state === "differs";
    const delivery = isSent ? await deliver(compared, { sender, source, target }) : undefined;
    if (delivery !== undefined) count(delivery.outcome);
    print(difference, delivery);
  }
  if (counts.has("refused")) process.exitCode = 1;
  if (values.json) return;
  const sums = [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, number]) => `${number} ${name}`);
  console.log(sums.length === 0 ? "nothing was edited here" : sums.join(", "));
  if (counts.has("new here")) console.log("Records made here have no key there, so they cannot be proposed.");
}

await runCommand(main, "Stopped. The same command goes on from here.");
