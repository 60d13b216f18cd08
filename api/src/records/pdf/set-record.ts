import { markDoubts, shownCitations } from '../../answers/extract/mark-doubts.ts';
import type { Contact, DeskRecord } from '../../contract/records.ts';
import { readImageHeader } from '../../http/image-header.ts';
import { listOf, type Say } from '../../i18n/texts-of.ts';
import { citedPlace } from '../cited-place.ts';
import { labelOf } from '../search/record-terms.ts';
import { baselineOf, type Piece, setSpace, setText } from './flow.ts';
import { type ReportText, spacedId } from './report-text.ts';
import { bodyWidth, createRichText, look, page, type } from './rich-text.ts';
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

/**
 * Lays out records, each with a header line and its question; unless `questionsOnly`, also with answer, images,
 * sources, later answer, files and rating.
 */
export function createRecordLayout(write: ReportText, say: Say<'report'>) {
  const { canvas, clean, plain, setting } = write;

  const setSmall = (text: string, isKept = false) => write.set(text, 'ink3', type.small, { isKept });

  function setHead({ record, number, time }: RecordPart): Piece[] {
    const facts = [time, contactText(record.contact), say(`source_${labelOf(record)}`)];
    if (record.versionOf) facts.push(say('version', { number: record.versionOf.number }));
    if (record.status !== 'done') facts.push(say(`status_${record.status}`));
    const rich = createRichText(clean);
    rich.add(String(number), look('accent', { isBold: true }));
    rich.add(`   ${facts.join('  ·  ')}`, look('ink3'));
    return setText(rich.build(), setting, type.small, true);
  }

  /** 张* 138****8000; '' for the owner. */
  function contactText(contact: Contact | null): string {
    if (!contact) return say('oneself');
    const id = spacedId(contact.id);
    return contact.name && contact.name !== contact.id ? `${contact.name} ${id}` : id;
  }

  /** A question is never the last thing on a page. */
  function setQuestion(question: string): Piece[] {
    const lines = write.set(question, 'ink', type.question, { isBold: true });
    if (lines.length <= shortQuestion) return lines.map((line) => ({ ...line, isKept: true }));
    return lines.map((line, index) => ({ ...line, isKept: index < 2 || index >= lines.length - 3 }));
  }

  function setAnswer({ answer, doubts }: DeskRecord): Piece[] {
    const pieces = setMarkdown(markDoubts(answer, doubts, say('noSupport')), setting);
    return pieces.length > 0 ? pieces : write.set(say('noAnswer'), 'ink3', type.body);
  }

  function setPicture(url: string, { files }: DeskRecord, bytes: Uint8Array | undefined): Piece[] {
    const name = files.find((file) => file.url === url)?.name ?? url;
    const shape = bytes && pictureShape(bytes);
    const caption = setSmall(shape ? say('picture', { name }) : say('pictureGone', { name }));
    if (!bytes || !shape) return [setSpace(5, setting, true), ...caption];
    const scale = Math.min(1, bodyWidth / shape.width, tallestPicture / shape.height);
    const width = shape.width * scale;
    const height = shape.height * scale;
    const picture: Piece = {
      height: height + 2,
      isKept: true,
      draw: (y) => canvas.picture(bytes, shape.format, url, { x: page.left, y, width, height }),
    };
    return [setSpace(7, setting, true), picture, ...caption];
  }

  /** Completely quoted sources share a line, those of a document another; others have their own. */
  function setCitations(record: DeskRecord): Piece[] {
    const citations = shownCitations(record);
    if (citations.length === 0) return [];
    const named = createRichText(clean);
    named.add(say('citations'), look('ink3'));
    const pieces: Piece[] = [];
    for (const { n, quote, ...of } of citations) {
      const mark = `[${n}]`;
      const place = citedPlace(of);
      const source = place ? say('where', { title: of.title, place }) : of.title;
      const rest = sentencesBeyond(quote, record.answer);
      if (rest) pieces.push(...setQuote(mark, `${source} 「${rest}」`));
      else {
        named.add(`   ${mark}`, look('accent'));
        named.add(` ${source}`, look('ink2'));
      }
    }
    const isKept = pieces.length > 0;
    return [setSpace(8, setting, false), ...setText(named.build(), setting, type.small, isKept), ...pieces];
  }

  function setQuote(mark: string, text: string): Piece[] {
    const inner = { ...setting, indent: 22, width: bodyWidth - 22 };
    return setText(plain(text, look('ink2')), inner, type.small).map((line, at) => ({
      ...line,
      draw(y: number) {
        if (at === 0) canvas.text(mark, page.left, y + baselineOf(type.small), type.small.size, 'accent');
        line.draw?.(y);
      },
    }));
  }

  /** The answer that an editor has given later to an unanswered or badly rated question. */
  function setAnsweredSince({ answeredSince }: DeskRecord): Piece[] {
    if (!answeredSince) return [];
    return [
      setSpace(8, setting, false),
      ...setSmall(say('answeredSince'), true),
      ...setMarkdown(answeredSince.answer, setting),
    ];
  }

  function setNotes({ files, feedback }: DeskRecord): Piece[] {
    const notes: string[] = [];
    if (files.length > 0) notes.push(say('attached', { files: listOf(files.map(({ name }) => name)) }));
    if (feedback) {
      const rating = feedback.rating === 1 ? say('helpful') : say('unhelpful');
      notes.push(`${say('feedback')}  ${rating}${feedback.note ? `  ${feedback.note}` : ''}`);
    }
    return notes.flatMap((note) => [setSpace(5, setting, false), ...setSmall(note)]);
  }

  const hairline: Piece = {
    height: 0.5,
    isSpace: true,
    draw: (y) => canvas.rect(page.left, y, bodyWidth, 0.5, 'line'),
  };

  return (part: RecordPart, questionsOnly = false): Piece[] => {
    const { record, pictures } = part;
    const asked = [...setHead(part), setSpace(1), ...setQuestion(record.question)];
    if (questionsOnly) return [setSpace(10, undefined, true), ...asked];
    const urls = new Set([...record.imgUrls, ...(record.url ? [record.url] : [])]);
    return [
      setSpace(16, undefined, true),
      ...asked,
      setSpace(3),
      ...setAnswer(record),
      ...[...urls].flatMap((url) => setPicture(url, record, pictures.get(url))),
      ...setCitations(record),
      ...setAnsweredSince(record),
      ...setNotes(record),
      setSpace(13, undefined, false),
      hairline,
    ];
  };
}

/** The shape of a JPEG or PNG; null for anything else, and for damaged or too large images. */
function pictureShape(bytes: Uint8Array): PictureShape | null {
  const found = readImageHeader(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (!found || found.type === 'image/webp' || found.width * found.height > maxPixels) return null;
  const format = found.type === 'image/png' ? 'PNG' : 'JPEG';
  return { format, width: found.width * pointsOfPixel, height: found.height * pointsOfPixel };
}

const sentenceEnd = /(?<=[。！？!?；;\n]|\.\s)/;
const minLength = 2;

/**
 * The sentences of a quote that the citing answer does not contain, with … for those left out. '' if the
 * answer contains all of them, as extracted answers do. Markdown marks, punctuation and white space are
 * ignored.
 */
export function sentencesBeyond(quote: string, answer: string): string {
  const contained = letters(answer);
  const sentences = quote.split(sentenceEnd).filter((sentence) => letters(sentence).length >= minLength);
  const isContained = sentences.map((sentence) => contained.includes(letters(sentence)));
  if (!isContained.includes(true)) return line(quote);
  const left = sentences.map((sentence, index) =>
    !isContained[index] ? sentence : isContained[index - 1] ? '' : ' … ',
  );
  return line(left.join('')).replace(/^…$/, '');
}

function letters(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
}

function line(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
