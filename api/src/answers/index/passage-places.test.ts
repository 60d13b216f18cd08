import { expect, test } from '@jest/globals';
import { placeAt } from './passage-places.ts';
import { passagesOf } from './passages-of.ts';

/** Where each line of a document is found, by its passage. */
function placesOf(text: string, places: { start: number; page?: number; sheet?: string; row?: number }[]) {
  const document = { _id: 'd', owner: '', name: 'd', title: 'T', language: 'en' as const, edition: '' };
  const passages = [...passagesOf({ ...document, text, places, asks: new Map() })];
  return passages.flatMap(({ passage }) => {
    let start = passage.start;
    return passage.text.split('\n').map((line) => {
      const position = start;
      start += line.length + 1;
      return [line, placeAt(passage, position)] as const;
    });
  });
}

test('row numbers continue in each passage of a table, and end with the table', () => {
  const rows = Array.from({ length: 200 }, (_, at) => `| bolt ${at} | shelf ${at} |`);
  const table = `| Name | Place |\n| --- | --- |\n${rows.join('\n')}`;
  const text = `${table}\n\nThe store closes at noon.\n`;
  const found = placesOf(text, [{ start: 0, sheet: 'Stock', row: 1 }]);
  for (const [line, place] of found) {
    const bolt = /^\| bolt (\d+) /.exec(line)?.[1];
    if (bolt) expect(place).toEqual({ sheet: 'Stock', row: Number(bolt) + 2 });
    if (line.startsWith('The store')) expect(place).toEqual({ sheet: 'Stock' });
  }
  expect(found.filter(([line]) => line.startsWith('| bolt')).length).toBeGreaterThanOrEqual(200);
});

test('a passage across a page break has both pages', () => {
  const first = 'The first page says one thing.\n\n';
  const found = placesOf(`${first}The second page says another.`, [
    { start: 0, page: 1 },
    { start: first.length, page: 2 },
  ]);
  expect(found.flatMap(([line, place]) => (line ? [[line.slice(4, 9), place]] : []))).toEqual([
    ['first', { page: 1 }],
    ['secon', { page: 2 }],
  ]);
});

test('a document without places has none', () => {
  expect(placesOf('One line.', [])).toEqual([['One line.', null]]);
});
