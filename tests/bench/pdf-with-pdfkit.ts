import PDFDocument from 'pdfkit';
import type { DeskRecord } from '../../api/src/contract/records.ts';

/**
 * The text of the same records with the same font by pdfkit: paragraphs with its own line breaking, raw
 * Markdown, page numbers, but nothing else of a report (bookmarks, tables, code, totals, digest).
 */
export async function writeWithPdfkit(
  records: readonly DeskRecord[],
  font: string,
): Promise<{ bytes: number; pages: number }> {
  const doc = new PDFDocument({ size: 'A4', margin: 56, bufferPages: true, info: { Title: '咨询报告' } });
  let bytes = 0;
  doc.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  const ended = new Promise((resolve) => doc.on('end', resolve));
  doc.font(font);
  let day = '';
  for (const [index, { question, answer, citations, contact, createdAt }] of records.entries()) {
    if (createdAt.slice(0, 10) !== day) {
      day = createdAt.slice(0, 10);
      doc.fontSize(13).fillColor('#0b6080').text(day).moveDown(0.5);
    }
    doc
      .fontSize(8.5)
      .fillColor('#5a676d')
      .text(`${index + 1}  ${createdAt.slice(11, 16)}  ${contact?.id ?? '本人'}`);
    doc.fontSize(11).fillColor('#12181b').text(question, { lineGap: 4 });
    doc.fontSize(10).text(answer, { lineGap: 4 });
    doc.fontSize(8.5).fillColor('#434f55');
    for (const { title, quote } of citations) doc.text(`${title} 「${quote}」`);
    doc.moveDown();
  }
  const { count } = doc.bufferedPageRange();
  for (let page = 0; page < count; page += 1) {
    doc.switchToPage(page);
    doc.fontSize(8).text(`第 ${page + 1} 页，共 ${count} 页`, 440, 770, { lineBreak: false });
  }
  doc.end();
  await ended;
  return { bytes, pages: count };
}
