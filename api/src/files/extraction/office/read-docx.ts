import PostalMime from 'postal-mime';
import type { NoticeCode } from '../../../contract/sources.ts';
import { createSay } from '../../../i18n/texts-of.ts';
import type { FoundNotice } from '../collect-notices.ts';
import { detectLanguage } from '../detect-language.ts';
import type { FileToRead, ReadFile } from '../file-to-read.ts';
import { type Block, lineOf, markdownOf, textBlock, withNumberedHeadings } from './blocks.ts';
import { eachChart } from './charts.ts';
import { createStoryReader, type Story } from './docx-body.ts';
import { readNumbering } from './docx-numbering.ts';
import { isOn, readStyles } from './docx-styles.ts';
import { diagramTexts } from './drawn-texts.ts';
import { type OfficePackage, openMain } from './office-package.ts';
import { childOf, eachChildOf, elementsNamed, elementsOf, textIn, type XmlElement } from './read-xml.ts';

/** Beginning of a web archive (MHT): a page with its pictures as a MIME message. */
const beginning =
  /^\s*(?:[\w-]+:[^\n]*\n(?:[ \t][^\n]*\n)*){0,30}?content-type:\s*(?:multipart\/|text\/html)/i;

/** The page within a web archive; null if the bytes are none. */
async function pageOfWebArchive(bytes: Buffer): Promise<Buffer | null> {
  if (!beginning.test(bytes.toString('latin1', 0, 4096))) return null;
  const { html, text } = await PostalMime.parse(bytes);
  // The mark tells that the page is in UTF-8 now, whatever it declares.
  return html || text ? Buffer.from(`\ufeff${html ?? text}`) : null;
}

/**
 * Reads a Word document: its body as Word shows it, then its notes, headers and footers (each text once), and comments
 * with their authors. Everything is found by its relationship to the main part.
 */
export async function readDocx({ bytes, limits, readEmbedded }: FileToRead): Promise<ReadFile> {
  const { office, part, content } = await openMain(bytes, 'docx', limits.maxUnpacked);
  const notices: FoundNotice[] = [];
  const report = (code: NoticeCode) => void notices.push({ code });
  const styles = readStyles(await office.only(part, 'styles'));
  const story: Story = {
    styles,
    numbering: readNumbering(await office.only(part, 'numbering'), styles),
    related: await blocksBeside(office, part, readEmbedded, notices, report),
    notes: [],
    sections: [],
    title: '',
    fill: await readBindings(office, part, report),
    report,
  };
  const body: Block[] = [];
  const read = createStoryReader(story);
  eachChildOf('body', content, (element) => body.push(...read(element)));
  const notes = await notesOf(office, part, story);
  const text = markdownOf(withNumberedHeadings(body));
  const say = createSay('reading', detectLanguage(text));
  const margins = await marginsOf(office, part, story);
  const comments = await commentsOf(office, part, story);
  const after: Block[] = [
    ...notes.map((note, at): Block => ({ kind: 'item', level: 0, text: `${at + 1}. ${note}` })),
    ...margins.map((one) => textBlock(say(one.isHeader ? 'header' : 'footer') + one.text)),
    ...comments.map((one) => textBlock(say('comment', { author: one.author }) + one.text)),
  ];
  const first = /^# +(\S.*)/.exec(text)?.[1] ?? '';
  return {
    text: [text, markdownOf(after)].filter(Boolean).join('\n\n'),
    title: (await office.title()) || first || story.title,
    notices,
  };
}

/** Charts, diagrams and embedded documents (altChunk) by relationship id. */
async function blocksBeside(
  office: OfficePackage,
  part: string,
  readEmbedded: FileToRead['readEmbedded'],
  notices: FoundNotice[],
  report: Story['report'],
): Promise<Map<string, readonly Block[]>> {
  const blocks = new Map<string, readonly Block[]>();
  await eachChart(
    office,
    part,
    () => report('chart_not_read'),
    (id, chart) => blocks.set(id, chart),
  );
  const drawingNotRead = () => report('drawing_not_read');
  await office.eachRelated(part, ['diagramData'], drawingNotRead, ({ id, bytes }) =>
    blocks.set(id, diagramTexts(bytes).map(textBlock)),
  );
  const embeddedNotRead = () => report('embedded_not_read');
  await office.eachRelated(part, ['aFChunk'], embeddedNotRead, async (one) => {
    const page = await pageOfWebArchive(one.bytes).catch(() => null);
    const file = await readEmbedded(page ?? one.bytes, page ? 'page.html' : one.part);
    if (!file) embeddedNotRead();
    notices.push(...(file?.notices ?? []));
    blocks.set(one.id, [textBlock(file?.text ?? '')]);
  });
  return blocks;
}

/** Footnotes and endnotes in the order of their references. */
async function notesOf(office: OfficePackage, part: string, story: Story): Promise<string[]> {
  const texts = new Map<string, string>();
  await office.eachRelated(part, ['footnotes', 'endnotes'], notReadIn(story), ({ type, bytes }) =>
    eachChildOf(type, bytes, (note) => {
      texts.set(`${note.name} ${note.attributes.id}`, lineOf(createStoryReader(story)(note)));
    }),
  );
  return story.notes.map((note) => texts.get(note) ?? '');
}

/** The headers and footers that its sections show, each text once; page numbers are left out. */
async function marginsOf(office: OfficePackage, part: string, story: Story) {
  let hasEven = false;
  await office.eachRelated(part, ['settings'], notReadIn(story), ({ bytes }) =>
    eachChildOf('settings', bytes, ({ name, attributes }) => {
      if (name === 'evenAndOddHeaders') hasEven = isOn(attributes.val ?? 'true');
    }),
  );
  const shown = new Set<string>();
  /** A section without a header or footer of its own has that of the section before it. */
  const current = new Map<string, string>();
  for (const section of story.sections) {
    const title = childOf(section, 'titlePg');
    const hasFirst = title !== undefined && isOn(title.attributes.val ?? 'true');
    for (const { name, attributes } of elementsOf(section)) {
      if (!/^(?:header|footer)Reference$/.test(name)) continue;
      current.set(`${name} ${attributes.type}`, attributes.id ?? '');
    }
    for (const [kind, id] of current) {
      if (kind.endsWith(' first') ? hasFirst : hasEven || !kind.endsWith(' even')) shown.add(id);
    }
  }
  const margins: { isHeader: boolean; text: string }[] = [];
  await office.eachRelated(part, ['header', 'footer'], notReadIn(story), ({ id, type, bytes }) => {
    if (!shown.has(id)) return;
    const read = createStoryReader({ ...story, sections: [], isMargin: true });
    const blocks: Block[] = [];
    eachChildOf(type === 'header' ? 'hdr' : 'ftr', bytes, (element) => blocks.push(...read(element)));
    const text = lineOf(blocks);
    const isPageOnly = !/[\p{L}\p{N}]/u.test(text.replace(/[第页共頁]|\b(?:page|of)\b/giu, ''));
    if (!isPageOnly && margins.every((one) => one.text !== text))
      margins.push({ isHeader: type === 'header', text });
  });
  return margins;
}

async function commentsOf(office: OfficePackage, part: string, story: Story) {
  const comments: { author: string; text: string }[] = [];
  await office.eachRelated(part, ['comments'], notReadIn(story), ({ bytes }) =>
    eachChildOf('comments', bytes, (comment) => {
      const text = lineOf(createStoryReader(story)(comment));
      if (text !== '') comments.push({ author: comment.attributes.author ?? '', text });
    }),
  );
  return comments;
}

const notReadIn = (story: Story) => () => story.report('embedded_not_read');

/**
 * Returns a function that fills empty content controls (`w:sdt`) with their value in the XML parts of the document, as
 * Word does when it opens a document of another program.
 */
async function readBindings(
  office: OfficePackage,
  part: string,
  report: Story['report'],
): Promise<(element: XmlElement) => void> {
  const data = new Map<string, XmlElement>();
  const notRead = () => report('embedded_not_read');
  await office.eachRelated(part, ['customXml'], notRead, async (item) => {
    const [properties] = await office.relatedTo(item.part, 'customXmlProps');
    eachChildOf('', properties?.bytes, ({ attributes: { itemID = '' } }) => {
      eachChildOf('', item.bytes, (root) => data.set(itemID.toLowerCase(), root));
    });
  });
  return data.size === 0 ? () => undefined : (element) => fillControls(element, data);
}

function fillControls(element: XmlElement, data: ReadonlyMap<string, XmlElement>): void {
  const properties = childOf(element, 'sdtPr');
  const content = childOf(element, 'sdtContent');
  const { xpath = '', storeItemID = '' } = childOf(properties, 'dataBinding')?.attributes ?? {};
  const root = data.get(storeItemID.toLowerCase());
  const isEmpty =
    childOf(properties, 'showingPlcHdr') !== undefined ||
    (content && elementsNamed(content, 't').every((text) => textIn(text).trim() === ''));
  if (root && content && isEmpty && !childOf(properties, 'picture')) {
    const value = valueAt(root, xpath);
    const paragraph = elementsNamed(content, 'p')[0];
    const text: XmlElement = { name: 't', attributes: {}, children: [shownValue(properties, value)] };
    const run: XmlElement = { name: 'r', attributes: {}, children: [text] };
    const format = childOf(paragraph, 'pPr');
    if (value !== '') (paragraph ?? content).children = format ? [format, run] : [run];
  }
  for (const child of elementsOf(element)) fillControls(child, data);
}

/** Of a choice, its XML has the value and the control the text; of a day without a time, the XML has a time. */
function shownValue(properties: XmlElement | undefined, value: string): string {
  const choices = childOf(properties, 'dropDownList') ?? childOf(properties, 'comboBox');
  const chosen = choices && elementsOf(choices).find(({ attributes }) => attributes.value === value);
  if (childOf(properties, 'checkbox')) return /^(?:1|true)$/i.test(value) ? '☒' : '☐';
  if (childOf(properties, 'date')) return value.replace(/T00:00(?::00)?(?:\.0+)?Z?$/, '');
  return chosen?.attributes.displayText || value;
}

/** The text at a path such as `/ns0:order[1]/ns0:lines[1]/@total`; '' if there is none. */
function valueAt(root: XmlElement, path: string): string {
  let found: XmlElement | undefined = { name: '', attributes: {}, children: [root] };
  for (const step of path.split('/').filter(Boolean)) {
    const [, mark, name, place] = /^(@?)(?:[\w.-]+:)?([\w.-]+|\*)(?:\[(\d+)\])?$/.exec(step) ?? [];
    if (mark && name) return found.attributes[name] ?? '';
    const named: XmlElement[] = elementsOf(found).filter((child) => name === '*' || child.name === name);
    found = named[Number(place ?? 1) - 1];
    if (!found) return '';
  }
  return textBelow(found).trim();
}

function textBelow(element: XmlElement): string {
  return element.children.map((child) => (typeof child === 'string' ? child : textBelow(child))).join('');
}
