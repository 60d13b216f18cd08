import { afterAll, expect, test } from '@jest/globals';
import type { Language } from '../contract/language.ts';
import { forEachLanguage } from '../contract/language.ts';
import { createTable } from '../files/extraction/table-rows.ts';
import { type GeneratedTable, generateTables } from '../testing/generate-tables.ts';
import { openKnowledgeStore } from '../testing/knowledge-store.ts';
import { createAnswerer } from './create-answerer.ts';
import { createKnowledgeIndex } from './index/create-knowledge-index.ts';

/** Several passages each. */
const tables = generateTables(7, 60, 6);

const store = await openKnowledgeStore();
const index = createKnowledgeIndex(store.models);
for (const table of tables) {
  const { name, title, language } = table;
  const document = { _id: name, owner: '', title, language, text: textOf(table) };
  await store.models.documents.create({
    ...document,
    source: 'upload',
    type: 'csv',
    status: 'ready',
    createdAt: new Date(),
  });
  await index.put(document);
}
const handbook = { edition: 'none', starters: forEachLanguage(() => []), operations: [] };
const answerer = createAnswerer({ models: store.models, handbook });
afterAll(() => store.end());

function textOf({ head, rows }: GeneratedTable): string {
  const table = createTable(head, Number.POSITIVE_INFINITY);
  for (const row of rows) table.add(row);
  return table.text();
}

async function ask(question: { text: string; language: Language }) {
  const asked = { ...question, owner: 'guest:1', history: [] };
  let said = '';
  for await (const piece of answerer.answer(asked, new AbortController().signal)) {
    if (piece.kind === 'text') said += piece.text;
    if (piece.kind === 'final') return { said, ...piece };
  }
  throw new Error(`an answer must end with a final piece, got none for ${question.text}`);
}

test('a cell is found by its row and column in any passage of a table, and shown in its row under its column; the other cells are folded', async () => {
  const wrong: string[] = [];
  const lookUps = tables.flatMap((table) => table.lookUps.map((one) => ({ ...one, table })));
  const answered = lookUps.filter(({ answer }) => answer !== null);
  for (const { table, answer, ...question } of answered) {
    const { said, citations } = await ask(question);
    const [top = '', , ...lines] = said.split('\n').map((line) => line.replace(/ ?\[\d+\]/g, ''));
    const column = table.head[answer!.row.indexOf(answer!.cell)]!;
    const folded = citations.map(({ restOfRow = '' }) => restOfRow);
    const hasRow = lines.some(
      (line) =>
        line.includes(answer!.cell) &&
        answer!.row.every((cell) => line.includes(cell) || folded.some((rest) => rest.includes(cell))),
    );
    if (!hasRow || !top.includes(column)) wrong.push(`${question.text}\n${said}`);
    const text = textOf(table);
    for (const { quote, start, end } of citations) expect(text.slice(start, end)).toBe(quote);
  }
  expect(wrong.join('\n\n')).toBe('');
});

test('a missing row is not answered with another row', async () => {
  const missing = tables.flatMap((table) => table.lookUps.filter(({ lacks }) => lacks === 'row'));
  const answered: string[] = [];
  for (const { text, language } of missing) {
    const { said, source } = await ask({ text, language });
    if (source !== 'none') answered.push(`${text}\n${said}`);
  }
  // One in ten may name a row so nearly that it is taken for a misspelling.
  expect(answered.length).toBeLessThanOrEqual(missing.length / 10);
});
