import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import canonicalize from 'canonicalize';
import { getDocumentProxy } from 'unpdf';
import type { DeskRecord } from '../../contract/records.ts';
import { archiveRecord } from '../../testing/archives.ts';
import { createReport } from './create-report.ts';
import { readNotoSansSc } from './font-file.ts';
import { maskContact } from './mask-contact.ts';
import type { MadeReport, ReportJob } from './report-job.ts';

const font = readNotoSansSc();
const noon = Date.UTC(2026, 10, 21, 4);

function record(more: Partial<DeskRecord> = {}, index = 0): DeskRecord {
  return archiveRecord(index, {
    question: '如何退款？',
    answer: '请在订单页面申请。',
    createdAt: new Date(noon - index * 60_000).toISOString(),
    answeredAt: new Date(noon - index * 60_000 + 2000).toISOString(),
    ...more,
  });
}

function make(
  records: DeskRecord[],
  more: Partial<ReportJob> = {},
  pictures: Map<string, Uint8Array> = new Map(),
): MadeReport {
  const job: ReportJob = {
    language: 'zh',
    title: '',
    filter: {},
    tz: 'Asia/Shanghai',
    mask: false,
    madeAt: new Date(noon).toISOString(),
    ...more,
  };
  const report = createReport(job, font);
  for (let at = 0; at < records.length; at += 50)
    report.add({ records: records.slice(at, at + 50), pictures });
  return report.end();
}

interface Read {
  pages: string[];
  /** All text without white space, since lines may be broken anywhere. */
  all: string;
  /** The texts of each page with their baselines, in points from the bottom. */
  placed: { text: string; y: number }[][];
  outline: { title: string; items: { title: string }[] }[];
  info: Record<string, unknown>;
}

async function read({ bytes }: MadeReport): Promise<Read> {
  const pdf = await getDocumentProxy(bytes.slice());
  const pages: string[] = [];
  const placed: Read['placed'] = [];
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const { items } = await (await pdf.getPage(number)).getTextContent();
    const texts = items.flatMap((item) =>
      'str' in item ? [{ text: item.str, y: Number(item.transform[5]) }] : [],
    );
    placed.push(texts);
    pages.push(texts.map(({ text }) => text).join(' '));
  }
  const { info } = await pdf.getMetadata();
  const outline = ((await pdf.getOutline()) ?? []) as Read['outline'];
  await pdf.loadingTask.destroy();
  return { pages, placed, all: squeezed(pages.join('')), outline, info: info as Record<string, unknown> };
}

const squeezed = (text: string) => text.replaceAll(/\s+/g, '');

describe('a report', () => {
  test('contains every question and answer, by day, newest first', async () => {
    const records = Array.from({ length: 60 }, (_, index) =>
      record(
        { question: `第 ${index} 个问题，不能上传怎么办？`, answer: `Answer number ${index}. 请稍后再试。` },
        index * 60,
      ),
    );

    const { all, pages } = await read(make(records));

    for (const { question, answer } of records) {
      expect(all).toContain(squeezed(question));
      expect(all).toContain(squeezed(answer));
    }
    expect(all.indexOf('2026年11月21日星期六')).toBeLessThan(all.indexOf('2026年11月20日星期五'));
    expect(all.indexOf('第0个问题')).toBeLessThan(all.indexOf('第59个问题'));
    for (const [index, page] of pages.entries())
      expect(squeezed(page)).toContain(`第${index + 1}页，共${pages.length}页`);
  });

  test('contains only statistics and questions on request, with satisfaction and human replies on page 1', async () => {
    const records = Array.from({ length: 40 }, (_, index) =>
      record(
        {
          question: `第 ${index} 个问题`,
          answer: '很长的回答。'.repeat(60),
          citations: [{ title: '退款政策', quote: '七天', start: 0, end: 2, href: '/api/passages/p-1' }],
          source: 'none',
          ...(index < 3 ? { answeredByPerson: true as const } : {}),
          feedback: index < 4 ? { rating: index === 0 ? -1 : 1, note: '说明' } : null,
        },
        index,
      ),
    );
    const whole = make(records);
    const made = make(records, { questionsOnly: true });
    const { pages, all } = await read(made);
    for (const { question } of records) expect(all).toContain(squeezed(question));
    for (const gone of ['很长的回答', '退款政策', '说明']) expect(all).not.toContain(gone);
    expect(made.pages).toBeLessThan(whole.pages / 2);
    expect(made.digest).toBe(whole.digest);
    const first = squeezed(pages[0]!);
    expect(first).toContain('3人工回复');
    expect(first).toContain('37未答');
    expect(first).toMatch(/75%满意度/);
  });

  test('contains later answers', async () => {
    const since = { pairId: 'p', answer: '可以寄存 **30 天**。', at: new Date(noon).toISOString() };

    const { all } = await read(
      make([record({ source: 'none', answer: '没有找到。', answeredSince: since })]),
    );

    expect(all).toContain('没有找到。现在有答案了可以寄存30天。');
  });

  test('is in English if requested', async () => {
    const { all } = await read(make([record({ question: 'Refund?', answer: 'Yes.' })], { language: 'en' }));

    expect(all).toContain('Consultationreport');
    expect(all).toContain('Saturday,21November2026');
    expect(all).toContain('Page2of3');
    expect(all).toContain('Median');
    expect(all).not.toMatch(/[\u4e00-\u9fff]/);
  });

  test('has bookmarks by day and record, and properties, whatever bytes their characters contain', async () => {
    // 不 is U+4E0D, which contains the byte 0x0D (carriage return).
    const title = '不能(退款)\\的不';
    const records = [record({ question: '不上不下 (a) \\b' }), record({ question: '昨天' }, 24 * 60)];

    const { outline, info } = await read(make(records, { title }));

    expect(outline.map((day) => [day.title, day.items.map((item) => item.title)])).toEqual([
      ['2026 年 11 月 21 日 星期六', ['1  不上不下 (a) \\b']],
      ['2026 年 11 月 20 日 星期五', ['2  昨天']],
    ]);
    expect(info).toMatchObject({ Title: title, Author: '咨询台', Creator: '咨询台', Language: 'zh-CN' });
    expect(info.CreationDate).toMatch(/^D:20261121/);
  });

  test('counts its records', async () => {
    const records = [
      record({ feedback: { rating: 1, note: '' } }),
      record({ source: 'none', answer: '' }, 1),
      record({ source: 'curated', feedback: { rating: -1, note: '太慢' } }, 2),
    ];

    const { pages, all } = await read(make(records));

    const first = squeezed(pages[0]!);
    expect(first).toContain('3记录2已答1未答0人工回复1有咨询的天数');
    expect(first).toContain('2秒用时中位数');
    expect(first).toContain('50%');
    expect(all).toContain('（没有回答）');
    expect(all).toContain('没有帮助太慢');
  });

  test('states that there are no records', async () => {
    const made = make([], { filter: { text: '不存在' } });
    const { all } = await read(made);

    expect(all).toContain('没有符合条件的记录');
    expect(all).toContain('不存在');
    expect(made.records).toBe(0);
  });

  test('can be verified with its last page', async () => {
    const contact = { id: '13800138000', name: '张三' };
    const records = [record({ contact }), record({ contact: null }, 1)];
    const filter = { contact: '13800138000', from: '2026-11-01' };

    for (const mask of [false, true]) {
      const made = make(records, { filter, mask });
      const { pages, info } = await read(made);
      const shown = {
        contact: mask ? '138****8000' : '13800138000',
        from: '2026-11-01',
        mask,
        tz: 'Asia/Shanghai',
      };
      const masked = records.map((one) =>
        mask && one.contact ? { ...one, contact: maskContact(one.contact) } : one,
      );
      const hash = createHash('sha256');
      for (const line of [...masked, shown]) hash.update(`${canonicalize(line)}\n`);
      const digest = hash.digest('hex');
      const last = squeezed(pages.at(-1)!);
      expect(made.digest).toBe(digest);
      expect(last).toContain(digest);
      expect(last).toContain(squeezed(canonicalize(shown) as string));
      expect(info.Keywords).toContain(digest);
    }
  });

  test('masks contacts everywhere except in questions and answers', async () => {
    const records = [
      record({ contact: { id: '13800138000', name: '张三丰' }, question: '我的号码是什么？' }),
      record({ contact: { id: 'dana@northwind.cn', name: 'Dana Scully' } }, 1),
      record({ contact: { id: '客户-20261121', name: '' } }, 2),
    ];
    const made = make(records, {
      mask: true,
      title: '张三丰 13800138000 与 dana@northwind.cn 的报告',
      filter: { contact: '13800138000', text: '客户-20261121 138 0013 8000' },
    });
    const { all, info, outline } = await read(made);

    const everything = [all, JSON.stringify(info), JSON.stringify(outline), made.title].join('\n');
    for (const secret of [
      '1380013',
      '138 0013 8000',
      '张三丰',
      'dana@',
      'DanaScully',
      'Dana Scully',
      '客户-',
    ])
      expect({ secret, isThere: everything.includes(secret) }).toEqual({ secret, isThere: false });
    expect(squeezed(made.title)).toBe('张*丰138****8000与d**@northwind.cn的报告');
    expect(all).toContain('138****8000');
    expect(all).toContain('客****1');
  });
});

describe('images', () => {
  // Made by other programs: a PNG of 2 × 1 pixels, red and half-transparent blue, and a grey JPEG of 12 × 8.
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAYAAAD0In+KAAAADklEQVR4nGP4z8AAQg0AD3oDfnfpf5cAAAAASUVORK5CYII=',
    'base64',
  );

  const jpeg = Buffer.from(
    [
      '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWG',
      'kJ6jq62rZ4C8ybqmx5moq6T/wAALCAAIAAwBAREA/8QAFQABAQAAAAAAAAAAAAAAAAAAAAH/xAAUEAEAAAAAAAAAAAAAAAAA',
      'AAAA/9oACAEBAAA/AIP/2Q==',
    ].join(''),
    'base64',
  );

  test('are drawn if they can be read, and named otherwise', async () => {
    const url = '/api/files/1';
    const files = [{ id: '1', name: '照片.png', kind: 'image', chars: 0, pages: 0, url }];
    const one = record({
      isImage: true,
      url,
      imgUrls: [url, '/api/files/2', '/api/files/3', '/api/files/4'],
      files,
    });
    const pictures = new Map<string, Uint8Array>([
      [url, png],
      ['/api/files/2', Buffer.from('no picture at all')],
      ['/api/files/4', jpeg],
    ]);

    const made = make([one], {}, pictures);
    const { all } = await read(made);

    expect(all).toContain('图片：照片.png');
    expect(all).toContain('图片未能显示：/api/files/2');
    expect(all).toContain('图片未能显示：/api/files/3');
    const text = Buffer.from(made.bytes).toString('latin1');
    expect(text).toMatch(/\/Subtype \/Image\s+\/Width 2\s+\/Height 1\s/);
    expect(text).toMatch(/\/Subtype \/Image\s+\/Width 12\s+\/Height 8\s/);
    expect(text).toContain('/DCTDecode');
  });
});

describe('difficult text', () => {
  test('loses no character that the font has, and replaces the others by a placeholder', async () => {
    const question = 'A\tB 👨‍👩‍👧 𠮷野家 한국어 مرحبا 终';
    const answer = `שלום。${'W'.repeat(200)}终 ⼀一 a‑b-c`;

    const { all } = await read(make([record({ question, answer })]));

    expect(all).toContain('代表字体没有的字符');
    expect(all).toContain('AB□□野家□□□□□□□□终');
    expect(all).toContain(`□□□□。${'W'.repeat(200)}终⼀一a‑b-c`);
  });

  test('questions of 8,000 characters and answers without spaces are complete', async () => {
    const question = '这是一个很长的问题，'.repeat(800);
    const answer = 'x'.repeat(30_000);
    const { pages, all } = await read(
      make([record({ question, answer }), record({ question: '后面的' }, 1)]),
    );

    // Headers and footers are in between.
    expect(all.match(/这是一个很长的问题/g)!.length).toBeGreaterThan(790);
    expect(all.match(/x/g)).toHaveLength(30_000);
    expect(pages.length).toBeGreaterThan(10);
    expect(all).toContain('后面的');
  });

  test('Markdown stays readable', async () => {
    const answer = [
      '## 标题',
      '正文 **重点** 和 `code` 与 [链接](https://example.com/a)。[1]',
      '- 一\n  - 二\n    1. 三',
      '```js\nconst a = 1;\n\tindented\n```',
      '| 列甲 | 列乙 |\n|---|---:|\n| 甲 | 12 |\n| 很长的单元格，需要换行才能放下，'.padEnd(300, '字') +
        ' | 34 |',
      '> 引文 ~~旧价~~',
      '- [x] 已办\n- [ ] 待办',
      '<b>HTML</b> &amp; 1 &lt; 2',
    ].join('\n\n');
    const citations = [{ title: '手册', quote: '原文在此', start: 0, end: 4, href: '/api/passages/1' }];

    const { all } = await read(make([record({ answer, citations })]));

    expect(all).toContain('标题正文重点和code与链接(https://example.com/a)。[1]');
    expect(all).toContain('•一–二1.三');
    expect(all).toContain('consta=1;indented');
    expect(all).toContain('列甲列乙甲12');
    expect(all.match(/字/g)!.length).toBeGreaterThan(200);
    expect(all).toContain('引文~~旧价~~');
    expect(all).toContain('■已办□待办');
    expect(all).not.toContain('代表字体没有的字符');
    expect(all).toContain('<b>HTML</b>&1<2');
    expect(all).toContain('[1]手册「原文在此」');
    expect(all).not.toContain('**');
  });

  test('sources that are quoted in the answer are named and not repeated', async () => {
    const quote = '退款自受理之日起三个工作日到账。';
    const citation = { start: 0, end: quote.length, href: '/api/passages/1' };
    const citations = [
      { ...citation, title: '退款政策', quote },
      { ...citation, title: '手册', quote: '周末顺延。' },
    ];

    const { all } = await read(make([record({ answer: `${quote}[1] 详见手册[2]`, citations })]));

    expect(all.split(quote)).toHaveLength(2);
    expect(all).toContain('引用[1]退款政策');
    expect(all).toContain('[2]手册「周末顺延。」');
  });

  test('sources of one document stand together with their places, without those that support nothing', async () => {
    const source = { quote: '原文。', start: 0, end: 3, href: '/api/passages/1' };
    const citations = [
      { ...source, title: '价格表', place: '价格表 › 大件', at: { sheet: '大件', row: 14 } },
      { ...source, title: '停车须知' },
      { ...source, title: '手册', at: { page: 6 } },
      { ...source, title: '价格表', place: '价格表' },
    ];
    const answer = '一。[1] 二。[2] 三。[3] 四。[4]';
    const start = answer.indexOf('[2]');
    const doubts = [{ kind: 'citation' as const, start, end: start + 3 }];
    const { all } = await read(make([record({ answer, citations, doubts })]));
    expect(all).toContain('[1]价格表，大件、第14行「原文。」[4]价格表「原文。」[3]手册，第6页「原文。」');
    expect(all).not.toContain('停车须知');
  });

  test('a table longer than a page continues with its header repeated', async () => {
    const rows = Array.from({ length: 120 }, (_, index) => `| 行${index} | 值 |`).join('\n');
    const { pages, all } = await read(make([record({ answer: `| 表头 | 数 |\n|---|---|\n${rows}` })]));

    for (let index = 0; index < 120; index += 1) expect(all).toContain(`行${index}值`);
    const parts = pages.slice(1, -1);
    expect(parts.filter((page) => page.includes('表头')).length).toBe(parts.length);
  });

  test.each([
    ['nested lists', '- '.repeat(100)],
    ['nested quotes', `${'> '.repeat(500)}x`],
    ['brackets', '['.repeat(2000)],
    ['struck words', '~~旧~~'],
    ['a table of many columns', `${'| a '.repeat(80)}|\n${'|---'.repeat(80)}|\n${'| bcd '.repeat(80)}|`],
    ['an open code block', '```\n没有结束'],
    ['only marks', '***\n___\n---'],
    ['unfinished marks', '**粗 _斜 `码'],
  ])('%s do not make a report fail', async (_name, answer) => {
    const { all } = await read(make([record({ answer }), record({ question: '下一个问题' }, 1)]));
    expect(all).toContain('下一个问题');
  });
});

describe('the title page', () => {
  test('has room for the longest possible texts', async () => {
    const filter = {
      text: `${'搜索的文字，'.repeat(160)}`,
      contact: 'W'.repeat(120),
      from: '2025-01-01',
      to: '2026-11-21',
      source: 'document',
      feedback: 'down',
    } as const;
    const records = Array.from({ length: 90 }, (_, index) => record({}, index * 60 * 24));
    const made = make(records, { title: 'W'.repeat(200), filter });
    const { placed, all } = await read(made);

    expect(all).toContain('W'.repeat(200));
    const [first = []] = placed;
    const footer = first.find(({ text }) => text.startsWith('第'));
    for (const { text, y } of first)
      if (text.trim() !== '' && text !== footer?.text) expect(y).toBeGreaterThan(55);
  });
});

describe('pages', () => {
  test('never end with only a question, or only a day', async () => {
    const records = Array.from({ length: 120 }, (_, index) =>
      record(
        {
          question: `问题${index}。`.repeat(1 + (index % 9)),
          answer: '回答。'.repeat(10 + ((index * 37) % 120)),
        },
        index * 200,
      ),
    );
    const { placed } = await read(make(records));

    for (const texts of placed.slice(1, -1)) {
      const body = texts.filter(({ y, text }) => y > 50 && y < 780 && text.trim() !== '');
      const lowest = Math.min(...body.map(({ y }) => y));
      const last = body
        .filter(({ y }) => y === lowest)
        .map(({ text }) => text)
        .join('');
      expect(last).not.toMatch(/^问题\d+。/);
      expect(last).not.toMatch(/年 \d+ 月/);
      expect(last).not.toMatch(/本人/);
    }
  });

  test('keep their text within the margins', async () => {
    const records = Array.from({ length: 40 }, (_, index) =>
      record({ answer: '回答，'.repeat(index * 9) }, index),
    );
    const { placed } = await read(make(records));

    for (const texts of placed) for (const { y } of texts) expect(y).toBeGreaterThan(30);
    for (const texts of placed.slice(1)) {
      const body = texts.filter(({ text }) => text.includes('回答'));
      for (const { y } of body) expect(y).toBeGreaterThan(60);
    }
  });
});
