import { describe, expect, test } from '@jest/globals';
import { withoutMarks } from '../place-marks.ts';
import { flowLines } from './flow-lines.ts';
import { continueGrids, linesOfPage } from './pdf-grids.ts';
import type { Line, TextRun } from './pdf-lines.ts';
import type { Rules } from './pdf-messages.ts';

const size = 10;
const run = (text: string, x: number, y: number): TextRun => ({ text, x, y, width: text.length * 5, size });

interface Page {
  runs: TextRun[];
  rules: Rules;
}

/** Lines around all cells of these columns and rows. */
function ruled(xs: readonly number[], ys: readonly number[]): Rules {
  const [left, right, top, bottom] = [xs[0]!, xs.at(-1)!, ys[0]!, ys.at(-1)!];
  return {
    across: ys.map((at) => ({ at, from: left, to: right })),
    down: xs.map((at) => ({ at, from: top, to: bottom })),
  };
}

function textOf(...pages: Page[]): string {
  const lines: Line[][] = [];
  for (const { runs, rules } of pages) lines.push(linesOfPage(runs, rules, lines.at(-1)?.at(-1)?.grid));
  return withoutMarks(flowLines(continueGrids(lines)));
}

const xs = [50, 120, 220, 320];
const head = [run('Zone', 55, 112), run('Weight', 125, 112), run('Price', 225, 112)];

describe('a table between ruled lines', () => {
  test('has the cells that the lines divide, whatever is empty or wrapped', () => {
    const runs = [
      run('Prices of parcels', 50, 80),
      ...head,
      run('Inland', 55, 138),
      run('up to', 125, 132),
      run('5 kg', 125, 144),
      run('Europe', 55, 162),
      run('7.20', 225, 162),
      run('From May.', 50, 200),
    ];
    expect(textOf({ runs, rules: ruled(xs, [100, 120, 150, 170]) })).toBe(`Prices of parcels

| Zone | Weight | Price |
| --- | --- | --- |
| Inland | up to 5 kg |  |
| Europe |  | 7.20 |

From May.`);
  });

  test('repeats merged cells, and combines names above each other', () => {
    const rules = ruled(xs, [100, 120, 140, 160, 180]);
    rules.across = [
      ...rules.across.filter(({ at }) => at !== 120 && at !== 160),
      { at: 120, from: 120, to: 320 },
      { at: 160, from: 120, to: 320 },
    ];
    rules.down = [...rules.down.filter(({ at }) => at !== 220), { at: 220, from: 120, to: 180 }];
    const runs = [
      run('Zone', 55, 124),
      run('Price', 200, 112),
      run('by day', 125, 132),
      run('by night', 225, 132),
      run('Inland', 55, 164),
      run('4.90', 125, 152),
      run('5.90', 225, 152),
      run('6.10', 125, 172),
      run('7.10', 225, 172),
    ];
    expect(textOf({ runs, rules })).toBe(`| Zone | Price by day | Price by night |
| --- | --- | --- |
| Inland | 4.90 | 5.90 |
| Inland | 6.10 | 7.10 |`);
  });

  test('continues on the next page with its head, and with the rest of a divided row', () => {
    const first: Page = {
      runs: [...head, run('Inland', 55, 132), run('1 kg', 125, 132), run('4.90', 225, 132)],
      rules: ruled(xs, [100, 120, 150]),
    };
    first.rules.across.pop();
    const second: Page = {
      runs: [run('or less', 125, 40), run('Europe', 55, 62), run('1 kg', 125, 62), run('9.90', 225, 62)],
      rules: ruled(xs, [30, 50, 70]),
    };
    expect(textOf(first, second)).toBe(`| Zone | Weight | Price |
| --- | --- | --- |
| Inland | 1 kg or less | 4.90 |

| Zone | Weight | Price |
| --- | --- | --- |
| Europe | 1 kg | 9.90 |`);
  });

  test('has rows between rows with a background', () => {
    const row = (top: number) => ruled(xs, [top, top + 20]);
    const rules = [row(100), row(120), row(160)].reduce((all, one) => ({
      across: [...all.across, ...one.across],
      down: [...all.down, ...one.down],
    }));
    const runs = [
      ...head,
      ...[1, 2, 3].flatMap((at) => [
        run(`Zone ${at}`, 55, 112 + at * 20),
        run(`${at} kg`, 125, 112 + at * 20),
        run(`${at}.50`, 225, 112 + at * 20),
      ]),
    ];
    const text = textOf({ runs, rules });
    expect(text.split('\n')).toHaveLength(5);
    expect(text).toContain('| Zone 2 | 2 kg | 2.50 |');
  });
});

test('horizontal lines alone divide rows; one below a name of several columns, and above some columns, shows what is merged', () => {
  const rules: Rules = {
    across: [
      { at: 114, from: 120, to: 320 },
      { at: 134, from: 50, to: 320 },
      { at: 154, from: 120, to: 320 },
      { at: 174, from: 50, to: 320 },
      { at: 204, from: 50, to: 320 },
    ],
    down: [],
  };
  const runs = [
    run('Zone', 55, 115),
    run('Price', 200, 108),
    run('by day', 125, 128),
    run('by night', 225, 128),
    run('Inland', 55, 156),
    run('4.90', 125, 148),
    run('5.90', 225, 148),
    run('6.10', 125, 168),
    run('7.10', 225, 168),
    run('Europe', 55, 192),
    run('9 for up', 225, 186),
    run('to 5 kg', 225, 198),
    run('From May.', 50, 240),
  ];
  expect(textOf({ runs, rules })).toBe(`| Zone | Price by day | Price by night |
| --- | --- | --- |
| Inland | 4.90 | 5.90 |
| Inland | 6.10 | 7.10 |
| Europe |  | 9 for up to 5 kg |

From May.`);
});

test('rows without a background before and after those with one are rows', () => {
  const row = (top: number) => ruled(xs, [top, top + 24]);
  const rules = [row(150), row(198)].reduce((all, one) => ({
    across: [...all.across, ...one.across],
    down: [...all.down, ...one.down],
  }));
  const runs = [
    ...head,
    ...[1, 2, 3, 4, 5].flatMap((at) => [
      run(`Zone ${at}`, 55, 117 + at * 24),
      run(`${at} kg`, 125, 117 + at * 24),
      run(`${at}.50`, 225, 117 + at * 24),
    ]),
  ];
  const lines = textOf({ runs, rules }).split('\n');
  expect(lines).toHaveLength(7);
  expect(lines[0]).toBe('| Zone | Weight | Price |');
  expect(lines[6]).toBe('| Zone 5 | 5 kg | 5.50 |');
});

test('numbers on the right below a name on the left are one column', () => {
  const rules = { across: [120, 144, 168].map((at) => ({ at, from: 50, to: 320 })), down: [] };
  const runs = [
    run('Staff', 55, 112),
    run('2024', 125, 112),
    run('North', 55, 136),
    run('230', 200, 136),
    run('South', 55, 160),
    run('245', 200, 160),
  ];
  expect(textOf({ runs, rules })).toBe('| Staff | 2024 |\n| --- | --- |\n| North | 230 |\n| South | 245 |');
});

test('labels and values are pairs', () => {
  const runs = [
    run('Phone', 55, 112),
    run('0421 33 890', 125, 112),
    run('Town', 55, 132),
    run('Bremen', 125, 132),
  ];
  expect(textOf({ runs, rules: ruled([50, 120, 220], [100, 120, 140]) })).toBe(
    'Phone: 0421 33 890\nTown: Bremen',
  );
});

test('lines of a chart are no table', () => {
  const rules = ruled([50, 120, 220, 320], [100, 140, 180, 220]);
  const runs = [run('Sales of the last four years by region', 60, 115), run('2024', 100, 240)];
  expect(textOf({ runs, rules })).not.toContain('|');
});

test('a frame around text is no table', () => {
  const runs = [run('Keep the key.', 55, 115), run('Lock the door.', 55, 130)];
  expect(textOf({ runs, rules: ruled([50, 320], [100, 140]) })).toBe('Keep the key. Lock the door.');
});
