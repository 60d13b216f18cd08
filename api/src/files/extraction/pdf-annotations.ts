import { ordinaryCharacters } from './ordinary-characters.ts';
import { type Line, linesOf, type TextRun } from './pdf-lines.ts';
import type { Page, Pdf } from './pdf-messages.ts';

/** What PDF.js returns for an annotation, as far as it is used. */
interface Annotation {
  subtype: string;
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

/**
 * The text of a page's annotations: values of form fields and text boxes, at their place, and the notes of
 * reviewers as lines of their own.
 */
export async function readAnnotations(
  pdf: Pdf,
  page: Page,
  place: (transform: readonly number[]) => number[],
): Promise<{ fields: TextRun[]; notes: Line[]; attachments: number }> {
  const all = (await page.getAnnotations({ intent: 'display' })) as Annotation[];
  if (all.length === 0) return { fields: [], notes: [], attachments: 0 };
  const layers = await pdf.getOptionalContentConfig({ intent: 'display' });
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
    } else if (subtype !== 'Popup' && subtype !== 'Link') {
      const note = noteOf(annotation);
      const [run] = runsOf([note], annotation, place);
      if (run && note !== '') notes.push(...linesOf([run]).map((line) => ({ ...line, isBlock: true })));
    }
  }
  return { fields, notes, attachments };
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
