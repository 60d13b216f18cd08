import type { Language } from '../../contract/language.ts';
import { type Block, cellsOf, type Span } from '../index/structure.ts';
import type { CountedUnit } from '../retrieve/find-candidates.ts';
import { headText, type PassageText, textOf } from '../retrieve/places.ts';
import { type Coverage, shareOf } from '../retrieve/rank.ts';

/** A part of the answer: its Markdown and the span of the passage it comes from. */
export interface Part extends Span {
  markdown: string;
  kind: Block['kind'];
  /** It is one or some rows of a table. */
  isRow?: true;
  /** The cells of its rows that are not shown. */
  restOfRow?: string;
  /** Rows of its table that answer as well and are not shown. */
  restOfTable?: string;
}

/** Sizes in UTF-16 units; other languages have those of English. */
export type Size = Partial<Record<Language, number>> & { en: number };

/** Steps, and tables, that are shown whole. */
export const wholeList: Size = { zh: 500, en: 1000 };

/** Share of the question that `said` has beyond `known`. */
export function gainOf(said: Coverage, known: Coverage, units: readonly CountedUnit[]): number {
  return shareOf(
    said.map((share, at) => Math.max(0, share - known[at]!)),
    units,
  );
}

export const sizeOf = (size: Size, { language }: PassageText) => size[language] ?? size.en;

export const lengthOf = ({ start, end }: Span) => end - start;

const introduces = /[：:]\s*$|如下|[以下][下列]|步骤|\b(?:follow(?:s|ing)?|below|these|steps)\b/iu;

/** Rows of a table below their header row, if there is one. */
export function withHead(head: string, rows: string): string {
  return head === '' ? rows : `${head}\n|${'---|'.repeat(cellsOf(head).length)}\n${rows}`;
}

/** A row without the pipes and spaces around it. */
export function trimPipes(text: string, row: Span): Span {
  const line = text.slice(row.start, row.end);
  const inner = line.replace(/^[\s|]+|[\s|]+$/g, '');
  const start = row.start + line.indexOf(inner);
  return { start, end: start + inner.length };
}

/** A block as Markdown that can stand alone. */
export function wholeBlock(passage: PassageText, block: Block): Part {
  const { start, end, kind } = block;
  const markdown = outdented(passage.text.slice(start, end));
  const beginsInside = kind === 'table' && (block.head?.start ?? -1) < start;
  return {
    start,
    end,
    kind,
    markdown: beginsInside ? withHead(headText(passage, block), markdown) : markdown,
  };
}

/** Removes the indentation of a nested list that is shown alone. */
export function outdented(markdown: string): string {
  const indent = /^[ \t]+(?=[-*+•]|\d)/.exec(markdown)?.[0] ?? '';
  return indent === '' ? markdown : markdown.replaceAll(`\n${indent}`, '\n').slice(indent.length);
}

/** The sentence before a list, table or code block that introduces it. */
export function introductionOf(passage: PassageText, blocks: readonly Block[], block: Block): Part[] {
  const before = blocks[blocks.indexOf(block) - 1];
  if (before?.kind !== 'paragraph') return [];
  const sentence = before.sentences.at(-1);
  return sentence && introduces.test(textOf(passage, sentence))
    ? [{ ...sentence, kind: 'paragraph', markdown: textOf(passage, sentence) }]
    : [];
}
