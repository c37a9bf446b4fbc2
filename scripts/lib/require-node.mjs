// The first import of every command: it ends with a sentence where Node is too old, before anything fails that needs a
// newer one. It is written so that old versions can read it.

/**
 * Ends the process unless Node is new enough.
 * @param {number} major
 * @param {number} minor
 * @param {string} command
 */
export function requireNode(major, minor, command) {
  const [ownMajor = 0, ownMinor = 0] = process.versions.node.split(".").map(Number);
  if (ownMajor > major || (ownMajor === major && ownMinor >= minor)) return;
  const hint =
    "Run it by npm, which takes the one of the packages where there is one, or install a newer one.";
  console.error(
    `${command} needs Node ${major}.${minor} or newer; this is ${process.versions.node}. ${hint}`,
  );
  process.exit(1);
}

requireNode(20, 19, "Carrel");
