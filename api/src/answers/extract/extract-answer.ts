import type { Citation } from '../../contract/answers.ts';
import { isShared } from '../index/document.ts';
import { hrefOf, type KnowledgePassage } from '../index/passage.ts';
import { placeAt } from '../index/passage-places.ts';
import { type Block, filterLeaves, leavesOf, type Span, structureOf } from '../index/structure.ts';
import type { CountedUnit } from '../retrieve/find-candidates.ts';
import { type AskedUnits, askedUnits, headText, textOf, weightSaid } from '../retrieve/places.ts';
import { coverageOf, shareOf, withFirst } from '../retrieve/rank.ts';
import { asksToDelete, isAboutDeletion, withoutDestructive } from './destructive.ts';
import { gainOf, lengthOf, type Part, type Size, wholeBlock } from './part.ts';
import { partsOf } from './parts-of.ts';
import { plainName, withoutOwnMarks } from './quoted-words.ts';

export interface ExtractedAnswer {
  /** Markdown with `[n]` at the end of what citation n backs. */
  text: string;
  citations: Citation[];
}

/** Length of what is shown of the best passage, and of others, from the sentence that answers on. */
const shownOfBest: Size = { zh: 240, en: 480 };
const shownOfOthers: Size = { zh: 60, en: 130 };

/** In UTF-16 units. */
const maxQuoteLength = 480;

/**
 * Extracts an answer from passages, best first. What is shown of a passage begins with the sentence, item or
 * row that says most of the question, in bold; lists of steps are shown whole. The rest of the section or row
 * comes with the citation (`restOfSection`, `restOfRow`). A further passage is shown only if it says
 * something of the question that the earlier ones do not. Several sections appear under their headings, so
 * that the steps of two procedures are never mixed. Instructions for permanent deletion are left out unless
 * the question asks for them. Nothing is reworded: every part ends in `[n]`, and `citations[n - 1].quote` is
 * the document's text at `start`. Pure.
 *
 * @param asked the question's text.
 * @param earlier citations of a preceding text, after which the new ones are numbered.
 */
export function extractAnswer(
  passages: readonly KnowledgePassage[],
  units: readonly CountedUnit[],
  asked = '',
  earlier: readonly Citation[] = [],
): ExtractedAnswer {
  const citations = [...earlier];
  const sections = sectionsOf(passages, units, asked);
  const texts = sections.map(({ heading, quoted }) => {
    const said = quoted.flatMap(({ passage, groups, rest }) =>
      groups.map((parts, at) => cite(passage, parts, units, citations, at === groups.length - 1 ? rest : '')),
    );
    const text = said.reduce(joined, '');
    return sections.length > 1 ? `**${plainName(heading)}**\n\n${text}` : text;
  });
  return { text: texts.join('\n\n'), citations };
}

/** Joins Markdown. Rows of the same table get one header. */
function joined(before: string, next: string): string {
  const head = /^\|.*\|\n\|[-:| ]+\|\n/.exec(next)?.[0];
  const isTable = !before.includes('\n\n') && before.startsWith('|');
  if (isTable && head && before.startsWith(head)) return `${before}\n${next.slice(head.length)}`;
  if (isTable && !head && next.startsWith('|')) return `${before}\n${next}`;
  return before === '' ? next : `${before}\n\n${next}`;
}

/** What is shown of a passage: groups of adjacent parts, with one citation each, and the remaining text. */
interface Quoted {
  passage: KnowledgePassage;
  groups: Part[][];
  rest: string;
}

interface Section {
  heading: string;
  quoted: Quoted[];
}

/** Chooses what to show, by section, best first, without repetitions. */
function sectionsOf(
  passages: readonly KnowledgePassage[],
  units: readonly CountedUnit[],
  asked: string,
): Section[] {
  const isDeletion = asksToDelete(asked);
  const blocksOf = (passage: KnowledgePassage) =>
    isDeletion ? structureOf(passage.text) : harmlessBlocks(passage, units);
  const found = passages
    .map((passage) => ({ passage, blocks: blocksOf(passage) }))
    .filter(({ blocks }) => blocks.length > 0);
  const [first, ...others] =
    found.length > 0 ? found : passages.map((passage) => ({ passage, blocks: structureOf(passage.text) }));
  if (first === undefined) return [];
  const question = askedUnits(units, asked);
  const quote = (passage: KnowledgePassage, blocks: readonly Block[], size: Size): Quoted => {
    const groups = partsOf({ passage, blocks, question }, size);
    return { passage, groups, rest: restOf(passage, blocks, groups.flat()) };
  };
  const quoted = [quote(first.passage, first.blocks, shownOfBest)];
  for (const { passage, blocks } of others) {
    // A question about one deletion must not get instructions for another.
    if (isAboutDeletion(headingOf(passage))) continue;
    const shown = quoted.filter((one) => one.passage.documentId === passage.documentId);
    const isShown = ({ start, end }: Span) =>
      shown.some((one) =>
        one.groups.flat().some((part) => {
          const move = one.passage.start - passage.start;
          return start < part.end + move && part.start + move < end;
        }),
      );
    const fresh = blocks.flatMap((block) => filterLeaves(block, (leaf) => !isShown(leaf)));
    const next = quote(passage, fresh, shownOfOthers);
    if (next.groups.length === 0) continue;
    if (addsRows(next, shown, units) || saysMore(next, quoted, question)) quoted.push(next);
  }
  const sections = Map.groupBy(
    withoutRowFirst(quoted, units),
    ({ passage }) => `${passage.documentId}\n${passage.place}`,
  );
  return [...sections.values()].map((some) => ({
    heading: headingOf(some[0]!.passage),
    quoted: some.sort((one, other) => one.passage.start - other.passage.start),
  }));
}

/** Moves a passage of prose to the front if the first one is a table row that says less of the question. */
function withoutRowFirst(quoted: readonly Quoted[], units: readonly CountedUnit[]): readonly Quoted[] {
  const isTable = ({ groups }: Quoted) => groups[0]?.[0]?.kind === 'table';
  const [first] = quoted;
  if (!first || !isTable(first)) return quoted;
  const shareSaid = (one: Quoted) => {
    const { title, place } = one.passage;
    const shown = one.groups.flat().map((part) => textOf(one.passage, part));
    const columns = isTable(one) ? headText(one.passage) : '';
    return shareOf(coverageOf([title, place, columns, ...shown].join('\n'), units), units);
  };
  const better = quoted.find((one) => !isTable(one) && shareSaid(one) > shareSaid(first));
  return withFirst(quoted, better);
}

/** Whether `next` are rows of a shown table that say as much of the question as its shown rows. */
function addsRows(next: Quoted, shown: readonly Quoted[], units: readonly CountedUnit[]): boolean {
  const saidOf = ({ passage, groups }: Quoted) =>
    groups.map((parts) => (parts[0]!.isRow ? weightSaid(textOf(passage, parts[0]!), units) : 0));
  const rows = shown.filter(({ passage }) => headText(passage) === headText(next.passage)).flatMap(saidOf);
  const most = Math.max(0, ...rows);
  return most > 0 && saidOf(next).every((said) => said >= most);
}

/** Share of the question that a further passage must add. */
const minGain = 0.1;

/**
 * Whether the parts of `next` say something of the question that the passages before do not. If the question
 * asks for several things, titles and outer headings are ignored: naming a thing does not answer the question
 * about it.
 */
function saysMore(
  next: Quoted,
  before: readonly Quoted[],
  { units, asksSeveral }: Pick<AskedUnits, 'units' | 'asksSeveral'>,
): boolean {
  const wholes = before.map(({ passage }) =>
    (asksSeveral
      ? [ownHeading(passage), passage.tableHead, passage.text]
      : [passage.title, passage.place, passage.tableHead, passage.text]
    ).join('\n'),
  );
  const known = coverageOf(wholes.join('\n'), units);
  const parts = next.groups.flat().map((part) => textOf(next.passage, part));
  const said = coverageOf([next.passage.place, ...parts].join('\n'), units);
  return gainOf(said, known, units) >= minGain;
}

/** The part of a passage that is not shown, as Markdown, without the other rows of a shown table. */
function restOf(passage: KnowledgePassage, blocks: readonly Block[], shown: readonly Part[]): string {
  const overlaps = ({ start, end }: Span) => shown.some((part) => start < part.end && part.start < end);
  return blocks
    .filter((block) => block.kind !== 'table' || !overlaps(block))
    .flatMap((block) => filterLeaves(block, (leaf) => !overlaps(leaf)))
    .map((block) => withoutOwnMarks(wholeBlock(passage, block).markdown))
    .join('\n\n');
}

const ownHeading = ({ place }: KnowledgePassage) => place.split(' › ').at(-1)!;

const headingOf = (passage: KnowledgePassage) => ownHeading(passage) || passage.title;

/** The blocks of a passage without instructions to delete; none if its heading is about deletion. */
export function harmlessBlocks(passage: KnowledgePassage, units: readonly CountedUnit[]): Block[] {
  if (isAboutDeletion(headingOf(passage))) return [];
  return withoutDestructive(passage.text, structureOf(passage.text), (words) => weightSaid(words, units) > 0);
}

/** The citation of a span of a passage's text. */
export function citationOf(passage: KnowledgePassage, span: Span): Citation {
  const at = placeAt(passage, passage.start + span.start);
  return {
    title: passage.title,
    quote: passage.text.slice(span.start, span.end),
    start: passage.start + span.start,
    end: passage.start + span.end,
    href: hrefOf(passage._id),
    isPrivate: !isShared(passage.owner),
    ...(passage.place ? { place: passage.place } : {}),
    ...(at ? { at } : {}),
  };
}

/** Joins the parts of a group and puts its citation mark after the last part that is no code. */
function cite(
  passage: KnowledgePassage,
  parts: readonly Part[],
  units: readonly CountedUnit[],
  citations: Citation[],
  rest: string,
): string {
  const restOfRow = parts.map((part) => part.restOfRow ?? '').join('');
  const restOfSection = [...parts.map((part) => part.restOfTable), rest].filter(Boolean).join('\n\n');
  citations.push({
    ...citationOf(passage, quoteOf(passage, parts, units)),
    ...(restOfRow ? { restOfRow } : {}),
    ...(restOfSection ? { restOfSection } : {}),
  });
  const mark = `[${citations.length}]`;
  const at = parts.findLastIndex(({ kind }) => kind !== 'code');
  const texts = parts.map(({ markdown, kind }, index) => {
    const text = kind === 'code' ? markdown : withoutOwnMarks(markdown);
    return index === at ? withMark(text, kind, mark) : text;
  });
  if (at < 0) texts.push(mark);
  return texts.join('\n\n');
}

function withMark(markdown: string, kind: Part['kind'], mark: string): string {
  if (kind !== 'table') return `${markdown}${mark}`;
  return markdown.replace(/\s*\|\s*$/, ` ${mark} |`);
}

/** The span to cite: the whole group if it is short and contiguous, else its best place. */
function quoteOf(passage: KnowledgePassage, parts: readonly Part[], units: readonly CountedUnit[]): Span {
  const whole = { start: parts[0]!.start, end: parts.at(-1)!.end };
  const isUnbroken = parts.every(
    ({ end }, at) => passage.text.slice(end, parts[at + 1]?.start ?? end).trim() === '',
  );
  if (isUnbroken && lengthOf(whole) <= maxQuoteLength) return whole;
  const leaves = parts.flatMap((part) => {
    const text = textOf(passage, part);
    return structureOf(text)
      .flatMap(leavesOf)
      .map(({ start, end }) => ({
        start: part.start + start,
        end: part.start + end,
        score: weightSaid(text.slice(start, end), units),
      }));
  });
  const { start, end } = leaves.reduce((best, leaf) => (leaf.score > best.score ? leaf : best));
  return { start, end: Math.min(end, start + maxQuoteLength) };
}
