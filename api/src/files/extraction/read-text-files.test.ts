import { afterAll, describe, expect, test } from '@jest/globals';
import iconv from 'iconv-lite';
import { openTestExtractor } from '../../testing/extract-bytes.ts';

const extractor = await openTestExtractor();
afterAll(() => extractor.close());

describe('the encoding that a page declares', () => {
  test.each([
    ['shift_jis', '営業は九時からです'],
    ['euc-jp', '木曜日は休みです'],
    ['iso-2022-jp', '受付は三階です'],
    ['euc-kr', '접수는 이층입니다'],
    ['windows-1251', 'Касса закрыта в понедельник'],
    ['koi8-r', 'Склад на втором этаже'],
    ['windows-1254', 'Şube öğleden sonra açıktır'],
    ['windows-1256', 'المكتب مغلق يوم الجمعة'],
    ['iso-8859-2', 'Pokladna je zavřená v pondělí'],
    ['big5', '週二公休'],
  ])('%s is used', async (charset, sentence) => {
    const page = `<!doctype html><html><head><meta charset="${charset}"><title>x</title></head><body><p>${sentence}</p></body></html>`;
    const http = `<html><head><meta http-equiv='Content-Type' content='text/html; charset=${charset}'></head><body><p>${sentence}</p></body></html>`;

    expect((await extractor.read(encoded(page, charset))).text).toBe(sentence);
    expect((await extractor.read(encoded(http, charset))).text).toBe(sentence);
  });

  test('is ignored if the page is UTF-8, unknown, or only mentioned in a comment', async () => {
    const utf8 = '<meta charset="windows-1251"><p>Склад закрыт</p>';
    const unknown = encoded(
      '<html><meta charset="x-none"><p>本店每周一休息，其他时间照常营业。</p></html>',
      'gb18030',
    );
    const comment = encoded(
      '<html><!-- <meta charset="koi8-r"> --><p>本店每周一休息，其他时间照常营业。</p></html>',
      'gb18030',
    );

    expect((await extractor.read(utf8)).text).toBe('Склад закрыт');
    expect((await extractor.read(unknown)).text).toBe('本店每周一休息，其他时间照常营业。');
    expect((await extractor.read(comment)).text).toBe('本店每周一休息，其他时间照常营业。');
  });
});

describe('a page', () => {
  test('is read with the pages within it, and says which it cannot read', async () => {
    const { text, notices } = await extractor.read(
      '<html><body><p>Opening hours</p><iframe srcdoc="<p>Closed on &lt;b&gt;Sunday&lt;/b&gt;</p>"></iframe>' +
        '<iframe src="https://map.example/"></iframe><iframe hidden src="https://count.example/"></iframe></body></html>',
    );

    expect(text).toBe('Opening hours\n\nClosed on Sunday');
    expect(notices).toEqual([{ code: 'frame_not_read', count: 1 }]);
  });

  test('of frames shows what browsers without frames show', async () => {
    const { text, notices } = await extractor.read(
      '<html><head><title>Guide</title></head><frameset cols="20%,*"><frame src="a.html"><frame src="b.html">' +
        '<noframes><body><p>Call 5550 199.</p></body></noframes></frameset></html>',
    );

    expect(text).toBe('Call 5550 199.');
    expect(notices).toEqual([{ code: 'frame_not_read', count: 2 }]);
  });

  test('keeps words with a reading together, and formulas', async () => {
    const { text } = await extractor.read(
      '<html><body><p>在<ruby>亳<rp>（</rp><rt>bó</rt><rp>）</rp>州<rt>zhōu</rt></ruby>店自提。</p>' +
        '<p>Fee = <math><mi>n</mi><mo>×</mo><mn>3</mn><annotation encoding="application/x-tex">n\\times 3</annotation></math></p></body></html>',
    );

    expect(text).toBe('在亳州店自提。\n\nFee = n×3');
  });

  test('has fractions, powers and roots on one line, and raised numbers apart', async () => {
    const { text } = await extractor.read(
      '<html><body><p>P = <math><mfrac><mrow><mi>A</mi><mo>+</mo><mi>b</mi></mrow><mn>365</mn></mfrac><msup><mi>r</mi><mn>2</mn></msup><msqrt><mi>x</mi></msqrt></math></p>' +
        '<p>10<sup>6</sup> m<sup>2</sup></p></body></html>',
    );

    expect(text).toBe('P = (A+b)/365r^2√(x)\n\n10^6 m2');
  });

  test('of XML is decoded as it declares', async () => {
    const page =
      '<?xml version="1.0" encoding="windows-1251"?><html xmlns="http://www.w3.org/1999/xhtml"><body><p>Цена сто рублей</p></body></html>';

    expect((await extractor.read(encoded(page, 'windows-1251'))).text).toBe('Цена сто рублей');
  });

  test('says that the text of its drawings is not read', async () => {
    const { notices } = await extractor.read(
      '<html><body><p>Plan</p><svg><text>Room 4</text></svg><svg><path d="M0 0"/></svg></body></html>',
    );

    expect(notices).toEqual([{ code: 'drawing_not_read', count: 1 }]);
  });
});

test('a short page in Korean that declares no encoding is not taken for Chinese', async () => {
  const page = '<html><body>요청하신 페이지를 찾을 수 없습니다. 다시 확인해 주세요.</body></html>';

  expect((await extractor.read(encoded(page, 'euc-kr'))).text).toBe(
    '요청하신 페이지를 찾을 수 없습니다. 다시 확인해 주세요.',
  );
});

describe('a message', () => {
  const body = Buffer.from('退款将在五个工作日内到账。').toString('base64');
  const subject = `=?UTF-8?B?${Buffer.from('退款进度').toString('base64')}?=`;

  test('is read with its headers, whatever its transfer encoding', async () => {
    const file = await extractor.read(
      `Return-Path: <a@example.com>\r\nFrom: Lin <a@example.com>\r\nTo: b@example.com,\r\n c@example.com\r\nSubject: ${subject}\r\n` +
        `Date: Tue, 03 Nov 2026 09:00:00 +0800\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${body}\r\n`,
      { name: 'a.eml' },
    );

    expect(file).toMatchObject({ kind: 'mail', type: 'message/rfc822', title: '退款进度', notices: [] });
    expect(file.text).toBe(
      '# 退款进度\n\n- From: Lin <a@example.com>\n- To: b@example.com, c@example.com\n' +
        '- Date: Tue, 03 Nov 2026 09:00:00 +0800\n\n退款将在五个工作日内到账。',
    );
  });

  test('of several parts is read with the names of its attachments', async () => {
    const page = '<table><tr><th>Item</th><th>Price</th></tr><tr><td>Belt</td><td>30 euros</td></tr></table>';
    const file = await extractor.read(
      'From: a@example.com\nSubject: Prices\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="x"\n\n' +
        `--x\nContent-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n${page.replaceAll('=', '=3D')}\n` +
        '--x\nContent-Type: application/pdf; name="list.pdf"\nContent-Disposition: attachment; filename="list.pdf"\nContent-Transfer-Encoding: base64\n\nJVBERi0=\n--x--\n',
    );

    expect(file.text).toContain('- Attachments: list.pdf');
    expect(file.text).toContain('| Belt | 30 euros |');
    expect(file.notices).toEqual([{ code: 'attachment_not_read', count: 1 }]);
  });

  test('names the files that stand among the pictures of its layout', async () => {
    const part = (type: string, name: string) =>
      `--x\nContent-Type: ${type}; name="${name}"\nContent-ID: <${name}>\nContent-Disposition: inline\n\nwords\n`;
    const { text, notices } = await extractor.read(
      'From: a@example.com\nSubject: Prices\nMIME-Version: 1.0\nContent-Type: multipart/related; boundary="x"\n\n' +
        `--x\nContent-Type: text/html\n\n<p>See the list.</p>\n${part('image/png', 'logo.png')}${part('application/pdf', 'list.pdf')}--x--\n`,
    );

    expect(text).toBe('# Prices\n\n- From: a@example.com\n- Attachments: list.pdf\n\nSee the list.');
    expect(notices).toEqual([{ code: 'attachment_not_read', count: 1 }]);
  });

  test.each([true, false])('in UTF-16 is read like others (with a mark: %j)', async (addBOM) => {
    const message = `From: a@example.com\r\nSubject: ${subject}\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${body}\r\n`;
    const { kind, text } = await extractor.read(iconv.encode(message, 'utf-16le', { addBOM }));

    expect(kind).toBe('mail');
    expect(text).toBe('# 退款进度\n\n- From: a@example.com\n\n退款将在五个工作日内到账。');
  });

  test('in an older encoding is decoded by its own declaration', async () => {
    const message =
      'From: a@example.com\nSubject: x\nMIME-Version: 1.0\nContent-Type: text/plain; charset=gb2312\nContent-Transfer-Encoding: 8bit\n\n仓库周六上午开放\n';

    expect((await extractor.read(encoded(message, 'gb18030'))).text).toContain('仓库周六上午开放');
  });

  const head = 'From: a@example.com\r\nMessage-ID: <1@example.com>\r\n';
  test.each([
    ['without a charset', 'Subject: x\r\nContent-Type: text/plain\r\n\r\n仓库周六上午开放，周日休息'],
    ['without a type', 'Subject: x\r\n\r\n仓库周六上午开放，周日休息'],
    [
      'declared as ASCII',
      'Subject: x\r\nContent-Type: text/plain;\r\n charset="us-ascii"\r\n\r\n仓库周六上午开放，周日休息',
    ],
    [
      'with the declaration in its page',
      'Subject: x\r\nContent-Type: text/html\r\n\r\n<html><head><meta charset="gb2312"></head><body>仓库周六上午开放</body></html>',
    ],
    [
      'with a subject in that encoding',
      'Subject: 仓库周六上午开放\r\nContent-Type: text/plain; charset=gbk\r\n\r\n见标题',
    ],
  ])('in an older encoding %s is decoded like a file', async (_, message) => {
    const { text, notices } = await extractor.read(encoded(head + message, 'gb18030'));

    expect(text).toContain('仓库周六上午开放');
    expect(notices).toEqual([]);
  });

  test('reports characters that cannot be decoded', async () => {
    const bytes = Buffer.concat([
      Buffer.from(`${head}Content-Type: text/plain; charset=utf-8\r\n\r\nprice `),
      Buffer.from([0xff]),
    ]);

    expect((await extractor.read(bytes)).notices).toEqual([{ code: 'characters_damaged', count: 1 }]);
  });

  test('is followed by the messages forwarded with it, with their own headers and attachments', async () => {
    const { text, notices } = await extractor.read(
      `${head}Subject: Fwd\r\nContent-Type: multipart/mixed; boundary="x"\r\n\r\n--x\r\nContent-Type: text/plain\r\n\r\nSee below.\r\n` +
        '--x\r\nContent-Type: message/rfc822\r\n\r\nFrom: c@example.com\r\nSubject: Prices\r\nDate: Sun, 1 Mar 2026 23:30:00 +0800\r\nContent-Type: multipart/mixed; boundary="y"\r\n\r\n' +
        '--y\r\nContent-Type: text/html\r\n\r\n<p>Belt: 30 euros</p>\r\n--y\r\nContent-Type: application/pdf; name="list.pdf"\r\n\r\n%PDF\r\n--y--\r\n--x--\r\n',
    );

    expect(text).toBe(
      '# Fwd\n\n- From: a@example.com\n\nSee below.\n\n# Prices\n\n- From: c@example.com\n- Date: Sun, 1 Mar 2026 23:30:00 +0800\n- Attachments: list.pdf\n\nBelt: 30 euros',
    );
    expect(notices).toEqual([{ code: 'attachment_not_read', count: 1 }]);
  });

  test('is read with the report on its delivery, and the header that is returned', async () => {
    const { text, notices } = await extractor.read(
      `${head}Subject: Undelivered\r\nContent-Type: multipart/report; report-type=delivery-status; boundary="x"\r\n\r\n--x\r\nContent-Type: text/plain\r\n\r\nYour message came back.\r\n` +
        '--x\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mail.example.com\r\n\r\nFinal-Recipient: rfc822; b@example.com\r\nAction: failed\r\nStatus: 5.1.1\r\n' +
        '--x\r\nContent-Type: text/rfc822-headers\r\n\r\nTo: b@example.com\r\nSubject: Prices\r\n--x--\r\n',
    );

    expect(text).toBe(
      '# Undelivered\n\n- From: a@example.com\n\nYour message came back.\n\nReporting-MTA: dns; mail.example.com\n\nFinal-Recipient: rfc822; b@example.com\nAction: failed\nStatus: 5.1.1\n\nTo: b@example.com\nSubject: Prices',
    );
    expect(notices).toEqual([]);
  });

  test('is read from a mailbox with the others in it', async () => {
    const message = (subject: string, text: string) =>
      `From a@example.com Mon Mar  2 16:07:05 2026\r\nMessage-ID: <${subject}@example.com>\r\nSubject: ${subject}\r\n\r\n${text}\r\n\r\n`;
    const { kind, text } = await extractor.read(
      message('One', 'Closed on Monday.\r\n>From Tuesday on: open.') + message('Two', 'Open again.'),
    );

    expect(kind).toBe('mail');
    expect(text).toBe('# One\n\nClosed on Monday.\nFrom Tuesday on: open.\n\n# Two\n\nOpen again.');
  });

  test('is not recognised in a note with similar lines', async () => {
    const note = 'From: the kitchen\nTo: everyone\nSubject: lunch\n\nLunch is at noon.';

    expect((await extractor.read(note)).kind).toBe('text');
  });
});

describe('a table as text', () => {
  test.each([';', '\t', '|'])('uses the delimiter that its first line declares: %j', async (delimiter) => {
    const rows = `${['City', 'Person'].join(delimiter)}\n${['Bonn, west', 'Ida'].join(delimiter)}`;
    const { text } = await extractor.read(`\ufeffsep=${delimiter}\r\n${rows}`, { name: 'a.csv' });

    expect(text).toBe('| City | Person |\n| --- | --- |\n| Bonn, west | Ida |');
  });

  test('stays one if rows have a field more or less', async () => {
    const { kind, text } = await extractor.read(
      'Day,Person,Phone\nMon,Ida,811\nTue,Otto,812,spare\nWed,Eva\n',
      {
        name: 'a.csv',
      },
    );

    expect(kind).toBe('csv');
    expect(text.split('\n').slice(2)).toEqual([
      '| Mon | Ida | 811 |  |',
      '| Tue | Otto | 812 | spare |',
      '| Wed | Eva |  |  |',
    ]);
  });
});

test('the fields of front matter can be asked for', async () => {
  const { text, title } = await extractor.read(
    '---\ntitle: Expenses\nowner: Finance\ntags:\n  - travel\n---\n\n# Receipts\n\nWithin 30 days.',
    {
      name: 'a.md',
    },
  );

  expect(title).toBe('Expenses');
  expect(text).toBe('- owner: Finance\n- tags:\n  - travel\n\n# Receipts\n\nWithin 30 days.');
});

/** Of the encodings that iconv-lite lacks only ISO-2022-JP is needed here: EUC-JP in 7 bits, with escapes. */
function encoded(text: string, charset: string): Uint8Array {
  if (charset !== 'iso-2022-jp') return iconv.encode(text, charset);
  const euc = iconv.encode(text, 'euc-jp');
  const parts: number[] = [];
  let isWide = false;
  for (const byte of euc) {
    if (byte > 0x7f !== isWide) parts.push(...Buffer.from(isWide ? '\x1b(B' : '\x1b$B'));
    isWide = byte > 0x7f;
    parts.push(byte & 0x7f);
  }
  return Uint8Array.from(parts);
}
