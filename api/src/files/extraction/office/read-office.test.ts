import { describe, expect, test } from '@jest/globals';
import { makePptx, makeXlsx, packOffice, packRelated } from '../../../testing/office-files.ts';
import type { FileToRead, ReadFile } from '../file-to-read.ts';
import { FileFailure } from '../file-to-read.ts';
import { usualLimits } from '../limits.ts';
import { withoutMarks } from '../place-marks.ts';
import { builtInFormat, formatNumber, formatText } from './cell-format.ts';
import { readDocx } from './read-docx.ts';
import { readPptx as readMarkedPptx } from './read-pptx.ts';
import { readXlsx as readMarkedXlsx } from './read-xlsx.ts';

const fileOf = (bytes: Buffer, limits = usualLimits) => ({
  bytes,
  type: '',
  text: '',
  limits,
  onProgress: () => undefined,
  onSeen: () => undefined,
  readEmbedded: async () => null,
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
      notices: [],
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

  test('marks texts that are missing in the file, so that they are reported', async () => {
    const sheet =
      '<worksheet><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>9</v></c></row></sheetData></worksheet>';
    const parts = { 'xl/sharedStrings.xml': '<sst><si><t>仓库</t></si></sst>' };
    const { text } = await readXlsx(
      fileOf(sheetFile(sheet, { parts, relations: { 'xl/book.xml': [['r1', 'worksheet', 's.xml']] } })),
    );

    expect(text).toMatch(/仓库.*\ufffd/);
  });

  test('is read without hidden rows and columns; formulas without a result are reported, errors shown', async () => {
    const cells = (row: number, ...values: string[]) =>
      values
        .map((value, at) => `<c r="${'ABCDE'[at]}${row}" t="inlineStr"><is><t>${value}</t></is></c>`)
        .join('');
    const sheet = `<worksheet><cols><col min="2" max="2" width="9" hidden="1"/><col min="4" max="4" width="0"/></cols><sheetData>
      <row r="1">${cells(1, '型号', '成本', '售价', '底价', '备注')}</row>
      <row r="2" hidden="1" outlineLevel="1">${cells(2, 'A0', '1')}</row>
      <row r="3" ht="0" customHeight="1">${cells(3, 'A1', '2')}</row>
      <row r="4">${cells(4, 'A2', '800')}<c r="C4"><f>B4*2</f></c><c r="D4"><f>B4</f></c><c r="E4" t="e"><f>1/0</f><v>#DIV/0!</v></c></row>
      <row r="5">${cells(5, '合并')}</row></sheetData><mergeCells><mergeCell ref="B5:C5"/></mergeCells></worksheet>`;
    const merged = sheet.replace(
      '合并</t></is></c>',
      '乙</t></is></c><c r="B5" t="inlineStr"><is><t>面议</t></is></c>',
    );

    const { text, notices } = await readXlsx(fileOf(sheetFile(merged)));

    expect(text).toBe(
      '# 报价\n\n| 型号 | 售价 | 备注 |\n| --- | --- | --- |\n| A2 |  | #DIV/0! |\n| 乙 | 面议 |  |',
    );
    expect(notices).toEqual([{ code: 'formula_without_value', at: { sheet: '报价' }, count: 1 }]);
  });

  test('has no escapes, and a number after a raised one is another number', async () => {
    const bytes = sheetFile(
      '<worksheet><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c></row><row r="2"><c r="A2" t="s"><v>1</v></c></row></sheetData></worksheet>',
      {
        parts: {
          'xl/t.xml':
            '<sst><si><t>第一行_x000D_第二行_x005F_x0041_</t></si><si><r><t>约 10</t></r><r><rPr><vertAlign val="superscript"/></rPr><t>6</t></r><r><t>米</t></r></si></sst>',
        },
        relations: {
          'xl/book.xml': [
            ['r1', 'worksheet', 's.xml'],
            ['t', 'sharedStrings', 't.xml'],
          ],
        },
      },
    );

    expect((await readXlsx(fileOf(bytes))).text).toBe('# 报价\n\n第一行 第二行_x0041_\n\n约 10^6米');
  });

  test('of the strict format has its dates, which are stored as such', async () => {
    const sheet =
      '<worksheet><sheetData><row><c t="d"><v>2026-03-05T00:00:00</v></c><c t="d"><v>12:30</v></c></row></sheetData></worksheet>';

    expect((await readXlsx(fileOf(sheetFile(sheet)))).text).toBe(
      '# 报价\n\n| 2026-03-05 | 12:30 |\n| --- | --- |',
    );
  });

  test('has its text boxes, diagrams, notes, and charts whose figures are not in a visible sheet', async () => {
    const words = (text: string) => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`;
    const chartOf = (sheet: string) =>
      `<c:chartSpace><c:chart><c:title>${words(`图 ${sheet}`)}</c:title><c:ser><c:val><c:f>'${sheet}'!$A$1:$A$2</c:f><c:numCache><c:pt idx="0"><c:v>7</c:v></c:pt><c:pt idx="1"><c:v>9</c:v></c:pt></c:numCache></c:val></c:ser></c:chart></c:chartSpace>`;
    const hidden =
      '<worksheet><cols><col min="3" max="3" hidden="1"/></cols><sheetData><row r="4" hidden="1"/></sheetData></worksheet>';
    const bytes = sheetFile(hidden, {
      parts: {
        'xl/d.xml': `<xdr:wsDr><xdr:twoCellAnchor><xdr:sp><xdr:nvSpPr><xdr:cNvPr hidden="1"/></xdr:nvSpPr><xdr:txBody>${words('隐藏的框')}</xdr:txBody></xdr:sp></xdr:twoCellAnchor><xdr:twoCellAnchor><xdr:sp><xdr:txBody>${words('每月二十五日盘点')}</xdr:txBody></xdr:sp></xdr:twoCellAnchor></xdr:wsDr>`,
        'xl/data.xml': `<dgm:dataModel><dgm:ptLst><dgm:pt><dgm:t>${words('第一步')}</dgm:t></dgm:pt></dgm:ptLst></dgm:dataModel>`,
        'xl/c1.xml': chartOf('报价'),
        'xl/c2.xml': chartOf('隐藏'),
        'xl/n.xml':
          '<comments><authors><author>王</author></authors><commentList><comment ref="B2"><text><r><t>仅限华东</t></r></text></comment><comment ref="C2"><text><t>成本八百</t></text></comment><comment ref="A4"><text><t>停产</t></text></comment></commentList></comments>',
      },
      relations: {
        'xl/s.xml': [
          ['d', 'drawing', 'd.xml'],
          ['n', 'comments', 'n.xml'],
        ],
        'xl/d.xml': [
          ['a', 'diagramData', 'data.xml'],
          ['b', 'chart', 'c1.xml'],
          ['c', 'chart', 'c2.xml'],
        ],
      },
    });

    expect(await readXlsx(fileOf(bytes))).toEqual({
      title: '',
      notices: [],
      text: '# 报价\n\n每月二十五日盘点\n\n第一步\n\n图 报价\n\n图 隐藏\n\n|  |  |\n| --- | --- |\n| 1 | 7 |\n| 2 | 9 |\n\n批注 B2: 仅限华东',
    });
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

/** A workbook of the sheet 报价 and a hidden one, whose parts have unusual names. */
function sheetFile(
  sheet: string,
  others: { parts?: Record<string, string>; relations?: Parameters<typeof packRelated>[1] } = {},
): Buffer {
  return packRelated(
    {
      'xl/book.xml':
        // Some programs write states that Excel does not know; such sheets are visible.
        '<workbook><sheets><sheet name="报价" state="show" r:id="r1"/><sheet name="隐藏" state="hidden" r:id="r2"/></sheets></workbook>',
      'xl/s.xml': sheet,
      ...others.parts,
      '[Content_Types].xml':
        '<Types><Override PartName="/xl/book.xml" ContentType="application/vnd.ms-excel.sheet.macroEnabled.main+xml"/></Types>',
    },
    {
      '': [['r', 'officeDocument', 'xl/book.xml']],
      'xl/book.xml': [['r1', 'worksheet', 's.xml']],
      ...others.relations,
    },
  );
}

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
  [1.005, '0.00', '1.01'],
  [2.675, '#,##0.00', '2.68'],
  [0.85, '0.0"折"', '0.9折'],
  [-0.5, '0', '-1'],
  [0, '0;-0;"无"', '无'],
  [0, '0.00_);(0.00);"-"??_)', '-'],
  [5, ';;;', ''],
  [50, '[>=100]"高";"低"', '低'],
  [123_456, '#,##0,"千"', '123千'],
  [0.75, '# ?/?', '3/4'],
  [12_345, '0.0E+00', '1.2E+04'],
  [45352, 'yyyy"年"m"月"', '2024年3月'],
  [46086, 'm"月"d"日"', '3月5日'],
  [46086, 'dd/mm/yyyy', '2026-03-05'],
  [46086.604166667, 'd-mmm-yy h:mm:ss', '2026-03-05 14:30:00'],
  [46086, 'mmm-yy', 'Mar-26'],
  [46086, '[$-804]aaaa', '星期四'],
  [0.6, 'h:mm AM/PM', '2:24 PM'],
  [0.6, '上午/下午h"时"mm"分"', '下午2时24分'],
  [-1, 'yyyy-mm-dd', '-1'],
  [1205, '[DBNum1]General', '一千二百零五'],
  [105.25, '[DBNum2][$-804]0.00', '壹佰零伍.贰伍'],
  [46086, '[DBNum1]yyyy"年"m"月"d"日"', '二〇二六年三月五日'],
  [5, 'no format"', '5'],
  [123_456, '0!.0,"万"', '12.3万'],
  [46086, 'm"月"d"日" aaaa', '3月5日 星期四'],
  [1e21, 'General', '1E+21'],
  [1e-7, 'General', '1E-07'],
  [1234.567, builtInFormat(7), '1,234.57'],
  [0, builtInFormat(43), '-'],
])('the number %p is shown by the format %p as %p', (value, format, shown) => {
  expect(formatNumber(value, format)).toBe(shown);
});

test('durations have no calendar', () => {
  expect(formatNumber(1.5, '[h]:mm', true)).toBe('36:00');
  expect(formatNumber(44_620, 'yyyy-mm-dd', true)).toBe('2026-03-01');
});

test.each([
  ['甲', '0;-0;0;"["@"]"', '[甲]'],
  ['甲', '"姓名："@', '姓名：甲'],
  ['甲', '0"@"', '甲'],
])('the text %p is shown by the format %p as %p', (value, format, shown) => {
  expect(formatText(value, format)).toBe(shown);
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
      notices: [],
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

  test('that has only a picture on most slides is reported as mostly unread', async () => {
    const picture = '<p:pic><p:spPr><a:xfrm><a:ext cx="9000000" cy="6000000"/></a:xfrm></p:spPr></p:pic>';
    const title =
      '<p:sp><p:nvPr><p:ph type="title"/></p:nvPr><p:txBody><a:p><a:r><a:t>年度计划</a:t></a:r></a:p></p:txBody></p:sp>';
    const deck = (second: string) =>
      packRelated(
        {
          'ppt/presentation.xml':
            '<p:presentation><p:sldId id="1" r:id="a"/><p:sldId id="2" r:id="b"/><p:sldId id="3" r:id="c"/></p:presentation>',
          'ppt/a.xml': `<p:sld>${title}</p:sld>`,
          'ppt/b.xml': `<p:sld>${second}${picture}</p:sld>`,
          'ppt/c.xml': `<p:sld>${picture}</p:sld>`,
        },
        {
          '': [['r', 'officeDocument', 'ppt/presentation.xml']],
          'ppt/presentation.xml': [
            ['a', 'slide', 'a.xml'],
            ['b', 'slide', 'b.xml'],
            ['c', 'slide', 'c.xml'],
          ],
        },
      );
    const codes = async (bytes: Buffer) => (await readPptx(fileOf(bytes))).notices?.map(({ code }) => code);

    expect(await codes(deck(''))).toEqual(['picture_not_read', 'picture_not_read', 'mostly_unread']);
    expect(await codes(deck(title))).toEqual(['picture_not_read', 'picture_not_read']);
  });

  test('has charts in place, what its layout shows, and each footer once', async () => {
    const words = (text: string) => `<p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody>`;
    const shape = (text: string, type = '') =>
      `<p:sp><p:nvPr>${type === '' ? '' : `<p:ph type="${type}"/>`}</p:nvPr>${words(text)}</p:sp>`;
    const chart =
      '<c:chartSpace><c:chart><c:ser><c:tx><c:v>退货量</c:v></c:tx><c:cat><c:pt idx="0"><c:v>三月</c:v></c:pt></c:cat><c:val><c:numCache><c:pt idx="0"><c:v>45</c:v></c:pt></c:numCache></c:val><c:bubbleSize><c:numLit><c:pt idx="0"><c:v>3</c:v></c:pt></c:numLit></c:bubbleSize></c:ser><c:extLst><c15:filteredBarSeries><c15:ser><c:tx><c:v>隐藏系列</c:v></c:tx><c:val><c:numLit><c:pt idx="0"><c:v>9</c:v></c:pt></c:numLit></c:val></c15:ser></c15:filteredBarSeries></c:extLst></c:chart></c:chartSpace>';
    const slide = (content: string) =>
      `<p:sld>${shape('本页标题', 'title')}${content}${shape('内部资料', 'ftr')}${shape('7', 'sldNum')}${shape('二〇二六年五月', 'dt')}<p:sp><p:nvPr><p:ph type="dt"/></p:nvPr><p:txBody><a:p><a:fld type="datetime1"><a:t>11/25/2026</a:t></a:fld></a:p></p:txBody></p:sp></p:sld>`;
    const bytes = packRelated(
      {
        'p/deck.xml': '<p:presentation><p:sldId r:id="b" id="1"/><p:sldId id="2" r:id="a"/></p:presentation>',
        'p/one.xml': slide(`<p:graphicFrame><c:chart r:id="c"/></p:graphicFrame>${shape('说明')}`),
        'p/two.xml': slide(
          '<p:pic><p:spPr><a:xfrm><a:ext cx="5400000" cy="5400000"/></a:xfrm></p:spPr></p:pic><p:graphicFrame><p:oleObj progId="Equation.3"/></p:graphicFrame>',
        ),
        'p/layout.xml': `<p:sldLayout>${shape('单击此处编辑标题', 'title')}${shape('示例公司')}</p:sldLayout>`,
        'p/chart.xml': chart,
        '[Content_Types].xml':
          '<Types><Override PartName="/p/deck.xml" ContentType="application/vnd.openxmlformats-officedocument.presentationml.slideshow.main+xml"/></Types>',
      },
      {
        '': [['r', 'officeDocument', 'p/deck.xml']],
        'p/deck.xml': [
          ['a', 'slide', 'one.xml'],
          ['b', 'slide', 'two.xml'],
        ],
        'p/one.xml': [
          ['c', 'chart', 'chart.xml'],
          ['l', 'slideLayout', 'layout.xml'],
        ],
      },
    );

    expect(await readPptx(fileOf(bytes))).toEqual({
      title: '本页标题',
      pages: 2,
      notices: [
        { code: 'picture_not_read', at: { slide: 1 } },
        { code: 'formula_not_read', at: { slide: 1 } },
      ],
      text: [
        '# 第 1 张幻灯片\n\n## 本页标题',
        '# 第 2 张幻灯片\n\n## 本页标题',
        '|  | 退货量 | 退货量 |\n| --- | --- | --- |\n| 三月 | 45 | 3 |',
        '说明',
        '页脚：内部资料',
        '页脚：二〇二六年五月',
        '页脚：示例公司',
      ].join('\n\n'),
    });
  });

  test('has formulas on one line, comments with their authors, and no hidden shapes', async () => {
    const shape = (text: string, hidden = '') =>
      `<p:sp><p:nvSpPr><p:cNvPr id="2" name="" ${hidden}/></p:nvSpPr><p:txBody><a:p>${text}</a:p></p:txBody></p:sp>`;
    const run = (text: string, properties = '') => `<a:r><a:rPr ${properties}/><a:t>${text}</a:t></a:r>`;
    const part = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`;
    const bytes = packRelated(
      {
        'ppt/presentation.xml': '<p:presentation><p:sldId r:id="s"/></p:presentation>',
        'ppt/s.xml':
          `<p:sld>${shape(`${run('费率 ')}<mc:AlternateContent><mc:Choice><a14:m><m:oMath><m:f><m:num>${part('a')}</m:num><m:den>${part('b')}</m:den></m:f></m:oMath></a14:m></mc:Choice><mc:Fallback>${run('图片')}</mc:Fallback></mc:AlternateContent>`)}` +
          `${shape(run('约 10') + run('6', 'baseline="30000"') + run(' 米'))}${shape(run('密'), 'hidden="1"')}` +
          `<p:pic><p:nvPicPr><p:cNvPr hidden="1"/></p:nvPicPr></p:pic><p:grpSp><p:nvGrpSpPr><p:cNvPr hidden="true"/></p:nvGrpSpPr>${shape(run('密组'))}</p:grpSp>${shape(run('末'))}</p:sld>`,
        'ppt/c.xml': '<p:cmLst><p:cm authorId="0"><p:text>请改价格</p:text></p:cm></p:cmLst>',
        'ppt/m.xml':
          '<p188:cmLst><p188:cm authorId="{A}"><p188:replyLst><p188:reply authorId="0"><p188:txBody><a:p><a:r><a:t>已改</a:t></a:r></a:p></p188:txBody></p188:reply></p188:replyLst><p188:txBody><a:p><a:r><a:t>核对日期</a:t></a:r></a:p></p188:txBody></p188:cm></p188:cmLst>',
        'ppt/a.xml': '<p:cmAuthorLst><p:cmAuthor id="0" name="王"/></p:cmAuthorLst>',
        'ppt/b.xml': '<p188:authorLst><p188:author id="{A}" name="李"/></p188:authorLst>',
      },
      {
        'ppt/presentation.xml': [
          ['s', 'slide', 's.xml'],
          ['a', 'commentAuthors', 'a.xml'],
          ['b', 'authors', 'b.xml'],
        ],
        'ppt/s.xml': [
          ['c', 'comments', 'c.xml'],
          ['m', 'comments', 'm.xml'],
        ],
      },
    );

    expect((await readPptx(fileOf(bytes))).text.split('\n\n').slice(1)).toEqual([
      '费率 a/b',
      '约 10^6 米',
      '末',
      '批注（王）：请改价格',
      '批注（李）：核对日期',
      '批注（王）：已改',
    ]);
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

/** Sheets and slides are parts of their own; the others stand beside a sheet, a slide or the body. */
describe('a damaged part', () => {
  const text = (said: string) => `<a:p><a:r><a:t>${said}</a:t></a:r></a:p>`;
  const sheet = (said: string) =>
    `<worksheet><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>${said}</t></is></c></row></sheetData></worksheet>`;
  const slide = (said: string) =>
    `<p:sld><p:cSld><p:spTree><p:sp><p:txBody>${text(said)}</p:txBody></p:sp></p:spTree></p:cSld></p:sld>`;
  const note = (said: string) => `<w:p><w:r><w:t>${said}</w:t></w:r></w:p>`;
  const sheets = ['one', 'two', 'three'];
  const files = {
    xlsx: {
      parts: {
        'xl/workbook.xml': `<workbook><sheets>${sheets.map((name) => `<sheet name="${name}" r:id="${name}"/>`).join('')}</sheets></workbook>`,
        'xl/one.xml': sheet('cells of one'),
        'xl/two.xml': sheet('cells of two'),
        'xl/three.xml': sheet('cells of three'),
        'xl/drawing.xml': `<wsDr><sp>${text('a box')}</sp></wsDr>`,
        'xl/diagram.xml': `<dataModel><pt>${text('a node')}</pt></dataModel>`,
        'xl/comments.xml':
          '<comments><commentList><comment ref="A1"><text><t>a remark</t></text></comment></commentList></comments>',
      },
      relations: {
        '': [['m', 'officeDocument', 'xl/workbook.xml']],
        'xl/workbook.xml': sheets.map((name) => [name, 'worksheet', `${name}.xml`] as const),
        'xl/one.xml': [
          ['d', 'drawing', 'drawing.xml'],
          ['c', 'comments', 'comments.xml'],
        ],
        'xl/drawing.xml': [['s', 'diagramData', 'diagram.xml']],
      },
      read: readXlsx,
    },
    pptx: {
      parts: {
        'ppt/presentation.xml': `<p:presentation><p:sldIdLst>${sheets.map((name) => `<p:sldId r:id="${name}"/>`).join('')}</p:sldIdLst></p:presentation>`,
        'ppt/one.xml': slide('text of one'),
        'ppt/two.xml': slide('text of two'),
        'ppt/three.xml': slide('text of three'),
        'ppt/notes.xml': `<p:notes><p:sp><p:txBody>${text('a note')}</p:txBody></p:sp></p:notes>`,
        'ppt/comments.xml': '<p:cmLst><p:cm><p:text>a remark</p:text></p:cm></p:cmLst>',
        'ppt/layout.xml': `<p:sldLayout><p:sp><p:txBody>${text('a footer')}</p:txBody></p:sp></p:sldLayout>`,
      },
      relations: {
        '': [['m', 'officeDocument', 'ppt/presentation.xml']],
        'ppt/presentation.xml': sheets.map((name) => [name, 'slide', `${name}.xml`] as const),
        'ppt/one.xml': [
          ['n', 'notesSlide', 'notes.xml'],
          ['c', 'comments', 'comments.xml'],
          ['l', 'slideLayout', 'layout.xml'],
        ],
      },
      read: readPptx,
    },
    docx: {
      parts: {
        'word/document.xml': `<w:document><w:body>${note('the body')}<w:p><w:r><w:footnoteReference w:id="2"/></w:r></w:p><w:sectPr><w:headerReference w:type="default" r:id="h"/></w:sectPr></w:body></w:document>`,
        'word/footnotes.xml': `<w:footnotes><w:footnote w:id="2">${note('a footnote')}</w:footnote></w:footnotes>`,
        'word/header.xml': `<w:hdr>${note('a header')}</w:hdr>`,
        'word/comments.xml': `<w:comments><w:comment w:author="Mei">${note('a remark')}</w:comment></w:comments>`,
      },
      relations: {
        '': [['m', 'officeDocument', 'word/document.xml']],
        'word/document.xml': [
          ['f', 'footnotes', 'footnotes.xml'],
          ['h', 'header', 'header.xml'],
          ['c', 'comments', 'comments.xml'],
        ],
      },
      read: unmarked(readDocx),
    },
  } as const;
  const packed = (kind: keyof typeof files, replaced: Record<string, string> = {}) =>
    packRelated({ ...files[kind].parts, ...replaced }, files[kind].relations);
  const one = { sheet: 'one' };
  const first = { slide: 1 };

  test.each([
    ['xlsx', 'one', 'cells of one', { code: 'page_damaged', at: one }],
    ['xlsx', 'drawing', 'a box', { code: 'drawing_not_read', at: one }],
    ['xlsx', 'diagram', 'a node', { code: 'drawing_not_read', at: one }],
    ['xlsx', 'comments', 'a remark', { code: 'page_damaged', at: one }],
    ['pptx', 'one', 'text of one', { code: 'page_damaged', at: first }],
    ['pptx', 'notes', 'a note', { code: 'page_damaged', at: first }],
    ['pptx', 'comments', 'a remark', { code: 'page_damaged', at: first }],
    ['pptx', 'layout', 'a footer', { code: 'page_damaged', at: first }],
    ['docx', 'footnotes', 'a footnote', { code: 'embedded_not_read' }],
    ['docx', 'header', 'a header', { code: 'embedded_not_read' }],
    ['docx', 'comments', 'a remark', { code: 'embedded_not_read' }],
  ] as const)('of a %s is reported, and the other parts are read: %s', async (kind, name, lost, notice) => {
    const folder = { xlsx: 'xl', pptx: 'ppt', docx: 'word' }[kind];
    const part = `${folder}/${name}.xml`;
    const whole = await files[kind].read(fileOf(packed(kind)));
    expect(whole).toMatchObject({ notices: [], text: expect.stringContaining(lost) });
    const xml = Object.entries(files[kind].parts).find(([of]) => of === part)![1];

    const cut = packed(kind, { [part]: xml.slice(0, xml.indexOf(lost)) });
    // The same file with other compressed bytes: the zip tells that they are damaged.
    const torn = packed(kind);
    torn.fill(0xff, torn.indexOf(part) + part.length, torn.indexOf(part) + part.length + 20);
    for (const bytes of [cut, torn]) {
      const { text: read, notices } = await files[kind].read(fileOf(bytes));
      expect(notices).toEqual([expect.objectContaining(notice)]);
      const rest = kind === 'docx' ? 'the body' : kind === 'xlsx' ? 'cells of two' : 'text of two';
      expect(read).toContain(rest);
      expect(read).not.toContain(lost);
    }
  });

  test('a damaged relationships file of a sheet is reported once', async () => {
    const bytes = packOffice({
      ...files.xlsx.parts,
      '_rels/.rels':
        '<Relationships><Relationship Id="m" Type="officeDocument" Target="xl/workbook.xml"/></Relationships>',
      'xl/_rels/workbook.xml.rels': `<Relationships>${sheets.map((name) => `<Relationship Id="${name}" Type="worksheet" Target="${name}.xml"/>`).join('')}</Relationships>`,
      'xl/_rels/one.xml.rels': '<Relationships><',
    });
    const { text: read, notices } = await readXlsx(fileOf(bytes));
    expect(read).toContain('cells of one');
    expect(notices).toEqual([expect.objectContaining({ at: one })]);
  });

  test.each(['xlsx', 'pptx'] as const)('a %s of which more than half is damaged is refused', async (kind) => {
    const folder = { xlsx: 'xl', pptx: 'ppt' }[kind];
    const bytes = packed(kind, { [`${folder}/one.xml`]: '<', [`${folder}/three.xml`]: '<' });
    expect(await keyOf(files[kind].read(fileOf(bytes)))).toEqual({ kind: 'unreadable', reason: 'damaged' });
  });
});
