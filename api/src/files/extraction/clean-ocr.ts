import { wide } from './pdf-lines.ts';

interface Word {
  paragraph: string;
  line: string;
  text: string;
  /** 0–100. */
  confidence: number;
}

/** Minimum confidence of a word, and of a line on average. */
const sure = 25;
const sureLine = 65;

const cjk = /[\u3400-\u9fff\uf900-\ufaff]/;

/**
 * The recognised words as paragraphs. Noise, such as the grain of a photograph, is dropped: its confidence is
 * low and it forms no words.
 * @param table tab-separated output of Tesseract: level, page, block, paragraph, line, word, left, top,
 * width, height, confidence, text.
 */
export function cleanOcr(table: string): string {
  const lines = new Map<string, Word[]>();
  for (const row of table.split('\n')) {
    const cells = row.split('\t');
    if (cells[0] !== '5' || !cells[11]?.trim()) continue;
    const paragraph = cells.slice(1, 4).join(' ');
    const line = `${paragraph} ${cells[4]}`;
    const word: Word = { paragraph, line, text: cells[11].trim(), confidence: Number(cells[10]) };
    lines.set(line, [...(lines.get(line) ?? []), word]);
  }
  let text = '';
  let paragraph = '';
  for (const words of lines.values()) {
    const said = readLine(words);
    if (said === '') continue;
    if (text !== '') text += words[0]!.paragraph === paragraph ? '\n' : '\n\n';
    text += said;
    paragraph = words[0]!.paragraph;
  }
  return isWorthIt(text) ? text : '';
}

function readLine(words: readonly Word[]): string {
  const kept = words.filter(({ confidence }) => confidence >= sure);
  const length = (some: readonly Word[]) => some.reduce((sum, { text }) => sum + text.length, 0);
  if (kept.length === 0 || length(kept) * 2 < length(words)) return '';
  const mean = words.reduce((sum, { text, confidence }) => sum + confidence * text.length, 0) / length(words);
  if (mean < sureLine) return '';
  const line = kept.reduce((said, { text }) => `${said}${needsSpace(said, text) ? ' ' : ''}${text}`, '');
  return isWorthIt(line) ? line : '';
}

function needsSpace(before: string, after: string): boolean {
  return before !== '' && !(wide.test(before.at(-1)!) || wide.test(after[0]!));
}

/** Whether it contains two Chinese characters, a word of three letters or a number. */
function isWorthIt(text: string): boolean {
  return (text.match(new RegExp(cjk, 'g'))?.length ?? 0) >= 2 || /\p{L}{3}|\d{2}/u.test(text);
}
