const esc = String.fromCharCode(0x1b);
const bell = String.fromCharCode(0x07);
/** Colours and cursor movements, titles and links; see ECMA-48, 5.4 and 8.3.89. */
const marks = new RegExp(
  `${esc}(?:\\[[0-?]*[ -/]*[@-~]|\\][^${bell}${esc}]{0,2000}(?:${bell}|${esc}\\\\))`,
  'g',
);

/** Removes terminal escape sequences for colours, titles and links, which logs contain on every line. */
export function withoutTerminalMarks(text: string): string {
  return text.includes(esc) ? text.replace(marks, '') : text;
}
