import { afterAll, describe, expect, test } from '@jest/globals';
import iconv from 'iconv-lite';
import { openTestExtractor } from '../../../testing/extract-bytes.ts';
import { oldChinesePdf, rawPdf, setPdf } from '../../../testing/sample-files.ts';

const extractor = await openTestExtractor();
afterAll(() => extractor.close());

interface PageParts {
  content: string;
  /** Entries of the page, such as annotations. */
  page?: string;
  resources?: string;
}

/** A PDF of these pages; `objects` are numbered from 101, and `catalog` and `trailer` are entries of these. */
function pdfOf(
  pages: readonly (string | PageParts)[],
  { objects = [], catalog = '', info }: { objects?: readonly string[]; catalog?: string; info?: string } = {},
): Buffer {
  const parts = pages.map((page) => (typeof page === 'string' ? { content: page } : page));
  const own = [
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    `<< /Type /Pages /Kids [${parts.map((_, at) => `${4 + at * 2} 0 R`).join(' ')}] /Count ${parts.length} /MediaBox [0 0 600 800] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ];
  return rawPdf((stream) => {
    const all = [
      ...own,
      ...parts.flatMap(({ content, page = '', resources = '' }, at) => [
        `<< /Type /Page /Parent 2 0 R /Contents ${5 + at * 2} 0 R /Resources << /Font << /F 3 0 R >> ${resources} >> ${page} >>`,
        plainStream(content),
      ]),
    ];
    void stream;
    while (all.length < 100) all.push('null');
    return [...all, ...objects, ...(info === undefined ? [] : [info])];
  });
}

function plainStream(content: string, entries = ''): string {
  return `<< /Length ${Buffer.byteLength(content, 'latin1')} ${entries} >>\nstream\n${content}\nendstream`;
}

/** Text at a position. */
const at = (x: number, y: number, text: string, size = 11) =>
  `BT /F ${size} Tf ${x} ${y} Td (${text.replace(/[()\\]/g, '\\$&')}) Tj ET\n`;
const utf16 = (text: string) => `<feff${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`;
const widget = (rect: string, entries: string) =>
  `<< /Type /Annot /Subtype /Widget /Rect [${rect}] /F 4 ${entries} >>`;

describe('characters of Chinese, Japanese and Korean fonts that are not embedded', () => {
  test.each([
    ['Identity-H', 'GB1', '04271105063d0d450cb00c860e3f0e54', '本月二十日全天停'],
    ['GBK2K-H', 'GB1', 'd0fdc1ba8139ee39', '旋梁㐀'],
    ['GBpc-EUC-H', 'GB1', 'b1bed4c2b6fecaae', '本月二十'],
    ['HKscs-B5-H', 'CNS1', 'a4a4a4e5a4bda571', '中文公司'],
    ['KSCms-UHC-H', 'Korea1', 'bff9bfe4c0cf', '월요일'],
    ['EUC-H', 'Japan1', 'bfe5cdcbc6fc', '水曜日'],
    ['H', 'Japan1', '3f654d4b467c', '水曜日'],
    ['UniJIS-UCS2-V', 'Japan1', '6c34 66dc 65e5'.replaceAll(' ', ''), '水曜日'],
  ])('are read in the encoding %s', async (encoding, ordering, codes, words) => {
    const file = await extractor.read(oldChinesePdf(encoding, Buffer.from(codes, 'hex'), ordering));

    expect(file.text).toBe(words);
    expect(file.notices).toEqual([]);
  });
});

test('text that cannot be decoded is left out, and its pages are reported', async () => {
  const codes = iconv.encode('本月二十日全天停电检修', 'gbk').toString('hex');
  const font = '/Font << /F 3 0 R /G 101 0 R >>';
  const bytes = pdfOf(
    [
      at(72, 700, 'Notice of the waterworks.'),
      { content: `${at(72, 700, 'Notice 2026-11')}BT /G 11 Tf 72 680 Td <${codes}> Tj ET`, resources: font },
    ],
    {
      objects: [
        '<< /Type /Font /Subtype /Type0 /BaseFont /SimSun /Encoding /GBK-EUC-H /DescendantFonts [102 0 R] >>',
        '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /SimSun /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 2 >> /DW 1000 >>',
      ],
    },
  );

  const { text, notices } = await extractor.read(bytes);

  expect(text).toBe('Notice of the waterworks.\n\nNotice 2026-11');
  expect(notices).toEqual([{ code: 'text_not_decoded', at: { page: 2 }, count: expect.any(Number) }]);
});

describe('forms and notes', () => {
  test('the values of fields are read beside their labels, and checked boxes are marked', async () => {
    const bytes = pdfOf(
      [
        {
          content: [
            at(72, 700, 'Applicant:'),
            at(72, 670, 'Zone:'),
            at(94, 640, 'Resident'),
            at(94, 610, 'Visitor'),
            at(72, 580, 'Secret:'),
          ].join(''),
          page: '/Annots [101 0 R 102 0 R 103 0 R 104 0 R 105 0 R 106 0 R]',
        },
      ],
      {
        catalog: '/AcroForm << /Fields [101 0 R 102 0 R 103 0 R 104 0 R 105 0 R 106 0 R] >>',
        objects: [
          widget('200 696 400 714', `/FT /Tx /T (a) /V ${utf16('周明 Zhou Ming')}`),
          widget('200 666 400 684', '/FT /Ch /T (b) /Ff 131072 /Opt [[(1) (North)] [(2) (South)]] /V (2)'),
          widget(
            '72 638 84 650',
            '/FT /Btn /T (c) /V /Yes /AS /Yes /AP << /N << /Yes 107 0 R /Off 107 0 R >> >>',
          ),
          widget(
            '72 608 84 620',
            '/FT /Btn /T (d) /V /Off /AS /Off /AP << /N << /Yes 107 0 R /Off 107 0 R >> >>',
          ),
          widget('200 576 400 594', '/FT /Tx /T (e) /Ff 8192 /V (hunter2)'),
          `<< /Type /Annot /Subtype /Widget /Rect [200 546 400 564] /F 2 /FT /Tx /T (f) /V (hidden) >>`,
          plainStream('', '/Type /XObject /Subtype /Form /BBox [0 0 10 10]'),
        ],
      },
    );

    const { text } = await extractor.read(bytes);

    expect(text.split('\n\n')).toEqual([
      'Applicant: 周明 Zhou Ming',
      'Zone: South',
      '☒ Resident',
      '☐ Visitor',
      'Secret:',
    ]);
  });

  test('the text of a page that has only form fields and text boxes is read', async () => {
    const bytes = pdfOf([{ content: '', page: '/Annots [101 0 R 102 0 R]' }], {
      objects: [
        widget('72 600 500 740', `/FT /Tx /T (a) /Ff 4096 /V ${utf16('十二月八日\n上午九点')}`),
        `<< /Type /Annot /Subtype /FreeText /Rect [72 500 500 540] /F 4 /Contents ${utf16('自十月一日起涨价')} >>`,
      ],
    });

    const { text } = await extractor.read(bytes);

    expect(text.split(/\n+/)).toEqual(['十二月八日', '上午九点', '自十月一日起涨价']);
  });

  test("notes of reviewers are separate paragraphs with the reviewer's name", async () => {
    const bytes = pdfOf(
      [
        {
          content: at(72, 700, 'The deposit is 300 euros.'),
          page: '/Annots [101 0 R 102 0 R]',
        },
      ],
      {
        objects: [
          '<< /Type /Annot /Subtype /Text /Rect [300 690 320 710] /F 4 /T (Anna) /Contents (Since May it is 350.) /Popup 102 0 R >>',
          '<< /Type /Annot /Subtype /Popup /Rect [300 600 400 690] /Parent 101 0 R >>',
        ],
      },
    );

    expect((await extractor.read(bytes)).text).toBe(
      'The deposit is 300 euros.\n\nAnna: Since May it is 350.',
    );
  });

  test('attached files are reported as not read', async () => {
    const bytes = pdfOf([at(72, 700, 'See the attached table.')], {
      catalog: '/Names << /EmbeddedFiles << /Names [(a.xlsx) 101 0 R] >> >>',
      objects: [
        '<< /Type /Filespec /F (a.xlsx) /EF << /F 102 0 R >> >>',
        plainStream('content', '/Type /EmbeddedFile'),
      ],
    });

    expect((await extractor.read(bytes)).notices).toEqual([{ code: 'attachment_not_read', count: 1 }]);
  });
});

test('layers that are switched off are not read, wherever they are', async () => {
  const resources = '/Properties << /Off 101 0 R /On 102 0 R /Some 103 0 R >> /XObject << /X 104 0 R >>';
  const marked = (name: string, content: string) => `/OC /${name} BDC\n${content}EMC\n`;
  const bytes = pdfOf(
    [
      {
        content: [
          at(72, 700, 'The deposit is 300 euros.'),
          marked(
            'Off',
            at(72, 680, 'The deposit is 900 euros.') + marked('On', at(72, 660, 'Draft of May.')),
          ),
          marked('On', at(72, 640, 'It is paid in cash.')),
          marked('Some', at(72, 620, 'The deposit is 901 euros.')),
          '/X Do\n',
          at(72, 580, 'The deposit is paid back.'),
        ].join(''),
        resources,
      },
    ],
    {
      catalog: '/OCProperties << /OCGs [101 0 R 102 0 R] /D << /OFF [101 0 R] /Order [101 0 R 102 0 R] >> >>',
      objects: [
        '<< /Type /OCG /Name (Draft) >>',
        '<< /Type /OCG /Name (Text) >>',
        '<< /Type /OCMD /OCGs [101 0 R] /P /AllOn >>',
        plainStream(
          at(72, 600, 'The deposit is 902 euros.'),
          '/Type /XObject /Subtype /Form /BBox [0 0 600 800] /OC 101 0 R /Resources << /Font << /F 3 0 R >> >>',
        ),
      ],
    },
  );

  const { text } = await extractor.read(bytes);

  expect(text).toBe('The deposit is 300 euros.\n\nIt is paid in cash.\n\nThe deposit is paid back.');
});

describe('the title', () => {
  const titled = (title: string, heading = '') =>
    setPdf(
      (pdf) => {
        if (heading !== '') pdf.fontSize(20).text(heading, 72, 60);
        pdf.fontSize(11).text('The pump is serviced each spring. '.repeat(8), 72, 120);
      },
      { title },
    );

  test.each([
    '(anonymous)',
    'untitled',
    'Untitled-2',
    'Microsoft Word - plan final.doc',
    'slide 1',
    'Document3',
    '20261125',
    'C:\\Users\\anna\\plan.docx',
    'Print',
    '无标题文档',
    'PowerPoint Presentation',
  ])('is not what programs write by themselves: %s', async (title) => {
    expect((await extractor.read(await titled(title), { name: 'pump plan.pdf' })).title).toBe('pump plan');
    expect((await extractor.read(await titled(title, 'Service plan'), { name: 'x.pdf' })).title).toBe(
      'Service plan',
    );
  });

  test.each(['Slide rules of the 19th century', 'Document retention policy', '报销单填写说明'])(
    'may begin with such a word: %s',
    async (title) => {
      expect((await extractor.read(await titled(title))).title).toBe(title);
    },
  );
});

/** A pattern that draws a form which is filled with the pattern: its drawing never ends. */
const endlessPattern = [
  plainStream(
    '/X Do\n',
    '/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 9 9] /XStep 9 /YStep 9 /Resources << /XObject << /X 102 0 R >> >>',
  ),
  plainStream(
    '/Pattern cs /P scn 0 0 9 9 re f\n',
    '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /Pattern << /P 101 0 R >> >>',
  ),
];

test('text beside an endless drawing is read, without the lines of its tables', async () => {
  const limited = await openTestExtractor({ limits: { pageTime: 2000 } });
  try {
    const words = [at(72, 700, 'Zone'), at(172, 700, 'Price'), at(72, 686, 'Inland'), at(172, 686, '4.90')];
    const page = {
      content: `${words.join('')}/Pattern cs /P scn 0 0 600 800 re f\n`,
      resources: '/Pattern << /P 101 0 R >>',
    };

    const { text, notices } = await limited.read(pdfOf([page, page], { objects: endlessPattern }));

    expect(text.match(/Inland\s+4\.90/g)).toHaveLength(2);
    expect(notices).toEqual([]);
  } finally {
    await limited.close();
  }
});

test('a page that takes too long is abandoned; the other pages and the next file are read', async () => {
  // Long before the drawing has used up the stack.
  const limited = await openTestExtractor({ limits: { pageTime: 500 } });
  try {
    const cycle = '/Pattern cs /P scn 0 0 600 800 re f\n';
    const bytes = pdfOf(
      [
        at(72, 700, 'The first page has words.'),
        { content: cycle, resources: '/Pattern << /P 101 0 R >>' },
        at(72, 700, 'The third page has words.'),
      ],
      {
        objects: endlessPattern,
      },
    );

    const file = await limited.read(bytes);

    expect(file.text).toBe('The first page has words.\n\nThe third page has words.');
    expect(file.notices).toEqual([{ code: 'page_too_slow', at: { page: 2 }, count: 1 }]);
    await expect(limited.read(pdfOf([at(72, 700, 'More words.')]))).resolves.toMatchObject({
      text: 'More words.',
    });
  } finally {
    await limited.close();
  }
});

describe('columns', () => {
  const left = [
    'The warranty of the heat pump begins',
    'on the day of its delivery and it ends',
    'after thirty months unless the owner',
    'extends it in writing before that day.',
  ];
  const right = [
    'Claims are sent to the service office',
    'in Bonn within fourteen days after the',
    'defect is found, together with a copy',
    'of the receipt and of the label.',
  ];
  const paragraphs = [left.join(' '), right.join(' ')].join('\n\n');
  const lineOf = (column: number, row: number) =>
    at(column === 0 ? 72 : 320, 700 - row * 14, (column === 0 ? left : right)[row]!);
  const rows = [0, 1, 2, 3];

  test('that are drawn one after the other are paragraphs', async () => {
    const bytes = pdfOf([
      [...rows.map((row) => lineOf(0, row)), ...rows.map((row) => lineOf(1, row))].join(''),
    ]);
    expect((await extractor.read(bytes)).text).toBe(paragraphs);
  });

  test('that are drawn row by row are read column by column', async () => {
    const bytes = pdfOf([rows.map((row) => lineOf(0, row) + lineOf(1, row)).join('')]);
    expect((await extractor.read(bytes)).text).toBe(paragraphs);
  });

  test('of a table stay a table', async () => {
    const cells = [
      ['Model', 'Length of the warranty'],
      ['Heat pump', 'thirty months'],
      ['Boiler', 'two years'],
      ['Radiator', 'ten years for the body'],
    ];
    const bytes = pdfOf([
      cells.map(([a, b], row) => at(72, 700 - row * 14, a!) + at(320, 700 - row * 14, b!)).join(''),
    ]);
    expect((await extractor.read(bytes)).text).toContain('| Heat pump | thirty months |');
  });
});

describe('headers and footers', () => {
  const body = ['one', 'two', 'three', 'four', 'five'];
  const pages = (footer: (page: number) => string) =>
    pdfOf(
      body.map(
        (word, index) =>
          // Drawn first, as many programs do.
          footer(index + 1) +
          at(72, 700, `Error E0${index} means that valve ${word} is stuck.`) +
          at(72, 686, `It is opened with the lever of part ${word}.`) +
          at(72, 672, `The lever is behind cover ${word}, on the left side of the`),
      ),
    );
  const expected = body
    .map(
      (word, index) =>
        `Error E0${index} means that valve ${word} is stuck. It is opened with the lever of part ${word}. The lever is behind cover ${word}, on the left side of the`,
    )
    .join('\n\n');

  test.each<[string, string[], (page: number) => string]>([
    [
      'as wide as the page',
      ['SealPro 300 manual rev. 4 Page 5 of 5'],
      (page) => at(72, 40, 'SealPro 300 manual rev. 4', 9) + at(430, 40, `Page ${page} of 5`, 9),
    ],
    [
      'that differ on left and right pages',
      ['SealPro 5', 'Manual 4'],
      (page) => (page % 2 ? at(72, 40, `SealPro ${page}`) : at(400, 40, `Manual ${page}`)),
    ],
    [
      'that start on the second page',
      ['SealPro 300 manual'],
      (page) => (page > 1 ? at(72, 760, 'SealPro 300 manual') : ''),
    ],
    [
      'with the time of printing',
      ['Printed 2026-11-25 10:05:15, page 5'],
      (page) => at(72, 40, `Printed 2026-11-2${page} 10:0${page}:1${page}, page ${page}`, 9),
    ],
    [
      'that the text contains as well',
      [],
      (page) => at(72, 760, 'Cover one') + at(72, 40, `Page ${page} of 5`),
    ],
  ])('%s stand once after the text', async (_, margins, footer) => {
    const { text } = await extractor.read(pages(footer));
    expect(text.replace(/\s+/g, ' ')).toBe([expected, ...margins].join(' ').replace(/\s+/g, ' '));
  });

  test('are kept if a document consists of two pages with mostly the same text', async () => {
    const invoice = (copy: string) =>
      at(72, 760, 'Invoice FV 7/2026 of 2026-04-26') +
      ['Pump 33.00', 'Hose 44.00', 'Valve 55.00'].map((row, at14) => at(72, 600 - at14 * 14, row)).join('') +
      at(72, 500, copy) +
      at(72, 40, 'Payable within 14 days');
    const { text } = await extractor.read(pdfOf([invoice('Original'), invoice('Copy for the archive')]));
    for (const words of ['Invoice FV 7/2026', 'Payable within 14 days']) expect(text).toContain(words);
  });

  test('in a ruled table appear once, after the text', async () => {
    const frame =
      '72 740 400 40 re S 72 760 m 472 760 l S 272 740 m 272 780 l S\n' +
      at(80, 765, 'Seal works Bremen') +
      at(280, 765, 'Manual SP-300') +
      at(80, 745, 'Edition 4');
    const { text } = await extractor.read(pages((page) => frame + at(280, 745, `Page ${page} of 5`)));
    expect(text.replace(/\s+/g, ' ')).toBe(
      `${expected} | Seal works Bremen | Manual SP-300 | | --- | --- | | Edition 4 | Page 5 of 5 |`.replace(
        /\s+/g,
        ' ',
      ),
    );
  });

  test('that differ between two pages are not joined to a sentence of the page before', async () => {
    const page = (word: string, footer: string) =>
      at(72, 40, footer) +
      at(72, 700, `The ${word} valve is opened with its lever, and`) +
      at(72, 686, 'closed with the lever beside it on the left of the');
    const { text } = await extractor.read(
      pdfOf([page('first', 'Checked by Anna'), page('second', 'Seen by Ben')]),
    );
    expect(text).toMatch(/^The first valve .*Checked by Anna\n\nThe second valve .*Seen by Ben$/s);
  });
});

describe('text that is drawn in unusual ways', () => {
  const turned = (x: number, y: number, text: string, size = 9) =>
    `BT /F ${size} Tf 0.7071 0.7071 -0.7071 0.7071 ${x} ${y} Tm (${text}) Tj ET\n`;
  const body = at(72, 700, 'The pump is checked in spring.') + at(72, 686, 'Its valve is checked in autumn.');

  test('labels at an angle are read, stamps across the page are not', async () => {
    const labels = ['January 120 kWh', 'February 95 kWh', 'March 80 kWh'];
    const page =
      body +
      labels.map((label, index) => turned(100 + index * 60, 300, label)).join('') +
      turned(150, 350, 'DRAFT', 90);

    const { text } = await extractor.read(pdfOf([page]));

    for (const label of labels) expect(text).toContain(label);
    expect(text).not.toContain('DRAFT');
  });

  test('a mark at an angle on several pages is not read', async () => {
    const page = (word: string) =>
      at(72, 700, `The ${word} pump is checked in spring.`) + turned(200, 300, 'Do not copy', 11);

    const { text } = await extractor.read(pdfOf([page('first'), page('second')]));

    expect(text).not.toContain('copy');
  });

  test.each([
    ['up', '0 1 -1 0 550 50'],
    ['down', '0 -1 1 0 50 750'],
    ['upside down', '-1 0 0 -1 550 750'],
  ])('a page whose text runs %s is read as if it were rotated', async (_, matrix) => {
    const rows = [
      ['Region', 'Units', 'Sales'],
      ['North', '120', '3400'],
      ['South', '95', '2100'],
    ];
    const cells = rows.flatMap((row, line) =>
      row.map((cell, column) => at(10 + column * 120, 200 - line * 20, cell)),
    );
    const rules = [0, 1, 2, 3].map((line) => `0 ${215 - line * 20} m 360 ${215 - line * 20} l S\n`);
    const sides = [0, 1, 2, 3].map((column) => `${column * 120} 215 m ${column * 120} 155 l S\n`);
    const page = `q ${matrix} cm\n${at(10, 260, 'The table lists the sales of spring by region.')}${[...cells, ...rules, ...sides].join('')}Q\n`;

    const { text } = await extractor.read(pdfOf([page + at(500, 20, 'Copy')]));

    expect(text).toContain('| Region | Units | Sales |');
    expect(text).toContain('| South | 95 | 2100 |');
    expect(text).toMatch(/^The table lists the sales of spring by region\.$/m);
  });

  test('words of vertical labels beside each other are not joined', async () => {
    const up = (x: number, text: string) => `BT /F 9 Tf 0 1 -1 0 ${x} 300 Tm (${text}) Tj ET\n`;

    const { text } = await extractor.read(pdfOf([body + up(100, 'Monday') + up(112, 'Tuesday')]));

    expect(text).toMatch(/Monday\s+Tuesday/);
  });

  test('a signature and a stamp are read from their drawings', async () => {
    const drawing = (content: string) =>
      plainStream(
        content,
        '/Type /XObject /Subtype /Form /BBox [0 0 200 40] /Resources << /Font << /F 3 0 R >> >>',
      );
    const bytes = pdfOf([{ content: body, page: '/Annots [101 0 R 102 0 R 105 0 R]' }], {
      catalog: '/AcroForm << /Fields [101 0 R] >>',
      objects: [
        widget('72 100 272 140', '/FT /Sig /T (s) /AP << /N 103 0 R >>'),
        '<< /Type /Annot /Subtype /Stamp /Rect [300 100 500 140] /F 4 /AP << /N 104 0 R >> >>',
        drawing('BT /F 9 Tf 5 25 Td (Signed by Zhou Ming) Tj 0 -12 Td (on 5 March) Tj ( 2026) Tj ET'),
        drawing('BT /F 9 Tf 5 25 Td (Received) Tj 60 0 Td (by Anna) Tj ET'),
        // Windows of notes may have no place.
        '<< /Type /Annot /Subtype /Popup /Rect [0 0 0 0] /Parent 102 0 R >>',
      ],
    });

    const { text } = await extractor.read(bytes);

    expect(text).toContain('Signed by Zhou Ming\non 5 March 2026');
    expect(text).toContain('Received by Anna');
  });

  /** A page in Helvetica and in a font whose codes from `A` on are these characters. */
  const withFont = (content: string, characters: readonly string[]) =>
    pdfOf([{ content, resources: '' }], {
      catalog: '',
      objects: [
        `<< /Type /Font /Subtype /Type1 /BaseFont /Other /FirstChar 65 /LastChar ${64 + characters.length} /Widths [${characters.map(() => 500).join(' ')}] /ToUnicode 102 0 R /FontDescriptor 103 0 R >>`,
        plainStream(
          `begincmap 1 begincodespacerange <00> <ff> endcodespacerange ${characters.length} beginbfchar ${characters.map((character, index) => `<${(65 + index).toString(16)}> <${Buffer.from(character, 'utf16le').swap16().toString('hex')}>`).join(' ')} endbfchar endcmap`,
        ),
        '<< /Type /FontDescriptor /FontName /Other /Flags 32 >>',
      ],
    })
      .toString('latin1')
      .replace('/Font << /F 3 0 R >>', '/Font << /F 3 0 R /G 101 0 R >>');

  test('an Arabic ligature keeps the order of its letters', async () => {
    const page = `BT /G 11 Tf 72 600 Td (ABACD) Tj ET`;

    const { text } = await extractor.read(Buffer.from(withFont(page, ['ط', 'و', '\ufccb', 'ا']), 'latin1'));

    expect(text).toBe('الخطوط');
  });

  test('old-style figures are digits', async () => {
    const page = 'BT /F 11 Tf 72 600 Td (Valid until) Tj /G 11 Tf 60 0 Td (ABAC) Tj ET';

    const { text } = await extractor.read(
      Buffer.from(withFont(page, ['\uf732', '\uf730', '\uf736']), 'latin1'),
    );

    expect(text).toBe('Valid until 2026');
  });

  test('characters without a meaning are counted', async () => {
    const page = 'BT /F 11 Tf 72 600 Td (Valid until) Tj /G 11 Tf 60 0 Td (ABAC) Tj ET';

    const { notices } = await extractor.read(
      Buffer.from(withFont(page, ['\u0082', '\u0080', '\u0086']), 'latin1'),
    );

    expect(notices).toEqual([{ code: 'text_not_decoded', at: { page: 1 }, count: 4 }]);
  });
});

describe('lines with dot leaders', () => {
  const line = (index: number, text: string) => at(72, 700 - index * 14, text);

  test('are kept as a list of prices', async () => {
    const prices = ['Single room ........ 320', 'Breakfast .......... 38', 'Parking ............ 120'];
    const page =
      at(72, 730, 'Prices of the guest house') + prices.map((price, index) => line(index, price)).join('');

    const { text } = await extractor.read(pdfOf([page]));

    for (const price of ['320', '38', '120']) expect(text).toContain(price);
  });

  test('are left out as a table of contents', async () => {
    const words = ['Refunds', 'Returns', 'Delivery'];
    const contents = words.map((word, index) => line(index, `${word} ............ ${9 - index}`)).join('');
    const pages = words.map(
      (word) => at(72, 700, word, 18) + at(72, 660, `About ${word} all is said on this page.`),
    );

    const { text } = await extractor.read(pdfOf([contents, ...pages]));

    expect(text).not.toContain('....');
  });
});
