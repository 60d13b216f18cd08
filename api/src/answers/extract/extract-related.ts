import { fullPlace, type KnowledgePassage } from '../index/passage.ts';
import { type Block, cellsOf, leavesOf, type Span } from '../index/structure.ts';
import { wordNearness } from '../retrieve/answerability.ts';
import type { CountedUnit } from '../retrieve/find-candidates.ts';
import { askedUnits, rankPlaces } from '../retrieve/places.ts';
import { citationOf, type ExtractedAnswer, harmlessBlocks } from './extract-answer.ts';
import { type Size, sizeOf, trimPipes } from './part.ts';
import { plainName, withoutOwnMarks } from './quoted-words.ts';

const maxRelated = 2;

/** Maximum length of the neighbours quoted with a place, before it and from its start on. */
const relatedBefore: Size = { zh: 75, en: 150 };
const relatedAfter: Size = { zh: 150, en: 300 };
/** Minimum length to which a quote is cut, in UTF-16 units. */
const maxRelatedLength = 250;

/**
 * At most two short quotes of passages that do not answer but may help: of the best passage, and of the one in
 * its language with the place nearest to the question. Each is the passage's nearest sentence, item or row with
 * its neighbours, followed by its headings. Nearness compares places of different passages better than the
 * share of the question that they say. Instructions for permanent deletion are left out. Pure.
 */
export function extractRelated(
  passages: readonly KnowledgePassage[],
  units: readonly CountedUnit[],
  asked: string,
): ExtractedAnswer {
  const question = askedUnits(units, asked);
  const nearnessOf = wordNearness({ text: asked, units });
  const byNearness = (one: { nearness: number }, other: { nearness: number }) =>
    other.nearness - one.nearness;
  const found = passages.flatMap((passage) => {
    const blocks = harmlessBlocks(passage, []).filter(({ kind }) => kind !== 'code');
    const places = rankPlaces(passage, blocks, question)
      .map((place) => ({ ...place, nearness: nearnessOf(place.words) + place.cosine + place.fit }))
      .sort(byNearness);
    const best = places.find(({ isSaid }) => isSaid) ?? places[0];
    return best ? [{ passage, blocks, ...best }] : [];
  });
  const [first, ...others] = found;
  const inItsLanguage = others.filter(({ passage }) => passage.language === first!.passage.language);
  const quoted = first ? [first, ...inItsLanguage.sort(byNearness)] : [];
  const citations = quoted.slice(0, maxRelated).map(({ passage, blocks, block, leaf }) => {
    const { start, end } =
      block.kind === 'table' ? trimPipes(passage.text, leaf) : withNeighbours(passage, blocks, leaf);
    const longest = leaf.start - start + Math.max(sizeOf(relatedAfter, passage), maxRelatedLength);
    const cut = passage.text.slice(start, Math.min(end, start + longest)).replace(/[\ud800-\udbff]$/, '');
    return { citation: citationOf(passage, { start, end: start + cut.length }), passage, kind: block.kind };
  });
  const texts = citations.map(({ citation: { quote }, passage, kind }, at) => {
    const words =
      kind === 'table' ? cellsOf(quote).filter(Boolean).join(' · ') : quote.replaceAll(/\s+/g, ' ');
    return `> ${withoutOwnMarks(words)}[${at + 1}]\n>\n> — ${plainName(fullPlace(passage))}`;
  });
  return { text: texts.join('\n\n'), citations: citations.map(({ citation }) => citation) };
}

/** A sentence or item with its near neighbours, up to a table, code or text that is left out. */
function withNeighbours(passage: KnowledgePassage, blocks: readonly Block[], leaf: Span): Span {
  const leaves = blocks.filter(({ kind }) => kind !== 'table').flatMap(leavesOf);
  const at = leaves.findIndex(({ start }) => start === leaf.start);
  const isNext = (before: Span, after: Span) => passage.text.slice(before.end, after.start).trim() === '';
  let { start, end } = leaf;
  for (const before of leaves.slice(0, at).reverse()) {
    if (!isNext(before, { start, end }) || leaf.start - before.start > sizeOf(relatedBefore, passage)) break;
    start = before.start;
  }
  for (const next of leaves.slice(at + 1)) {
    if (!isNext({ start, end }, next) || next.end - leaf.start > sizeOf(relatedAfter, passage)) break;
    end = next.end;
  }
  return { start, end };
}
