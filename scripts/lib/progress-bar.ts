/** Minimum interval between redraws in milliseconds. */
const DRAW_EVERY = { terminal: 200, log: 10_000 };
const WIDTH = 24;

/** Shows progress, rate and remaining time on one line. */
export class ProgressBar {
  label;
  #started = Date.now();
  #drawn = 0;
  #isTerminal = process.stderr.isTTY === true;

  constructor(label: string) {
    this.label = label;
  }

  /** `share` is the completed fraction; `count` is the number of records processed in this run. */
  update(share: number, count: number) {
    const now = Date.now();
    if (now - this.#drawn < (this.#isTerminal ? DRAW_EVERY.terminal : DRAW_EVERY.log)) return;
    this.#drawn = now;
    const seconds = Math.max(0.001, (now - this.#started) / 1000);
    const left = share > 0.001 ? duration((seconds / share) * (1 - share)) : "?";
    const full = Math.round(share * WIDTH);
    const bar = `${"#".repeat(full)}${".".repeat(WIDTH - full)}`;
    const percent = `${Math.floor(share * 100)}`.padStart(3);
    this.#write(
      `${this.label} [${bar}] ${percent} %  ${count} records, ${Math.round(count / seconds)}/s, ${left} left`,
    );
  }

  done() {
    if (this.#isTerminal) process.stderr.write("\r\u001b[K");
  }

  #write(line: string) {
    process.stderr.write(this.#isTerminal ? `\r\u001b[K${line}` : `${line}\n`);
  }
}

export function duration(seconds: number) {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** Returns a number with its noun, such as `1 record` or `2 records`. */
export function counted(count: number, noun: string) {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
