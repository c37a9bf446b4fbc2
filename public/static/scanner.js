// Reads ISBNs off the camera where the browser knows bar codes. The form below works without.
const scanner = document.getElementById("scanner");
const start = document.getElementById("scan-start");
const stop = document.getElementById("scan-stop");
const picture = document.getElementById("scan-picture");
const status = document.getElementById("scan-status");
const isbn = document.getElementById("isbn");

/** Milliseconds between two looks at the picture. */
const PAUSE = 200;
/** Bar codes of books: EAN-13 beginning with 978 or 979. */
const BOOK = /^97[89]\d{10}$/;

let stream;

async function knowsBarCodes() {
  if (!("BarcodeDetector" in window) || navigator.mediaDevices?.getUserMedia === undefined) return false;
  return (await BarcodeDetector.getSupportedFormats()).includes("ean_13");
}

async function scan() {
  status.textContent = "Looking for a bar code …";
  try {
    stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
  } catch {
    status.textContent = "The camera can’t be used. Type the ISBN.";
    return;
  }
  picture.srcObject = stream;
  show(true);
  // The button that was pressed is gone.
  stop.focus();
  await picture.play();
  const detector = new BarcodeDetector({ formats: ["ean_13"] });
  while (stream !== undefined) {
    const codes = await detector.detect(picture).catch(() => []);
    const found = codes.map((code) => code.rawValue).find((text) => BOOK.test(text));
    if (found !== undefined) return use(found);
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}

function use(found) {
  end();
  status.textContent = `Found ${found}.`;
  isbn.value = found;
  isbn.form.requestSubmit();
}

function end() {
  for (const track of stream?.getTracks() ?? []) track.stop();
  stream = undefined;
  picture.srcObject = null;
  show(false);
  status.textContent = "";
}

function show(isRunning) {
  picture.hidden = !isRunning;
  stop.hidden = !isRunning;
  start.hidden = isRunning;
}

start.addEventListener("click", scan);
stop.addEventListener("click", () => {
  end();
  start.focus();
});
if (await knowsBarCodes()) scanner.hidden = false;
else status.textContent = "This browser can’t read barcodes. Type the ISBN.";
