import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { type Language, languages } from '../../contract/language.ts';
import { fold } from '../../text/fold.ts';
import { englishStopWords } from '../../text/stop-words.ts';
import { runsOf, stemOf } from '../../text/terms.ts';
import { analysisVersion } from '../index/passage-terms.ts';
import { structureOf } from '../index/structure.ts';

export interface HandbookPage {
  /** Such as `zh/start`; independent of the page's content. */
  name: string;
  language: Language;
  title: string;
  /** Markdown without the comments that list other ways to ask for a section. */
  text: string;
  /** Other ways to ask for a section, by the start of its heading. */
  asks: Map<number, string[]>;
}

export type HandbookPair = z.infer<typeof pairsFile>[number] & { language: Language };
export type Handbook = Awaited<ReturnType<typeof readHandbook>>;

/** Names of the pages for operators. */
const operations = ['running', 'models', 'data', 'composition', 'troubleshooting'];

const pairsFile = z.array(
  z.strictObject({
    question: z.string().min(1),
    variants: z.array(z.string().min(1)).default([]),
    answer: z.string().min(1),
    /** Whether similar questions match too; false for greetings. */
    fuzzy: z.boolean().default(false),
  }),
);

/**
 * Reads `<folder>/<language>/*.md`, `pairs.json` and `synonyms.txt`. A language without a folder has no
 * handbook. A page's first heading is its title.
 *
 * @throws if a file cannot be read, a page has no title, or `pairs.json` is invalid.
 */
export async function readHandbook(folder: URL) {
  const hash = createHash('sha256').update(`analysis ${analysisVersion}\n`);
  const found = new Map<Language, Map<string, string>>();
  for (const language of languages) {
    const inside = new URL(`${language}/`, folder);
    const contents = new Map<string, string>();
    const files = existsSync(inside) ? await readdir(inside) : [];
    for (const file of files.sort()) {
      const content = (await readFile(new URL(file, inside), 'utf8')).replaceAll('\r\n', '\n');
      hash.update(`${join(language, file)} ${content.length}\n${content}`);
      contents.set(file, content);
    }
    found.set(language, contents);
  }
  const pagesOf = (language: Language) => [...found.get(language)!].filter(([file]) => file.endsWith('.md'));
  const nameOf = (file: string) => file.replace(/^\d+-|\.md$/g, '');
  const pageOf = (language: Language, [file, content]: [string, string]) =>
    readPage(content, `${language}/${nameOf(file)}`, language);

  return {
    /** Hash of the content and the version of the analysis; 16 hex digits. */
    edition: hash.digest('hex').slice(0, 16),
    /** Number of pages. */
    pages: languages.flatMap(pagesOf).length,
    /** Titles of the pages for operators. */
    operations: languages
      .flatMap(pagesOf)
      .filter(([file]) => operations.includes(nameOf(file)))
      .map(([, content]) => content.split('\n', 1)[0]!.slice('# '.length)),
    firstPage(language: Language): HandbookPage | undefined {
      const [first] = pagesOf(language);
      return first && pageOf(language, first);
    },
    /** Parses all pages and pairs, which is only necessary to index them. */
    parse(): { pages: HandbookPage[]; pairs: HandbookPair[] } {
      const pages: HandbookPage[] = [];
      const pairs: HandbookPair[] = [];
      for (const [language, contents] of found) {
        const synonymsOf = readSynonyms(contents.get('synonyms.txt') ?? '', language);
        pages.push(...pagesOf(language).map((page) => withSynonyms(pageOf(language, page), synonymsOf)));
        const own = pairsFile.parse(JSON.parse(contents.get('pairs.json') ?? '[]'));
        pairs.push(...own.map((pair) => ({ ...pair, language })));
      }
      return { pages, pairs };
    },
  };
}

/** Adds the synonyms of the words in a section's heading as one more way to ask for it. */
function withSynonyms(page: HandbookPage, synonymsOf: FindSynonyms): HandbookPage {
  const asks = new Map(page.asks);
  for (const block of structureOf(page.text)) {
    if (block.kind !== 'heading') continue;
    const synonyms = synonymsOf(page.text.slice(block.contentStart, block.end));
    if (synonyms !== '') asks.set(block.start, [...(asks.get(block.start) ?? []), synonyms]);
  }
  return { ...page, asks };
}

const asksComment = /^<!-- asks: (.*) -->$/;

/** Parses a page. The comment `<!-- asks: … | … -->` below a heading is removed from the text. */
function readPage(content: string, name: string, language: Language): HandbookPage {
  const asks = new Map<number, string[]>();
  const kept: string[] = [];
  let length = 0;
  let heading = -1;
  for (const line of content.split('\n')) {
    const comment = asksComment.exec(line);
    if (comment) {
      asks.set(
        heading,
        comment[1]!.split('|').map((ask) => ask.trim()),
      );
      continue;
    }
    if (line.startsWith('#')) heading = length;
    kept.push(line);
    length += line.length + 1;
  }
  const text = kept.join('\n');
  const first = structureOf(text)[0];
  if (first?.kind !== 'heading')
    throw new Error(`${name} must begin with a heading, got ${JSON.stringify(text.slice(0, 40))}`);
  return { name, language, title: text.slice(first.contentStart, first.end).trim(), text, asks };
}

/** Synonyms of the words in a heading of the handbook, without stop words; '' if there are none. */
type FindSynonyms = (heading: string) => string;

/**
 * Reads the synonyms of the handbook: one set per line, separated by `|`. They are indexed with the sections
 * whose headings contain one of them. They do not affect questions or other documents.
 */
export function readSynonyms(content: string, language: Language): FindSynonyms {
  const sets = content
    .split('\n')
    .map((line) => line.split('|').map((word) => word.trim()))
    .map((words) => ({ words, keys: words.map((word) => keyOf(word, language)) }));
  return (heading) => {
    const key = keyOf(heading, language);
    const named = sets.filter(({ keys }) =>
      keys.some(
        (one) => one.length > 1 && (language === 'zh' ? key.includes(one) : ` ${key} `.includes(` ${one} `)),
      ),
    );
    const words = named.flatMap((one) => one.words.flatMap((word) => word.split(' ')));
    return [...new Set(words)].filter((word) => !englishStopWords.has(stemOf(word))).join(' ');
  };
}

function keyOf(words: string, language: Language): string {
  if (language === 'zh') return fold(words);
  return runsOf(words)
    .map((run) => stemOf(run.text))
    .join(' ');
}
