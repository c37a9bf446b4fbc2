/** How often the bar is drawn, in milliseconds: on a terminal, and in a log. */
const DRAW_EVERY = { terminal: 200, log: 10_000 };
const WIDTH = 24;

/** A line that says how far a piece of work is, how fast it goes and how long it will take. */
export class ProgressBar {
  /** What stands before the bar. */
  label;
  #started = Date.now();
  #drawn = 0;
  #isTerminal = process.stderr.isTTY === true;

  constructor(label: string) {
    this.label = label;
  }

  /** `share`: of the work done, 0 to 1. `count`: records done in this run. */
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
