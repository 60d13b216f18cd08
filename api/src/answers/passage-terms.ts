import { conceptsIn } from './concepts.ts';
import { runsOf, termsOfRun } from './terms.ts';

/**
 * Raise it when anything about the terms of a passage changes (folding, stems, concepts, weights): what was indexed with another
 * number is indexed anew at the next start.
 */
export const analysisVersion = 5;

/** What a passage is found by, with how much each part weighs. */
export interface PassageFields {
  /** Headings right above, and other ways to ask for it. */
  headings: readonly string[];
  /** The document's title and the outer headings. */
  titles: readonly string[];
  body: string;
}

/**
 * `terms` is for the index alone. `weights` says the same for ranking, as one text that is read in a fraction of the time: a line a
 * term, `<term><tab><character>`, where the character's code minus 32 is the weight in quarters, at most 90.
 */
export interface WeightedTerms {
  terms: string[];
  weights: string;
  /** Sum of what the body's terms count, the passage's length for ranking. */
  length: number;
}

const headingWeight = 3;
const titleWeight = 1;
/** Marks a term that stands in a heading: what common words are looked up by. */
export const headingMark = '^';

/** The terms of a passage with their weight over all fields, for the multikey index. Pure. */
export function passageTerms(fields: PassageFields): WeightedTerms {
  const weights = new Map<string, number>();
  const add = (term: string, weight: number) => weights.set(term, (weights.get(term) ?? 0) + weight);
  const body = allTerms(fields.body);
  for (const term of body) add(term, 1);
  for (const title of fields.titles) for (const term of new Set(allTerms(title))) add(term, titleWeight);
  const inHeadings = new Set<string>();
  for (const heading of fields.headings) for (const term of allTerms(heading)) inHeadings.add(term);
  for (const term of inHeadings) {
    add(term, headingWeight);
    weights.set(headingMark + term, 1);
  }
  const terms = [...weights.keys()];
  return {
    terms,
    weights: `${terms.map((term) => `\n${term}\t${encodeWeight(weights.get(term)!)}`).join('')}\n`,
    length: body.length,
  };
}

/** What a term weighs; 0 when the passage lacks it. */
export function weightOf(weights: string, term: string): number {
  const at = weights.indexOf(`\n${term}\t`);
  return at < 0 ? 0 : (weights.charCodeAt(at + term.length + 2) - 32) / 4;
}

/** The terms of a passage, read from its weights. */
export function weightedTerms(weights: string): string[] {
  return weights.split('\n').flatMap((line) => line.slice(0, -2) || []);
}

/** Terms and concepts of a text, duplicates included. */
export function allTerms(text: string): string[] {
  const runs = runsOf(text);
  const literal = runs.flatMap(termsOfRun).map(({ term }) => term);
  return [
    ...literal,
    ...conceptsIn(runs).map(({ term }) => term),
    ...identifiersIn(text).map(({ term }) => term),
  ];
}

/** Names such as `SESSION_DAYS` as one term, besides the words in them. */
export function identifiersIn(text: string): Array<{ term: string; start: number; end: number }> {
  return [...text.matchAll(/[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+/g)].map((found) => ({
    term: found[0].toLowerCase(),
    start: found.index,
    end: found.index + found[0].length,
  }));
}

function encodeWeight(weight: number): string {
  return String.fromCharCode(32 + Math.min(90, Math.round(weight * 4)));
}
