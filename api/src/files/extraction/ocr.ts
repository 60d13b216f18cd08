import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { wide } from './pdf/pdf-lines.ts';

/** The Emscripten interface of the engine; tesseract.js-core has no types. */
interface Engine {
  FS: { writeFile(path: string, bytes: Uint8Array): void; unlink(path: string): void };
  TessBaseAPI: new () => EngineApi;
}

interface EngineApi {
  /** 0 if the languages were loaded. */
  Init(path: null, languages: string, mode: number): number;
  /** Reads /input. 1 for an unknown image format. */
  SetImageFile(orientation: number, angle: number): number;
  Recognize(monitor: null): number;
  GetTSVText(): string;
  Clear(): void;
}

type LoadEngine = (options: { TesseractProgress: (percent: number) => void }) => Promise<Engine>;

const languages = ['chi_sim', 'eng'] as const;

/** OEM_LSTM_ONLY, which matches the installed data. */
const lstm = 1;

const require = createRequire(import.meta.url);

/** Whether OCR is available: the engine and both languages are installed. */
export function isOcrAvailable(): boolean {
  try {
    require.resolve('tesseract.js');
    return languages.every((language) => existsSync(dataOf(language)));
  } catch {
    return false;
  }
}

let opened: Promise<Ocr | null> | undefined;

/** The engine of this process; null if it is not installed. */
export function openOcr(): Promise<Ocr | null> {
  opened ??= isOcrAvailable() ? startEngine() : Promise.resolve(null);
  return opened;
}

export type Ocr = Awaited<ReturnType<typeof startEngine>>;

/**
 * Recognises text in images. The memory of its engine is never released.
 * Uses the engine of tesseract.js without its frontend, which would start a thread and download missing data.
 * This process cannot download anything, and calls the engine synchronously.
 */
async function startEngine() {
  const load: LoadEngine = createRequire(require.resolve('tesseract.js'))(
    'tesseract.js-core/tesseract-core-simd-lstm',
  );
  let report: (percent: number) => void = () => undefined;
  const engine = await load({
    // The engine reports from 30 %: the layout analysis comes before.
    TesseractProgress: (percent) => report(Math.max(0, Math.round((percent - 30) / 0.7))),
  });
  for (const language of languages) {
    engine.FS.writeFile(`${language}.traineddata`, gunzipSync(readFileSync(dataOf(language))));
  }
  const api = new engine.TessBaseAPI();
  if (api.Init(null, languages.join('+'), lstm) !== 0) throw new Error('the language data cannot be read');

  return {
    /** PNG, JPEG, WebP or PNM; orientation as in EXIF. null: another format, '': no text. */
    read(
      image: Uint8Array,
      orientation: number,
      onProgress: (percent: number) => void = () => undefined,
    ): string | null {
      report = onProgress;
      engine.FS.writeFile('/input', image);
      try {
        if (api.SetImageFile(orientation, 0) === 1) return null;
        api.Recognize(null);
        return cleanOcr(api.GetTSVText());
      } finally {
        api.Clear();
        engine.FS.unlink('/input');
      }
    },
  };
}

function dataOf(language: string): string {
  const home = dirname(require.resolve(`@tesseract.js-data/${language}/package.json`));
  return join(home, '4.0.0_best_int', `${language}.traineddata.gz`);
}

interface Word {
  paragraph: string;
  line: string;
  text: string;
  /** 0–100. */
  confidence: number;
}

/** Minimum confidence of a word, and of a line on average. */
const minConfidence = 25;
const minLineConfidence = 65;

const cjk = /[\u3400-\u9fff\uf900-\ufaff]/;

/**
 * The recognised words as paragraphs. Noise, such as the grain of a photograph, is dropped: its confidence is
 * low and it forms no words.
 * @param table tab-separated output of Tesseract: level, page, block, paragraph, line, word, left, top,
 * width, height, confidence, text.
 */
function cleanOcr(table: string): string {
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
    const line = readLine(words);
    if (line === '') continue;
    if (text !== '') text += words[0]!.paragraph === paragraph ? '\n' : '\n\n';
    text += line;
    paragraph = words[0]!.paragraph;
  }
  return hasWords(text) ? text : '';
}

function readLine(words: readonly Word[]): string {
  const kept = words.filter(({ confidence }) => confidence >= minConfidence);
  const length = (some: readonly Word[]) => some.reduce((sum, { text }) => sum + text.length, 0);
  if (kept.length === 0 || length(kept) * 2 < length(words)) return '';
  const mean = words.reduce((sum, { text, confidence }) => sum + confidence * text.length, 0) / length(words);
  if (mean < minLineConfidence) return '';
  const line = kept.reduce(
    (joined, { text }) => `${joined}${needsSpace(joined, text) ? ' ' : ''}${text}`,
    '',
  );
  return hasWords(line) ? line : '';
}

function needsSpace(before: string, after: string): boolean {
  return before !== '' && !(wide.test(before.at(-1)!) || wide.test(after[0]!));
}

/** Whether it contains two Chinese characters, a word of three letters or a number. */
function hasWords(text: string): boolean {
  return (text.match(new RegExp(cjk, 'g'))?.length ?? 0) >= 2 || /\p{L}{3}|\d{2}/u.test(text);
}
