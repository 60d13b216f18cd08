import type { AnalysedQuestion } from './analyse-question.ts';
import type { CountedUnit } from './find-candidates.ts';
import { formAsked } from './form-asked.ts';
import { asksFor, tellsOf } from './kind-asked.ts';
import { namesIn } from './names-in.ts';
import { allTerms } from './passage-terms.ts';
import type { ReadPassage } from './read-closely.ts';

/** What speaks for and against that a passage answers. Shares are 0–1; *weight* is how rare a unit is, *content* what is not light. */
export interface Evidence {
  /** Of the question's weight, anywhere in the passage. */
  coverage: number;
  /** Of what the question says, anywhere in the passage or above it, however rare. */
  said: number;
  /** The same of its best sentence, item or row, with the neighbours and the headings. */
  saidInOnePlace: number;
  /** Of the weight of neighbours in the question, those that stand in that one sentence both. */
  together: number;
  likeness: number;
  titleCoverage: number;
  /** How far it is ahead of the next passage, as share of its score. */
  lead: number;
  /** Weight of the rarest unit that the passage lacks, and of the rarest that its best place lacks, in eighths. */
  rarestMissing: number;
  rarestMissingInPlace: number;
  /** Share of what the knowledge base never says. */
  unknown: number;
  /** Names that the passage lacks, and that can be said in no other way. */
  namesMissing: number;
  /** A time is asked for, and its best sentence tells one: 1. */
  tellsTime: number;
  /** A number is asked for, and there is none near: 1. */
  lacksNumber: number;
  /** What is asked for has a form of its own (a price, a port, a year), which its best sentence has: 1. */
  tellsForm: number;
  /** The same, and there is none near: 1. */
  lacksForm: number;
  /** Natural logarithm of one more than the question's weight. */
  weight: number;
  /** Number of content units, at most 8. */
  units: number;
  /** It is of the handbook, whose sections list how they are asked for: 1. */
  handbook: number;
  /** `likeness`, `said` and `units` of a passage of the handbook, 0 of others. */
  handbookLikeness: number;
  handbookSaid: number;
  handbookUnits: number;
}

export interface Asked {
  text: string;
  question: AnalysedQuestion;
  units: readonly CountedUnit[];
}

const content = 0.6;
const mostUnits = 8;
const isSaid = 0.5;

/** What is known of one passage before it is judged; `next` is the score of the best other one. Pure. */
export function evidenceOf(passage: ReadPassage, { text, units }: Asked, next: number): Evidence {
  const { place } = passage;
  const sum = (of: (unit: CountedUnit, at: number) => number) =>
    units.reduce((total, unit, at) => total + of(unit, at), 0);
  const shares = sum(({ share }) => share) || 1;
  const missing = new Set(passage.missing);
  const rarest = (lacks: (unit: CountedUnit, at: number) => boolean) =>
    Math.max(0, ...units.map((unit, at) => (lacks(unit, at) ? unit.weight : 0))) / 8;
  const names = namesIn(text);
  const form = formAsked(text);
  const said = sum(({ surface, share }) => (missing.has(surface) ? 0 : share)) / shares;
  const likeness = Math.min(1, passage.likeness);
  const contentUnits = Math.min(mostUnits, units.filter(({ share }) => share >= content).length);
  const handbook = passage.candidate.edition === '' ? 0 : 1;
  return {
    coverage: passage.coverage,
    said,
    saidInOnePlace: sum(({ share }, at) => share * place.said[at]!) / shares,
    together: togetherIn(place.alone, units),
    likeness,
    titleCoverage: passage.titleCoverage,
    lead: passage.score > 0 ? 1 - next / passage.score : 0,
    rarestMissing: rarest(({ surface }) => missing.has(surface)),
    rarestMissingInPlace: rarest(({ share }, at) => share >= content && place.said[at]! < isSaid),
    unknown: sum(({ passages, share }) => (passages === 0 ? share : 0)) / shares,
    namesMissing: units.filter(
      ({ surface, groups }) => groups.length === 1 && names.has(surface) && missing.has(surface),
    ).length,
    tellsTime: asksFor('time', text) && tellsOf('time', place.sentence) ? 1 : 0,
    lacksNumber: asksFor('amount', text) && !tellsOf('amount', place.around) ? 1 : 0,
    tellsForm: form?.test(place.sentence) ? 1 : 0,
    lacksForm: form && !form.test(place.around) ? 1 : 0,
    weight: Math.log(1 + sum(({ weight }) => weight)),
    units: contentUnits,
    handbook,
    handbookLikeness: handbook * likeness,
    handbookSaid: handbook * said,
    handbookUnits: handbook * contentUnits,
  };
}

function togetherIn(alone: readonly number[], units: readonly CountedUnit[]): number {
  let [both, all] = [0, 0];
  for (let at = 0; at + 1 < units.length; at += 1) {
    const weight = Math.min(units[at]!.weight, units[at + 1]!.weight);
    all += weight;
    both += weight * Math.min(alone[at]!, alone[at + 1]!);
  }
  return all === 0 ? 0 : both / all;
}

/**
 * The passage and the question without what the document's title says: all of one's own file is about that. As they are where nothing
 * else is left. Pure.
 */
export function besidesTopic(passage: ReadPassage, asked: Asked): [ReadPassage, Asked] {
  const title = new Set(allTerms(passage.passage.title));
  const isTopic = ({ groups }: CountedUnit) =>
    groups.some(({ terms }) => terms.every((term) => title.has(term)));
  const rest = asked.units.map((unit) => !isTopic(unit));
  if (!asked.units.some(({ share }, at) => rest[at] && share >= content)) return [passage, asked];
  const units = asked.units.filter((_, at) => rest[at]);
  const whole = units.reduce((sum, { weight }) => sum + weight, 0) || 1;
  const missing = new Set(passage.missing);
  const said = units.reduce((sum, { surface, weight }) => (missing.has(surface) ? sum : sum + weight), 0);
  const { place } = passage;
  const cut = (shares: readonly number[]) => shares.filter((_, at) => rest[at]);
  return [
    {
      ...passage,
      coverage: said / whole,
      place: { ...place, alone: cut(place.alone), said: cut(place.said) },
    },
    { ...asked, units },
  ];
}
