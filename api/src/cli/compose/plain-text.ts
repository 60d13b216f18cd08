/** What moves a terminal's cursor, colours it, or turns the direction of writing: anybody's page may report an error that has it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const CONTROLS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** `text` with nothing in it but lines of visible characters. */
export function plainText(text: string): string {
  return text.replace(CONTROLS, '\ufffd');
}

/** The same in one line, for a cell of a table. */
export function oneLine(text: string): string {
  return text.replace(/\s*[\r\n]\s*/g, ' ');
}
