import { constants, crc32, deflateRawSync, deflateSync } from 'node:zlib';
import PDFDocument from 'pdfkit';
import { notoSansScPath } from '../records/pdf/font-file.ts';
import { drawWords } from './draw-words.ts';
import { createRandom } from './random.ts';
import { writeZip, type ZipPart } from './write-zip.ts';

interface PdfOptions {
  title?: string;
  /** If set, the document is encrypted. */
  password?: string;
  /** A file that is attached after the first page. */
  attachment?: Buffer;
}

/** A PDF with the content drawn by `write`. */
export function setPdf(
  write: (pdf: PDFDocument) => void,
  { title, password }: PdfOptions = {},
): Promise<Buffer> {
  const pdf = new PDFDocument({
    ...(title === undefined ? {} : { info: { Title: title } }),
    ...(password === undefined ? {} : { userPassword: password, ownerPassword: `${password}!` }),
  });
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    pdf.on('data', (chunk) => chunks.push(chunk));
    pdf.on('end', () => resolve(Buffer.concat(chunks)));
    write(pdf);
    pdf.end();
  });
}

/** A PDF of pages in English or Chinese. A first line of a page that starts with `# ` is set large. */
export function makePdf(pages: readonly string[], options: PdfOptions = {}): Promise<Buffer> {
  return setPdf((pdf) => {
    if (pages.some((page) => /[\u2e80-\uffff]/.test(page))) pdf.font(notoSansScPath());
    for (const [index, page] of pages.entries()) {
      if (index > 0) pdf.addPage();
      const heading = /^# (.*)\n?/.exec(page);
      if (heading) pdf.fontSize(20).text(heading[1]!).moveDown();
      pdf.fontSize(11).text(page.slice(heading?.[0].length ?? 0));
      if (index === 0 && options.attachment) pdf.file(options.attachment, { name: 'attachment.bin' });
    }
  }, options);
}

export function encryptedPdf(): Promise<Buffer> {
  return makePdf(['Nobody reads this without the password.'], { password: 'secret' });
}

/** A PDF whose pages are images of text. */
export function scannedPdf(pages: readonly string[]): Promise<Buffer> {
  return setPdf((pdf) => {
    for (const [index, page] of pages.entries()) {
      if (index > 0) pdf.addPage();
      pdf.image(makePng(1000, 400, page), 20, 20, { width: 500 });
    }
  });
}

/** A small PDF whose only page unpacks to `bytes`. */
export function pdfBomb(bytes: number): Buffer {
  return rawPdf((page) => [
    `<< /Type /Catalog /Pages 2 0 R >>`,
    `<< /Type /Pages /Kids [3 0 R] /Count 1 >>`,
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R >>`,
    page(zlibOf(bytes)),
  ]);
}

/** A PDF whose page is a black image in the encoding of fax machines (CCITT group 4). */
export function faxPdf(): Buffer {
  const rows = 64;
  // A row like the one above it is a single 1 bit; the last one is followed by the end mark.
  const bits = Buffer.concat([Buffer.alloc(rows / 8, 0xff), Buffer.from('001001', 'hex')]);
  const content = 'q 600 0 0 800 0 0 cm /I Do Q BT /F 20 Tf 1 g 72 700 Td (A page from a fax machine) Tj ET';
  return rawPdf((stream) => [
    `<< /Type /Catalog /Pages 2 0 R >>`,
    `<< /Type /Pages /Kids [3 0 R] /Count 1 >>`,
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /XObject << /I 5 0 R >> /Font << /F 6 0 R >> >> >>`,
    stream(deflateSync(content)),
    Buffer.concat([
      Buffer.from(
        `<< /Type /XObject /Subtype /Image /Width 64 /Height ${rows} /ColorSpace /DeviceGray /BitsPerComponent 1 /Filter /CCITTFaxDecode /DecodeParms << /K -1 /Columns 64 /Rows ${rows} /BlackIs1 true >> /Length ${bits.length} >>\nstream\n`,
      ),
      bits,
      Buffer.from('\nendstream'),
    ]),
    `<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>`,
  ]);
}

/** A PDF with these lines on its pages; null is a page that is missing in the file. */
export function damagedPdf(pages: readonly (string | null)[]): Buffer<ArrayBuffer> {
  const kids = pages.map((text, index) => (text === null ? `${900 + index} 0 R` : `${4 + index * 2} 0 R`));
  return rawPdf((stream) => [
    `<< /Type /Catalog /Pages 2 0 R >>`,
    `<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${pages.length} /MediaBox [0 0 600 800] /Resources << /Font << /F 3 0 R >> >> >>`,
    `<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>`,
    ...pages.flatMap((text, index) => [
      `<< /Type /Page /Parent 2 0 R /Contents ${5 + index * 2} 0 R >>`,
      stream(deflateSync(`BT /F 12 Tf 72 700 Td (${text ?? ''}) Tj ET`)),
    ]),
  ]);
}

/** A PDF whose page is filled with a pattern that draws itself: PDF.js follows it without an end. */
export function endlessPdf(text = ''): Buffer<ArrayBuffer> {
  const content = '/Pattern cs /P scn 0 0 600 800 re f';
  const words = `BT /F 12 Tf 72 700 Td (${text}) Tj ET ${content}`;
  const drawing = (text: string, entries: string) =>
    `<< ${entries} /Length ${text.length} >>\nstream\n${text}\nendstream`;
  return rawPdf((stream) => [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /Pattern << /P 5 0 R >> /Font << /F 7 0 R >> >> >>',
    stream(deflateSync(words)),
    drawing(
      '/X Do',
      '/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 9 9] /XStep 9 /YStep 9 /Resources << /XObject << /X 6 0 R >> >>',
    ),
    drawing(
      content,
      '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /Pattern << /P 5 0 R >> >>',
    ),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]);
}

/** A PDF with a cycle in its page tree. */
export function recursivePdf(): Buffer {
  return rawPdf(() => [
    `<< /Type /Catalog /Pages 2 0 R >>`,
    `<< /Type /Pages /Kids [2 0 R 3 0 R 2 0 R] /Count 900 /Parent 2 0 R >>`,
    `<< /Type /Pages /Kids [2 0 R 3 0 R] /Count 900 /Parent 3 0 R /Resources 4 0 R >>`,
    `[4 0 R 4 0 R]`,
  ]);
}

/** A PDF with a font of `ordering` that is not embedded, whose codes are those of `encoding`. */
export function oldChinesePdf(encoding: string, codes: Buffer, ordering = 'GB1'): Buffer {
  const content = `BT /F1 12 Tf 72 700 Td <${codes.toString('hex')}> Tj ET`;
  return rawPdf((stream) => [
    `<< /Type /Catalog /Pages 2 0 R >>`,
    `<< /Type /Pages /Kids [3 0 R] /Count 1 >>`,
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>`,
    stream(deflateSync(content)),
    `<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /${encoding} /DescendantFonts [6 0 R] >>`,
    `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light /CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering}) /Supplement 2 >> /DW 1000 /FontDescriptor 7 0 R >>`,
    `<< /Type /FontDescriptor /FontName /STSong-Light /Flags 6 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 880 /Descent -120 /CapHeight 880 /StemV 93 >>`,
  ]);
}

/** A PDF of these objects, numbered from 1. */
export function rawPdf(
  objectsOf: (stream: (bytes: Buffer) => Buffer) => (string | Buffer)[],
): Buffer<ArrayBuffer> {
  const stream = (bytes: Buffer) =>
    Buffer.concat([
      Buffer.from(`<< /Length ${bytes.length} /Filter /FlateDecode >>\nstream\n`),
      bytes,
      Buffer.from('\nendstream'),
    ]);
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  const offsets: number[] = [];
  let length = parts[0]!.length;
  for (const [index, object] of objectsOf(stream).entries()) {
    offsets.push(length);
    const part = Buffer.concat([
      Buffer.from(`${index + 1} 0 obj\n`),
      Buffer.from(object),
      Buffer.from('\nendobj\n'),
    ]);
    parts.push(part);
    length += part.length;
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = offsets.length + 1;
  return Buffer.concat([
    ...parts,
    Buffer.from(`xref\n0 ${size}\n0000000000 65535 f \n${rows}`),
    Buffer.from(`trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`),
  ]);
}

/** A Word document. `# ` starts a heading, `- ` a list item; an array is a table row. */
export function makeDocx(blocks: readonly (string | readonly string[])[], title = ''): Buffer {
  return writeZip(docxParts(documentXml(blocks.map(blockXml).join('')), title));
}

/** A Word document with this main part. */
export function docxOf(documentXmlText: string): Buffer {
  return writeZip(docxParts(documentXmlText, ''));
}

/** A Word document of a few kilobytes whose main part unpacks to `bytes`; it may declare another size. */
export function docxBomb(bytes: number, told = bytes): Buffer {
  const [types, relations] = docxParts('', '');
  const name = 'word/document.xml';
  return writeZip([types!, relations!, { name, bytes: deflatedZeros(bytes), method: 8, size: told, crc: 0 }]);
}

/** The format in which Word encrypts a document: not a zip, but an OLE file with the encrypted zip in it. */
export function encryptedDocx(): Buffer {
  const bytes = Buffer.alloc(8192);
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(bytes);
  bytes.write('EncryptionInfo', 1024, 'utf16le');
  bytes.write('EncryptedPackage', 1152, 'utf16le');
  return bytes;
}

/** A document of Word before 2007. */
export function oldDoc(): Buffer {
  const bytes = Buffer.alloc(8192);
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(bytes);
  bytes.write('WordDocument', 1024, 'utf16le');
  return bytes;
}

function docxParts(documentXmlText: string, title: string): ZipPart[] {
  const types = 'http://schemas.openxmlformats.org/package/2006';
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const main = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';
  const parts = {
    '[Content_Types].xml': `<Types xmlns="${types}/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="${main}"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${types}/relationships"><Relationship Id="r1" Type="${office}/officeDocument" Target="word/document.xml"/></Relationships>`,
    'word/document.xml': documentXmlText,
    'word/styles.xml': `<w:styles xmlns:w="${word}"><w:style w:type="paragraph" w:styleId="1"><w:name w:val="heading 1"/></w:style></w:styles>`,
    'word/_rels/document.xml.rels': `<Relationships xmlns="${types}/relationships"><Relationship Id="r2" Type="${office}/styles" Target="styles.xml"/><Relationship Id="r3" Type="${office}/numbering" Target="numbering.xml"/></Relationships>`,
    'word/numbering.xml': `<w:numbering xmlns:w="${word}"><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`,
    ...(title === ''
      ? {}
      : {
          'docProps/core.xml': `<p xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${escapeXml(title)}</dc:title></p>`,
        }),
  };
  return Object.entries(parts).map(([name, text]) => {
    const bytes = Buffer.from(text);
    return { name, bytes: deflateRawSync(bytes), method: 8, size: bytes.length, crc: crc32(bytes) };
  });
}

const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';

export function documentXml(body: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?><w:document xmlns:w="${word}"><w:body>${body}</w:body></w:document>`;
}

function blockXml(block: string | readonly string[], at: number, all: readonly unknown[]): string {
  if (typeof block === 'string') {
    const style = block.startsWith('# ')
      ? '<w:pStyle w:val="1"/>'
      : block.startsWith('- ')
        ? '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>'
        : '';
    return paragraphXml(block.replace(/^[#-] /, ''), style);
  }
  const cells = block.map((cell) => `<w:tc>${paragraphXml(cell, '')}</w:tc>`).join('');
  const isFirst = !Array.isArray(all[at - 1]);
  const isLast = !Array.isArray(all[at + 1]);
  return `${isFirst ? '<w:tbl>' : ''}<w:tr>${cells}</w:tr>${isLast ? '</w:tbl>' : ''}`;
}

function paragraphXml(text: string, style: string): string {
  return `<w:p><w:pPr>${style}</w:pPr><w:r><w:t xml:space="preserve">${escapeXml(text)}</w:t></w:r></w:p>`;
}

export function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** A white grey-scale PNG, optionally with black text. */
export function makePng(width: number, height: number, text = ''): Buffer {
  return greyPng(width, height, drawn(width, height, text));
}

export function greyPng(width: number, height: number, pixels: Uint8Array): Buffer {
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1)
    rows.set(pixels.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  return pngOf(width, height, deflateSync(rows));
}

/** A square of noise with this side length: OCR takes long on it. */
export function noisyPng(side: number): Buffer {
  const random = createRandom(3);
  return greyPng(
    side,
    side,
    Uint8Array.from({ length: side * side }, () => random.int(256)),
  );
}

/** A small PNG that declares this size, and would have it when decoded. */
export function pngBomb(width: number, height: number): Buffer {
  return pngOf(width, height, zlibOf((width + 1) * Math.min(height, 2000)));
}

function pngOf(width: number, height: number, data: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  const chunk = (name: string, bytes: Buffer) => {
    const body = Buffer.concat([Buffer.from(name), bytes]);
    const ends = Buffer.alloc(8);
    ends.writeUInt32BE(bytes.length, 0);
    ends.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
  };
  const parts = [chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...parts]);
}

/** A black-and-white GIF. It is not compressed: the code table is cleared before it grows. */
export function makeGif(width: number, height: number, text = ''): Buffer {
  const pixels = drawn(width, height, text);
  const head = Buffer.from('GIF89a\0\0\0\0\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\0\0\0\0\0\x02', 'latin1');
  for (const at of [6, 24]) {
    head.writeUInt16LE(width, at);
    head.writeUInt16LE(height, at + 2);
  }
  const clear = 4;
  const codes: number[] = [];
  for (const [index, pixel] of pixels.entries()) {
    if (index % 2 === 0) codes.push(clear);
    codes.push(pixel > 127 ? 1 : 0);
  }
  codes.push(clear + 1);
  const data = Buffer.alloc(Math.ceil((codes.length * 3) / 8));
  for (const [index, code] of codes.entries()) {
    for (let bit = 0; bit < 3; bit += 1) {
      const at = index * 3 + bit;
      data[at >> 3]! |= ((code >> bit) & 1) << (at & 7);
    }
  }
  const blocks: Buffer[] = [];
  for (let at = 0; at < data.length; at += 255) {
    const block = data.subarray(at, at + 255);
    blocks.push(Buffer.from([block.length]), block);
  }
  return Buffer.concat([head, ...blocks, Buffer.from([0, 0x3b])]);
}

function drawn(width: number, height: number, text: string): Uint8Array {
  const pixels = new Uint8Array(width * height).fill(255);
  if (text !== '') drawWords(pixels, width, height, text);
  return pixels;
}

const megabyte = 1024 * 1024;

/** Deflated zeros; one block is repeated, so that a gigabyte takes no time. */
export function deflatedZeros(bytes: number): Buffer {
  const block = deflateRawSync(Buffer.alloc(megabyte), { level: 9, finishFlush: constants.Z_FULL_FLUSH });
  const rest = deflateRawSync(Buffer.alloc(bytes % megabyte));
  return Buffer.concat([...Array.from({ length: Math.floor(bytes / megabyte) }, () => block), rest]);
}

/** The same with a zlib header and a wrong checksum, which no reader of images or PDF reaches. */
function zlibOf(bytes: number): Buffer {
  return Buffer.concat([Buffer.from([0x78, 0x9c]), deflatedZeros(bytes), Buffer.alloc(4)]);
}
