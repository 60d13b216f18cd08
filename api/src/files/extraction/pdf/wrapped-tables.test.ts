import { expect, test } from '@jest/globals';
import { withoutMarks } from '../place-marks.ts';
import { flowLines } from './flow-lines.ts';
import { linesOf, type TextRun } from './pdf-lines.ts';

const size = 10;
const run = (text: string, x: number, y: number): TextRun => ({
  text,
  x,
  y,
  width: text.length * (/[\u3400-\u9fff]/.test(text) ? size : size / 2),
  size,
});

/** The text of a page. */
const textOf = (runs: readonly TextRun[]) => withoutMarks(flowLines([linesOf(runs)]));

/** Rows of cells, each as its lines, drawn cell by cell; every cell is centred in its row, or at its top. */
function table(lefts: readonly number[], rows: readonly string[][][], isCentred: boolean): TextRun[] {
  let y = 100;
  return rows.flatMap((cells) => {
    const height = Math.max(...cells.map((lines) => lines.length)) * 12;
    const runs = cells.flatMap((lines, at) => {
      const top = isCentred ? y + (height - lines.length * 12) / 2 : y;
      return lines.map((line, index) => run(line, lefts[at]!, top + index * 12));
    });
    y += height + 8;
    return runs;
  });
}

const rows = [
  [['Code'], ['Cause'], ['What to do']],
  [['A1'], ['No paper', 'in tray 2'], ['Open the tray', 'and fill it up', 'to the mark']],
  [['A2'], ['Cover open'], ['Close it']],
  [['A3'], [], ['Call the', 'help desk']],
];
const expected = `| Code | Cause | What to do |
| --- | --- | --- |
| A1 | No paper in tray 2 | Open the tray and fill it up to the mark |
| A2 | Cover open | Close it |
| A3 |  | Call the help desk |`;

test.each([
  ['at the top of their rows', false],
  ['centred in their rows', true],
])('wrapped cells %s are one cell each', (_, isCentred) => {
  const runs = table([50, 120, 220], rows, isCentred);
  expect(textOf([...runs, run('Further help is in chapter nine of this manual.', 50, 320)])).toBe(
    `${expected}\n\nFurther help is in chapter nine of this manual.`,
  );
});

test('wrapped cells that are drawn line by line are one cell each', () => {
  const lines = [
    [run('Branch', 50, 100), run('Days', 150, 100), run('Remarks', 250, 100)],
    [run('Harbour', 50, 120), run('Mon to Sat', 150, 120), run('Keys can be returned', 250, 120)],
    [run('in the box', 250, 133)],
    [run('Station', 50, 153), run('daily', 150, 153), run('Booking only', 250, 153)],
  ];
  expect(textOf(lines.flat())).toBe(`| Branch | Days | Remarks |
| --- | --- | --- |
| Harbour | Mon to Sat | Keys can be returned in the box |
| Station | daily | Booking only |`);
});

test('names of columns that wrap, and narrow columns, are a table', () => {
  const cells = [
    [['房型'], ['每晚', '价格'], ['押金']],
    [['标准间'], ['320 元'], ['300 元']],
    [['家庭房', '带阳台'], ['520 元'], ['600 元']],
  ];
  expect(textOf(table([50, 90, 150], cells, true))).toBe(`| 房型 | 每晚价格 | 押金 |
| --- | --- | --- |
| 标准间 | 320 元 | 300 元 |
| 家庭房带阳台 | 520 元 | 600 元 |`);
});

test('a table after another one has its own columns', () => {
  const second = table(
    [50, 160],
    [
      [['Part'], ['Price']],
      [['Belt for the', 'long frame'], ['12 euros']],
      [['Lamp'], ['3 euros']],
    ],
    false,
  ).map((one) => ({ ...one, y: one.y + 300 }));
  const text = flowLines([
    linesOf([...table([50, 120, 220], rows, false), run('Parts', 50, 370), ...second]),
  ]);
  expect(text).toContain(expected);
  expect(text).toContain('| Belt for the long frame | 12 euros |');
});

test('sections, captions and labels begin paragraphs of their own', () => {
  const line = (text: string, y: number) => run(text, 50, y);
  const full = 'The deposit is paid back within a month, less damages.';
  const runs = [
    line(full, 100),
    line('1.1 Rates', 112),
    line('The rate is fixed each year by the board of the house.', 124),
    line('Figure 2: The way to the house', 136),
    line('Phone: 0421 33 890 and 0421 33 891, also on Saturdays.', 160),
    line('Fax: 0421 33 899 in the office of the board of owners.', 172),
  ];
  expect(textOf(runs).split('\n\n')).toEqual([
    full,
    '### 1.1 Rates',
    'The rate is fixed each year by the board of the house.',
    'Figure 2: The way to the house',
    'Phone: 0421 33 890 and 0421 33 891, also on Saturdays.',
    'Fax: 0421 33 899 in the office of the board of owners.',
  ]);
});

test('years may name columns', () => {
  const cells = [
    [['Figure'], ['2024'], ['2025']],
    [['Staff'], ['230'], ['245']],
    [['Profit'], ['12'], ['-3']],
  ];
  expect(textOf(table([50, 120, 220], cells, false))).toContain('| Staff | 230 | 245 |');
});
