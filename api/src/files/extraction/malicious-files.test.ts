import { deflateSync } from 'node:zlib';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { ApiError } from '../../errors/errors.ts';
import { openTestExtractor } from '../../testing/extract-bytes.ts';
import { makePptx, makeXlsx } from '../../testing/office-files.ts';
import { readRandomFiles } from '../../testing/read-random-files.ts';
import {
  deflatedZeros,
  documentXml,
  docxBomb,
  docxOf,
  encryptedDocx,
  encryptedPdf,
  makeDocx,
  makePdf,
  makePng,
  oldDoc,
  pdfBomb,
  pngBomb,
  recursivePdf,
} from '../../testing/sample-files.ts';
import { writeZip } from '../../testing/write-zip.ts';

const extractor = await openTestExtractor({
  limits: { maxPages: 60, maxMemoryMb: 350, maxHeapMb: 80, maxTime: 100_000 },
});
afterAll(() => extractor.close());

const elements = (open: string, close: string, count: number) =>
  `${open.repeat(count)}words${close.repeat(count)}`;
const wordCell = '<w:p><w:r><w:t>x</w:t></w:r></w:p>';
const entities = Array.from(
  { length: 20 },
  (_, at) => `<!ENTITY e${at + 1} "${`&e${at};`.repeat(10)}">`,
).join('');

describe('refused with a clear reason', () => {
  test.each<[string, string, () => Uint8Array | string | Promise<Uint8Array>]>([
    ['an empty file', 'unreadable_empty', () => ''],
    ['a file of blanks', 'unreadable_empty', () => ' \n\t\n'],
    ['a PDF with a password', 'unreadable_encrypted', encryptedPdf],
    ['a Word document with a password', 'unreadable_encrypted', encryptedDocx],
    ['a zip with a password', 'unreadable_encrypted', () => locked('word/document.xml')],
    ['a PDF of too many pages', 'file_pages', () => makePdf(Array.from({ length: 61 }, () => 'page'))],
    ['half a PDF', 'unreadable_damaged', async () => half(await makePdf(['# One\nwords', 'two']))],
    ['half a Word document', 'unreadable_damaged', () => half(makeDocx(['words '.repeat(500)]))],
    ['the first bytes of a Word document', 'unreadable_damaged', () => makeDocx(['words']).subarray(0, 60)],
    ['a PDF whose tree of pages goes in circles', 'unreadable_damaged', recursivePdf],
    // Whichever limit is reached first depends on the speed of the machine.
    ['a PDF that unpacks to gigabytes', 'file_memory|unreadable_too_slow', () => pdfBomb(7e8)],
    ['a Word document that unpacks to gigabytes', 'file_unpacked', () => docxBomb(2e9)],
    ['one that says it does not', 'unreadable_damaged', () => docxBomb(2e9, 1000)],
    ['a workbook that unpacks to gigabytes', 'file_unpacked', () => sheetBomb(2e9)],
    [
      'half a workbook',
      'unreadable_damaged',
      () => half(makeXlsx([{ name: 'S', rows: [['words', 'more']] }])),
    ],
    ['a workbook with a password for its parts', 'unreadable_encrypted', () => locked('xl/workbook.xml')],
    ['half a presentation', 'unreadable_damaged', () => half(makePptx([{ title: 'words' }]))],
    ['one of entities within entities', 'unreadable_damaged', () => laughs()],
    [
      'one nested without end',
      'unreadable_damaged',
      () => docxOf(documentXml(elements('<w:p><w:r>', '</w:r></w:p>', 20_000))),
    ],
    ['an image that is huge when unpacked', 'file_pixels', () => pngBomb(50_000, 50_000)],
    ['half an image', 'unreadable_damaged', () => makePng(300, 100, 'words').subarray(0, 20)],
    ['text without end', 'file_text', () => 'word and more '.repeat(400_000)],
    ['a table of 5,000 columns', 'file_text', () => `${'c,'.repeat(5000)}\n`.repeat(400)],
    [
      'an image in XML',
      'unsupported_file',
      () => '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script/></svg>',
    ],
    ['a Word document of before 2007', 'unsupported_file', oldDoc],
    [
      'another Office document',
      'unsupported_file',
      () => writeZip([{ name: 'xl/workbook.bin', bytes: Buffer.from('<x/>') }]),
    ],
    ['an archive', 'unsupported_file', () => writeZip([{ name: 'a.txt', bytes: Buffer.from('a') }])],
    ['an executable', 'unsupported_file', () => Buffer.from('7f454c460201010000000000000000000300', 'hex')],
    [
      'a photo of a phone in HEIC',
      'unsupported_file',
      () => Buffer.from('0000001c667479706865696300000000', 'hex'),
    ],
    ['rich text', 'unsupported_file', () => '{\\rtf1\\ansi words}'],
    [
      'binary data',
      'unsupported_file',
      () => deflateSync(Buffer.from(Array.from({ length: 5000 }, (_, at) => (at * at) % 251))),
    ],
  ])('%s', async (_, key, make) => {
    const bytes = await make();

    const said = await extractor.read(bytes, { name: 'report.txt' }).then(
      ({ kind, text }) => `${kind} of ${text.length} characters`,
      (error: ApiError) => error.key,
    );

    expect(said).toMatch(new RegExp(`^(?:${key})$`));
  });
});

describe('read nevertheless', () => {
  test.each<[string, string, string, () => Uint8Array | string | Promise<Uint8Array>]>([
    ['a page of 100,000 levels', 'html', 'words', () => elements('<div>', '</div>', 100_000)],
    ['a page of 100,000 open lists', 'html', 'words', () => `<html>${'<ul><li>'.repeat(100_000)}words`],
    [
      'a Word document of hundreds of thousands of paragraphs',
      'docx',
      'x\n\nx',
      () => docxOf(documentXml(wordCell.repeat(250_000))),
    ],
    ['JSON of 100,000 levels', 'json', '- 1', () => `${'['.repeat(100_000)}1${']'.repeat(100_000)}`],
    ['a PDF named as text', 'pdf', 'Words of a page.', () => makePdf(['Words of a page.'])],
    [
      'a workbook named as text',
      'xlsx',
      '| pen | 2 |',
      () =>
        makeXlsx([
          {
            name: 'S',
            rows: [
              ['item', 'price'],
              ['pen', 2],
            ],
          },
        ]),
    ],
    ['a presentation named as text', 'pptx', '## Words', () => makePptx([{ title: 'Words' }])],
    ['a PDF with the words of its program before it', 'pdf', 'Words of a page.', printedPdf],
    ['a PDF with a Word document behind it', 'pdf', 'Words of a page.', polyglot],
    ['text that begins as a bitmap does', 'text', 'BM25 ranks passages.', () => 'BM25 ranks passages.'],
    ['text that begins as a program does', 'text', 'MZ is a mark.', () => 'MZ is a mark.'],
    ['text about PDF', 'text', '%PDF-1.7', () => 'A file of this kind begins with\n%PDF-1.7\nand a number.'],
  ])('%s', async (_, kind, words, make) => {
    const file = await extractor.read(await make(), { name: 'report.txt' });

    expect(file.kind).toBe(kind);
    expect(file.text).toContain(words);
  });
});

test('random bytes and beginnings of audio files result in a text or a known error', async () => {
  expect(await readRandomFiles(extractor, { seed: 20_261_121, rounds: 50 })).toEqual([]);
});

function half(bytes: Buffer): Buffer {
  return bytes.subarray(0, bytes.length / 2);
}

/** Standard output that was redirected to the file: what the program says, then a PDF with two comments at its top. */
async function printedPdf(): Promise<Buffer> {
  const pdf = await makePdf(['Words of a page.']);
  const end = pdf.toString('latin1').search(/\d+ 0 obj/);
  return Buffer.concat([
    Buffer.from('Processing pages 1 through 1.\nPage 1\n'),
    pdf.subarray(0, end),
    Buffer.from('%%Invocation: print\n'),
    pdf.subarray(end),
  ]);
}

async function polyglot(): Promise<Buffer> {
  return Buffer.concat([await makePdf(['Words of a page.']), makeDocx(['words of a document'])]);
}

function laughs(): Buffer {
  const text = documentXml('<w:p><w:r><w:t>&e20;</w:t></w:r></w:p>').replace(/<\?.*?\?>/, '');
  return docxOf(`<?xml version="1.0"?><!DOCTYPE d [<!ENTITY e0 "ha">${entities}]>${text}`);
}

function locked(name: string): Buffer {
  return writeZip([{ name, bytes: Buffer.alloc(18), size: 6, isEncrypted: true }]);
}

function sheetBomb(size: number): Buffer {
  const name = 'xl/worksheets/sheet1.xml';
  return writeZip([
    {
      name: 'xl/workbook.xml',
      bytes: Buffer.from('<workbook><sheets><sheet name="S" id="r1"/></sheets></workbook>'),
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      bytes: Buffer.from(`<a><Relationship Id="r1" Type="/worksheet" Target="/${name}"/></a>`),
    },
    { name, bytes: deflatedZeros(size), method: 8, size, crc: 0 },
  ]);
}
