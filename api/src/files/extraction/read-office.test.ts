import { describe, expect, test } from '@jest/globals';
import { makePptx, makeXlsx, packOffice } from '../../testing/office-files.ts';
import { formatNumber } from './cell-format.ts';
import { FileFailure } from './file-failure.ts';
import type { FileToRead, ReadFile } from './file-to-read.ts';
import { usualLimits } from './limits.ts';
import { withoutMarks } from './place-marks.ts';
import { readPptx as readMarkedPptx } from './read-pptx.ts';
import { readXlsx as readMarkedXlsx } from './read-xlsx.ts';

const fileOf = (bytes: Uint8Array, limits = usualLimits) => ({
  bytes,
  type: '',
  text: '',
  limits,
  onProgress: () => undefined,
  onSeen: () => undefined,
});
/** Reads without the marks of places, which source-documents.test.ts covers. */
const unmarked =
  (read: (file: FileToRead) => Promise<ReadFile>) =>
  async (file: FileToRead): Promise<ReadFile> => {
    const { text, ...others } = await read(file);
    return { text: withoutMarks(text), ...others };
  };
const readXlsx = unmarked(readMarkedXlsx);
const readPptx = unmarked(readMarkedPptx);
const xlsx = async (...sheets: Parameters<typeof makeXlsx>[0]) => readXlsx(fileOf(makeXlsx(sheets)));
const keyOf = async (reading: Promise<unknown>) =>
  reading.then(
    () => 'read',
    (error: unknown) => (error instanceof FileFailure ? error.failure : error),
  );

describe('a workbook', () => {
  test('has each visible sheet under its name, as a table of the displayed values', async () => {
    const bytes = makeXlsx(
      [
        {
          name: '价格 | 2026',
          rows: [
            ['货号', '单价', '折扣', '生效日期', '合计'],
            [
              { value: 412, format: '"SKU-"00000' },
              { value: 1234.5, format: '"¥"#,##0.00' },
              { value: 0.15, format: '0%' },
              { value: 46086, format: 'yyyy/m/d' },
              { formula: 'B2*2', value: '2469' },
            ],
            ['A & B', 0.1 + 0.2, '', { value: 46086.604166667, format: 'm/d/yyyy h:mm' }, ''],
          ],
        },
        { name: 'lists', state: 'hidden', rows: [['secret', 'words']] },
        { name: 'Notes', rows: [['Only one column.'], ['Second line.']] },
      ],
      { title: '价目 & 说明' },
    );

    expect(await readXlsx(fileOf(bytes))).toEqual({
      title: '价目 & 说明',
      text: [
        '# 价格 \\| 2026',
        '',
        '| 货号 | 单价 | 折扣 | 生效日期 | 合计 |',
        '| --- | --- | --- | --- | --- |',
        '| SKU-00412 | ¥1,234.50 | 15% | 2026-03-05 | 2469 |',
        '| A & B | 0.3 |  | 2026-03-05 14:30 |  |',
        '',
        '# Notes',
        '',
        'Only one column.',
        '',
        'Second line.',
      ].join('\n'),
    });
  });

  test('repeats vertically merged cells in each row, and has a title above the columns as a paragraph', async () => {
    const { text } = await xlsx({
      name: 'Stock',
      rows: [['Stock of spring'], ['Group', 'Item', 'Count'], ['Desks', 'Oak', 4], ['', 'Pine', 7]],
      merged: ['A1:C1', 'A3:A4'],
    });

    expect(text).toBe(
      '# Stock\n\nStock of spring\n\n| Group | Item | Count |\n| --- | --- | --- |\n| Desks | Oak | 4 |\n| Desks | Pine | 7 |',
    );
  });

  test('joins column names from two rows', async () => {
    const { text } = await xlsx({
      name: 'S',
      rows: [
        ['Region', '2025', '', '2026'],
        ['', 'units', 'sales', 'units'],
        ['North', 1, 2, 3],
      ],
      merged: ['A1:A2', 'B1:C1'],
    });

    expect(text).toContain('| Region | 2025 units | 2025 sales | 2026 units |');
  });

  test('a blank row separates tables only if column names follow', async () => {
    const { text } = await xlsx({
      name: 'S',
      rows: [['Item', 'Price'], ['pen', 2], null, ['cup', 5], null, ['Name', 'Extension'], ['Ann', 4411]],
    });

    expect(text).toBe(
      '# S\n\n| Item | Price |\n| --- | --- |\n| pen | 2 |\n| cup | 5 |\n\n| Name | Extension |\n| --- | --- |\n| Ann | 4411 |',
    );
  });

  test.each<[string, () => Buffer, unknown]>([
    [
      'one long word in too many cells',
      () => makeXlsx([{ name: 'S', rows: Array.from({ length: 300 }, () => ['x'.repeat(30_000), 'y']) }]),
      { kind: 'too-large', what: 'text', count: 5_000_000 },
    ],
    [
      'a cell merged over all rows',
      () => makeXlsx([{ name: 'S', rows: [['a', 'b']], merged: ['A1:XFD1048576', 'B1:B1048576'] }]),
      'read',
    ],
    [
      'elements without end',
      () =>
        packOffice({
          'xl/workbook.xml': `<workbook>${'<a>'.repeat(5000)}${'</a>'.repeat(5000)}</workbook>`,
        }),
      { kind: 'unreadable', reason: 'damaged' },
    ],
    [
      'no XML',
      () => packOffice({ 'xl/workbook.xml': 'PK words < & >' }),
      { kind: 'unreadable', reason: 'damaged' },
    ],
  ])('that is hostile ends quickly: %s', async (_, make, outcome) => {
    expect(await keyOf(readXlsx(fileOf(make())))).toEqual(outcome);
  });
});

test.each([
  [1234.567, '#,##0.00', '1,234.57'],
  [-5, '0.0;(0.0)', '(5.0)'],
  [0.5, 'h:mm', '12:00'],
  [1.5, '[h]:mm', '36:00'],
  [12, '0" 件"', '12 件'],
  [99.5, '[$€-407] #,##0.00', '€ 99.50'],
  [46086, 'yyyy"年"m"月"d"日"', '2026年3月5日'],
  [0.1255, '0.0%', '12.6%'],
  [6_901_234_567_890, 'General', '6901234567890'],
  [3.14, '@', '3.14'],
  [7, '[Red]000', '007'],
])('the number %p is shown by the format %p as %p', (value, format, shown) => {
  expect(formatNumber(value, format)).toBe(shown);
});

describe('a presentation', () => {
  test('has its slides in order with number and title, with tables and notes; hidden ones are omitted', async () => {
    const bytes = makePptx([
      { title: 'Leave policy', items: ['Fifteen days a year', 'Ask three days ahead'] },
      { title: 'Internal', items: ['not shown'], isHidden: true },
      {
        table: [
          ['Level', 'Days'],
          ['A', '20'],
        ],
        notes: 'Ask HR about level C.',
      },
    ]);

    expect(await readPptx(fileOf(bytes))).toEqual({
      title: 'Leave policy',
      pages: 3,
      text: [
        '# Slide 1',
        '## Leave policy',
        '- Fifteen days a year\n- Ask three days ahead',
        '# Slide 3',
        '| Level | Days |\n| --- | --- |\n| A | 20 |',
        'Notes: Ask HR about level C.',
      ].join('\n\n'),
    });
  });

  test('in Chinese has Chinese slide headings', async () => {
    const { text } = await readPptx(fileOf(makePptx([{ title: '请假制度', items: ['每年十五天年假'] }])));

    expect(text).toBe('# 第 1 张幻灯片\n\n## 请假制度\n\n每年十五天年假');
  });

  test('with too many slides is refused', async () => {
    const bytes = makePptx(Array.from({ length: 4 }, () => ({ title: 'x' })));

    expect(await keyOf(readPptx(fileOf(bytes, { ...usualLimits, maxPages: 3 })))).toEqual({
      kind: 'too-large',
      what: 'pages',
      count: 3,
    });
  });
});
