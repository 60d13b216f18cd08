import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { DeskRecord } from '../../api/src/contract/records.ts';
import { QUESTIONS } from './questions.ts';

const handbook = path.join(import.meta.dirname, '../../api/handbook');
const newest = Date.UTC(2026, 10, 21, 9);

/**
 * Realistic records in both languages: answers are sections of the handbook with lists, tables and code, plus
 * words of uniformly distributed characters, so that many glyphs of the font are needed. Deterministic.
 */
export function benchRecords(count: number): DeskRecord[] {
  const sections = readSections();
  const characters = commonCharacters();
  const random = createRandom(7);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  return Array.from({ length: count }, (_, index) => {
    const words = Array.from({ length: 24 }, () => pick(characters)).join('');
    const askedAt = newest - index * 23 * 60_000;
    return {
      id: index.toString(16).padStart(24, '0'),
      conversationId: 'c'.repeat(24),
      contact: index % 3 === 0 ? null : { id: `138${String(10_000_000 + (index % 97))}`, name: '' },
      kind: 'chat',
      status: 'done',
      question: `${pick(QUESTIONS)}（${words.slice(0, 8)}）`,
      answer: `${pick(sections)}\n\n${words}。[1]`,
      citations: [
        { title: '使用手册', quote: pick(sections).slice(0, 80), start: 0, end: 80, href: '/api/passages/1' },
      ],
      source: (['document', 'curated', 'document', 'none'] as const)[index % 4]!,
      isImage: false,
      url: '',
      imgUrls: [],
      files: [],
      feedback: null,
      suggestions: [],
      model: '',
      reasoning: '',
      answeredSince: null,
      createdAt: new Date(askedAt).toISOString(),
      answeredAt: new Date(askedAt + 1800).toISOString(),
    };
  });
}

/** Sections of 100 to 1,200 characters, split by headings. */
function readSections(): string[] {
  const files = readdirSync(handbook, { recursive: true, withFileTypes: true }).filter(({ name }) =>
    name.endsWith('.md'),
  );
  const texts = files.map((file) => readFileSync(path.join(file.parentPath, file.name), 'utf8'));
  return texts
    .flatMap((text) => text.replaceAll(/<!--.*?-->\n*/gs, '').split(/^(?=#+ )/m))
    .map((section) => section.trim())
    .filter(({ length }) => length >= 100 && length <= 1200);
}

/** The 3,755 characters of everyday Chinese: level 1 of GB 2312. */
function commonCharacters(): string[] {
  const decoder = new TextDecoder('gb2312');
  const found: string[] = [];
  for (let high = 0xb0; high <= 0xd7; high += 1)
    for (let low = 0xa1; low <= 0xfe; low += 1) {
      const character = decoder.decode(Uint8Array.of(high, low));
      if (/^\p{Script=Han}$/u.test(character)) found.push(character);
    }
  return found;
}

/** In [0, 1); Park and Miller. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 16_807) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
