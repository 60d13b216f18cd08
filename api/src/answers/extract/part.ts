import type { Language } from '../../contract/language.ts';
import type { KnowledgePassage } from '../index/passage.ts';
import { type Block, cellsOf, type Span } from '../index/structure.ts';
import type { CountedUnit } from '../retrieve/find-candidates.ts';
import { type AskedUnits, headText, textOf } from '../retrieve/places.ts';
import { type Coverage, shareOf } from '../retrieve/rank.ts';

/** A passage with those of its blocks that may be shown, and the question. */
export interface Excerpt {
  passage: KnowledgePassage;
  blocks: readonly Block[];
  question: AskedUnits;
}

/** A part of the answer: its Markdown, and the span of the passage that it comes from. */
export interface Part extends Span {
  markdown: string;
  kind: Block['kind'];
  /** Whether it consists of rows of a table. */
  isRow?: true;
  /** Cells of its rows that are not shown, with their columns, as Markdown. */
  restOfRow?: string;
  /** Further rows of its table that answer and are not shown, as Markdown. */
  restOfTable?: string;
}

/** A length in UTF-16 units by language; `en` applies to all others. */
export type Size = Partial<Record<Language, number>> & { en: number };

/** Maximum length of lists of steps and tables that are shown whole. */
export const wholeList: Size = { zh: 500, en: 1000 };

/** Share of the question that `said` covers beyond `known`, 0–1. */
export function gainOf(said: Coverage, known: Coverage, units: readonly CountedUnit[]): number {
  return shareOf(
    said.map((share, at) => Math.max(0, share - known[at]!)),
    units,
  );
}

export const sizeOf = (size: Size, { language }: KnowledgePassage) => size[language] ?? size.en;

export const lengthOf = ({ start, end }: Span) => end - start;

const introduces = /[：:]\s*$|如下|[以下][下列]|步骤|\b(?:follow(?:s|ing)?|below|these|steps)\b/iu;

/** Rows of a table as Markdown, below their header row, if there is one. */
export function withHead(head: string, rows: string): string {
  return head === '' ? rows : `${head}\n|${'---|'.repeat(cellsOf(head).length)}\n${rows}`;
}

/** The span of a row without the pipes and spaces around it. */
export function trimPipes(text: string, row: Span): Span {
  const line = text.slice(row.start, row.end);
  const inner = line.replace(/^[\s|]+|[\s|]+$/g, '');
  const start = row.start + line.indexOf(inner);
  return { start, end: start + inner.length };
}

/** A block as Markdown that can stand alone. */
export function wholeBlock(passage: KnowledgePassage, block: Block): Part {
  const { start, end, kind } = block;
  const text = outdented(passage.text.slice(start, end));
  const beginsInside = kind === 'table' && (block.head?.start ?? -1) < start;
  return { start, end, kind, markdown: beginsInside ? withHead(headText(passage, block), text) : text };
}

/** Removes the indentation of a nested list that is shown alone. */
export function outdented(markdown: string): string {
  const indent = /^[ \t]+(?=[-*+•]|\d)/.exec(markdown)?.[0] ?? '';
  return indent === '' ? markdown : markdown.replaceAll(`\n${indent}`, '\n').slice(indent.length);
}

/** The sentence before a list, table or code block that introduces it. */
export function introductionOf({ passage, blocks }: Excerpt, block: Block): Part[] {
  const before = blocks[blocks.indexOf(block) - 1];
  if (before?.kind !== 'paragraph') return [];
  const sentence = before.sentences.at(-1)!;
  const markdown = textOf(passage, sentence);
  return introduces.test(markdown) ? [{ ...sentence, kind: 'paragraph', markdown }] : [];
}
