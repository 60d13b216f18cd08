/**
 * Control characters that move a terminal's cursor, change colours, or change the writing direction: any
 * visitor's page can report an error that contains them.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are searched for
const CONTROLS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Returns `text` reduced to lines of visible characters. */
export function plainText(text: string): string {
  return text.replace(CONTROLS, '\ufffd');
}

/** Like `plainText`, but in a single line, for a table cell. */
export function oneLine(text: string): string {
  return text.replace(/\s*[\r\n]\s*/g, ' ');
}
