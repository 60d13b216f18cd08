import { getResolvedPDFJS } from 'unpdf';
import { ordinaryCharacters } from './ordinary-characters.ts';
import { type Line, linesOf, type TextRun } from './pdf-lines.ts';
import type { Page, Pdf } from './pdf-messages.ts';

/** What PDF.js returns for an annotation, as far as it is used. */
interface Annotation {
  id: string;
  subtype: string;
  hasAppearance: boolean;
  annotationFlags: number;
  /** x and y of two opposite corners. */
  rect: [number, number, number, number];
  oc?: never;
  hidden?: boolean;
  contentsObj?: { str: string };
  titleObj?: { str: string };
  /** The lines that its appearance shows. */
  textContent?: string[];
  fieldType?: 'Tx' | 'Ch' | 'Btn' | 'Sig' | null;
  fieldValue?: string | string[] | null;
  password?: boolean;
  actions?: Record<string, unknown> | null;
  options?: { exportValue: string; displayValue: string }[];
  checkBox?: boolean;
  radioButton?: boolean;
  exportValue?: string;
  buttonValue?: string;
  defaultAppearanceData?: { fontSize: number };
  file?: unknown;
}

/** Flags: hidden, and not shown on a screen (ISO 32000-2, table 167). */
const hiddenFlags = 2 | 32;
const maxFieldSize = 12;

/** Values of form fields and text boxes at their place; reviewers' notes as lines of their own. */
export async function readAnnotations(
  pdf: Pdf,
  page: Page,
  place: (transform: readonly number[]) => number[],
): Promise<{ fields: TextRun[]; notes: Line[]; attachments: number }> {
  const all = (await page.getAnnotations({ intent: 'display' })) as Annotation[];
  if (all.length === 0) return { fields: [], notes: [], attachments: 0 };
  const layers = await pdf.getOptionalContentConfig({ intent: 'display' });
  const drawn = all.some(isDrawn) ? await drawnTexts(page) : new Map<string, string[]>();
  const fields: TextRun[] = [];
  const notes: Line[] = [];
  let attachments = 0;
  for (const annotation of all) {
    const { subtype, annotationFlags, hidden, oc } = annotation;
    if (annotationFlags & hiddenFlags || hidden || (oc && !layers.isVisible(oc))) continue;
    if (subtype === 'FileAttachment') attachments += 1;
    if (subtype === 'Widget' || subtype === 'FreeText') {
      const lines = subtype === 'Widget' ? shownValue(annotation) : textOf(annotation);
      fields.push(...runsOf(lines, annotation, place));
    }
    const texts = isDrawn(annotation) ? (drawn.get(annotation.id) ?? []) : [];
    if (!/^(?:Widget|FreeText|Popup|Link)$/.test(subtype)) texts.push(noteOf(annotation));
    const note = texts.map((one) => one.replace(/\s+/g, ' ').trim()).filter(Boolean);
    // Only what has a text is sure to have a place.
    const [run] = note.length > 0 ? runsOf([note.join('\n')], annotation, place) : [];
    if (run) notes.push(...linesOf([run]).map((line) => ({ ...line, isBlock: true })));
  }
  return { fields, notes, attachments };
}

/** Stamps and signatures, whose text is only in their drawing. */
function isDrawn({ subtype, fieldType, hasAppearance }: Annotation): boolean {
  return hasAppearance && (subtype === 'Stamp' || (subtype === 'Widget' && fieldType === 'Sig'));
}

/** The lines that the drawings of annotations show, by the id of the annotation. */
async function drawnTexts(page: Page): Promise<Map<string, string[]>> {
  const { OPS } = await getResolvedPDFJS();
  const { fnArray, argsArray } = await page.getOperatorList();
  const texts = new Map<string, string[]>();
  let lines: string[] | null = null;
  let baseline = 0;
  for (const [at, operator] of fnArray.entries()) {
    const args = argsArray[at] as unknown[];
    if (operator === OPS.beginAnnotation) {
      lines = [];
      texts.set(args[0] as string, lines);
    } else if (operator === OPS.endAnnotation) lines = null;
    if (!lines) continue;
    if (operator === OPS.showText) {
      const glyphs = args[0] as (number | { unicode: string })[];
      const text = glyphs.map((glyph) => (typeof glyph === 'number' ? '' : glyph.unicode)).join('');
      lines.push(`${lines.pop() ?? ''}${text}`);
      continue;
    }
    const before = baseline;
    if (operator === OPS.setTextMatrix) baseline = Number((args[0] as ArrayLike<number>)[5]);
    else if (operator === OPS.moveText || operator === OPS.setLeadingMoveText) baseline += Number(args[1]);
    else if (operator === OPS.nextLine) baseline -= 1;
    else if (operator === OPS.beginText) baseline = 0;
    else continue;
    const isSameLine = baseline === before && operator !== OPS.beginText;
    lines.push(isSameLine ? `${lines.pop() ?? ''} ` : '');
  }
  return texts;
}

function textOf({ textContent, contentsObj }: Annotation): string[] {
  return contentsObj?.str ? contentsObj.str.split(/\r\n?|\n/) : (textContent ?? []);
}

/** The reviewer's name, and the note. */
function noteOf({ titleObj, contentsObj }: Annotation): string {
  const text = (contentsObj?.str ?? '').replace(/\s+/g, ' ').trim();
  const name = (titleObj?.str ?? '').trim();
  return text === '' || name === '' ? text : `${name}: ${text}`;
}

/** What a field shows. Buttons, passwords and signatures show no value. */
function shownValue(field: Annotation): string[] {
  const { fieldType, fieldValue, options = [], textContent, actions } = field;
  if (field.checkBox) return [isOn(fieldValue, field.exportValue ?? fieldValue) ? '☒' : '☐'];
  if (field.radioButton) return [isOn(fieldValue, field.buttonValue) ? '☒' : '☐'];
  if (fieldType === 'Ch') {
    const labels = new Map(options.map(({ exportValue, displayValue }) => [exportValue, displayValue]));
    return [fieldValue ?? []].flat().map((value) => labels.get(value) ?? value);
  }
  if (fieldType !== 'Tx' || field.password || typeof fieldValue !== 'string') return [];
  // A script shows the value in another format, for example as an amount.
  return actions?.Format && textContent ? textContent : fieldValue.split(/\r\n?|\n/);
}

function isOn(value: Annotation['fieldValue'], own: Annotation['fieldValue']): boolean {
  return typeof value === 'string' && value !== 'Off' && value === own;
}

function runsOf(
  lines: readonly string[],
  { rect, defaultAppearanceData }: Annotation,
  place: (transform: readonly number[]) => number[],
): TextRun[] {
  const [left, bottom, right, top] = rect;
  const height = top - bottom;
  const given = defaultAppearanceData?.fontSize || Math.min(maxFieldSize, height * 0.75);
  const size = Math.max(1, Math.min(given, height / Math.max(1, lines.length)));
  // A single line is in the middle of its box, several ones start at its top.
  const first = lines.length === 1 ? bottom + (height - size) / 2 + size * 0.2 : top - size;
  return lines.flatMap((line, index) => {
    const text = ordinaryCharacters(line).trim();
    if (text === '') return [];
    const [, , , , x, y] = place([size, 0, 0, size, left, first - index * size * 1.2]);
    return [{ text, x: x!, y: y!, width: right - left, size, isField: true }];
  });
}
