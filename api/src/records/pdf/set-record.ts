import { markDoubts, shownCitations } from '../../answers/extract/mark-doubts.ts';
import type { AnsweredSince, Contact, DeskRecord } from '../../contract/records.ts';
import { listOf, type Say } from '../../i18n/texts-of.ts';
import { citedPlace } from '../cited-place.ts';
import { labelOf } from '../search/record-terms.ts';
import { baselineOf, type Piece, type Setting, setSpace, setText, wholeWidth } from './flow.ts';
import { type ReportText, spacedId } from './report-text.ts';
import { bodyWidth, createRichText, look, page, type } from './rich-text.ts';
import { sentencesBeyond } from './sentences-beyond.ts';
import { setMarkdown } from './set-markdown.ts';

interface RecordPart {
  record: DeskRecord;
  number: number;
  /** HH:MM. */
  time: string;
  pictures: ReadonlyMap<string, Uint8Array>;
}

/** Questions of up to this many lines are never split across pages. */
const shortQuestion = 8;
const tallestPicture = 260;

/** Format and size of an image, in points at 96 pixels per inch. */
interface PictureShape {
  format: 'JPEG' | 'PNG';
  width: number;
  height: number;
}

/** Maximum number of pixels: an image must be decoded to be embedded. */
const maxPixels = 24_000_000;
const pointsOfPixel = 0.75;

/** Lays out one record: a header line, question, answer, images, sources, later answer, files and rating. */
export function setRecord(part: RecordPart, write: ReportText, say: Say<'report'>): Piece[] {
  const { record } = part;
  const setting = wholeWidth(write);
  const pieces = [setSpace(16, undefined, true), ...setHead(part, write, say), setSpace(1)];
  pieces.push(...setQuestion(record.question, write, setting), setSpace(3));
  pieces.push(...setAnswer(markDoubts(record.answer, record.doubts, say('noSupport')), write, setting, say));
  for (const url of new Set([...record.imgUrls, ...(record.url ? [record.url] : [])]))
    pieces.push(...setPicture(url, nameOf(url, record), part.pictures.get(url), write, setting, say));
  pieces.push(...setCitations(record, write, setting, say));
  pieces.push(...setAnsweredSince(record.answeredSince, write, setting, say));
  pieces.push(...setNotes(record, write, setting, say));
  pieces.push(setSpace(13, undefined, false), hairline(write));
  return pieces;
}

/** Lays out a record without its answer: a header line and the question. */
export function setRecordQuestion(part: RecordPart, write: ReportText, say: Say<'report'>): Piece[] {
  const question = setQuestion(part.record.question, write, wholeWidth(write));
  return [setSpace(10, undefined, true), ...setHead(part, write, say), setSpace(1), ...question];
}

/** 张* 138****8000; '' for the owner. */
function contactText(contact: Contact | null, say: Say<'report'>): string {
  if (!contact) return say('oneself');
  const id = spacedId(contact.id);
  return contact.name && contact.name !== contact.id ? `${contact.name} ${id}` : id;
}

function setHead({ record, number, time }: RecordPart, write: ReportText, say: Say<'report'>): Piece[] {
  const facts = [time, contactText(record.contact, say), say(`source_${labelOf(record)}`)];
  if (record.versionOf) facts.push(say('version', { number: record.versionOf.number }));
  if (record.status !== 'done') facts.push(say(`status_${record.status}`));
  const rich = createRichText(write.clean);
  rich.add(String(number), look('accent', { isBold: true }));
  rich.add(`   ${facts.join('  ·  ')}`, look('ink3'));
  return setText(rich.build(), wholeWidth(write), { type: type.small, isKept: true });
}

/** A question is never the last thing on a page. */
function setQuestion(question: string, write: ReportText, setting: Setting): Piece[] {
  const lines = setText(write.plain(question, look('ink', { isBold: true })), setting, {
    type: type.question,
  });
  if (lines.length <= shortQuestion) return lines.map((line) => ({ ...line, isKept: true }));
  return lines.map((line, index) => ({ ...line, isKept: index < 2 || index >= lines.length - 3 }));
}

function setAnswer(
  answer: string,
  { clean, plain }: ReportText,
  setting: Setting,
  say: Say<'report'>,
): Piece[] {
  const pieces = setMarkdown(answer, clean, setting);
  if (pieces.length > 0) return pieces;
  return setText(plain(say('noAnswer'), look('ink3')), setting, { type: type.body });
}

function setPicture(
  url: string,
  name: string,
  bytes: Uint8Array | undefined,
  write: ReportText,
  setting: Setting,
  say: Say<'report'>,
): Piece[] {
  const shape = bytes && pictureShape(bytes);
  const said = shape ? say('picture', { name }) : say('pictureGone', { name });
  const caption = setText(write.plain(said, look('ink3')), setting, { type: type.small });
  if (!bytes || !shape) return [setSpace(5, setting, true), ...caption];
  const scale = Math.min(1, bodyWidth / shape.width, tallestPicture / shape.height);
  const width = shape.width * scale;
  const height = shape.height * scale;
  const picture: Piece = {
    height: height + 2,
    isKept: true,
    draw: (y) => write.canvas.picture(bytes, shape.format, url, { x: page.left, y, width, height }),
  };
  return [setSpace(7, setting, true), picture, ...caption];
}

function nameOf(url: string, { files }: DeskRecord): string {
  return files.find((file) => file.url === url)?.name ?? url;
}

/** Completely quoted sources share a line, those of a document another; others have their own. */
function setCitations(record: DeskRecord, write: ReportText, setting: Setting, say: Say<'report'>): Piece[] {
  const citations = shownCitations(record);
  if (citations.length === 0) return [];
  const named = createRichText(write.clean);
  named.add(say('citations'), look('ink3'));
  const pieces: Piece[] = [];
  for (const { n, quote, ...of } of citations) {
    const mark = `[${n}]`;
    const place = citedPlace(of);
    const source = place ? say('where', { title: of.title, place }) : of.title;
    const rest = sentencesBeyond(quote, record.answer);
    if (rest) pieces.push(...setQuote(mark, `${source} 「${rest}」`, write, setting));
    else {
      named.add(`   ${mark}`, look('accent'));
      named.add(` ${source}`, look('ink2'));
    }
  }
  const isKept = pieces.length > 0;
  return [
    setSpace(8, setting, false),
    ...setText(named.build(), setting, { type: type.small, isKept }),
    ...pieces,
  ];
}

function setQuote(mark: string, text: string, write: ReportText, setting: Setting): Piece[] {
  const inner = { ...setting, indent: 22, width: bodyWidth - 22 };
  return setText(write.plain(text, look('ink2')), inner, { type: type.small }).map((line, at) => ({
    ...line,
    draw(y: number) {
      if (at === 0) write.canvas.text(mark, page.left, y + baselineOf(type.small), type.small.size, 'accent');
      line.draw?.(y);
    },
  }));
}

/** The answer that an editor has given later to an unanswered or badly rated question. */
function setAnsweredSince(
  since: AnsweredSince | null,
  write: ReportText,
  setting: Setting,
  say: Say<'report'>,
): Piece[] {
  if (!since) return [];
  return [
    setSpace(8, setting, false),
    ...label(say('answeredSince'), write, setting),
    ...setMarkdown(since.answer, write.clean, setting),
  ];
}

function setNotes(
  { files, feedback }: DeskRecord,
  write: ReportText,
  setting: Setting,
  say: Say<'report'>,
): Piece[] {
  const notes: string[] = [];
  if (files.length > 0) notes.push(say('attached', { files: listOf(files.map(({ name }) => name)) }));
  if (feedback) {
    const rating = feedback.rating === 1 ? say('helpful') : say('unhelpful');
    notes.push(`${say('feedback')}  ${rating}${feedback.note ? `  ${feedback.note}` : ''}`);
  }
  return notes.flatMap((note) => [
    setSpace(5, setting, false),
    ...setText(write.plain(note, look('ink3')), setting, { type: type.small }),
  ]);
}

function label(text: string, { plain }: ReportText, setting: Setting): Piece[] {
  return setText(plain(text, look('ink3')), setting, { type: type.small, isKept: true });
}

function hairline({ canvas }: ReportText): Piece {
  return {
    height: 0.5,
    isSpace: true,
    draw: (y) => canvas.rect(page.left, y, bodyWidth, 0.5, 'line'),
  };
}

/** Reads the header of a JPEG or PNG; null for anything else, and for damaged or too large images. */
function pictureShape(bytes: Uint8Array): PictureShape | null {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found = sizeOfPng(view) ?? sizeOfJpeg(view);
  if (!found) return null;
  const { format, width, height } = found;
  if (width < 1 || height < 1 || width * height > maxPixels) return null;
  return { format, width: width * pointsOfPixel, height: height * pointsOfPixel };
}

function sizeOfPng(bytes: Buffer): PictureShape | null {
  if (bytes.length < 33 || bytes.readUInt32BE(0) !== 0x89504e47 || bytes.readUInt32BE(4) !== 0x0d0a1a0a)
    return null;
  return { format: 'PNG', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** The size is in the first frame header (SOF), after any number of other segments. */
function sizeOfJpeg(bytes: Buffer): PictureShape | null {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return null;
  let at = 2;
  while (at + 9 < bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1]!;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame)
      return { format: 'JPEG', width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}
