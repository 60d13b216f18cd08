/**
 * `node tests/bench/retrieval/fit/fit-enough.ts`: fits the weights of `api/src/answers/retrieve/answerability.ts` on all questions for tuning, and prints them with
 * their ten-fold cross-validation. `--misses` lists the questions judged wrongly.
 */
import { parseArgs } from 'node:util';
import { type Evidence, isBarred } from '../../../../api/src/answers/retrieve/answerability.ts';
import { fitLogistic, oddsBy } from './logistic-regression.ts';
import { foldOf, folds, readCases } from './read-cases.ts';
import { type WeighedCase, weighCases } from './weigh-cases.ts';

const { values } = parseArgs({
  options: {
    misses: { type: 'boolean', default: false },
    penalty: { type: 'string', default: '5' },
    without: { type: 'string', default: '' },
    eliminate: { type: 'boolean', default: false },
  },
});
const penalty = Number(values.penalty);
/** Weight of answerable questions whose answering passage was not found. */
const wrongPassage = 0.6;
const importances: Record<string, number> = {
  company: 1.5,
  embedded: 1.5,
  dev: 1,
  refusals: 0.6,
  documents: 0.7,
  file: 0.7,
  'company file': 1,
  elsewhere: 0.5,
};
const ofFixtures = 0.4;
const oddsOfBarred = -2;

const bounds = [-1.5, -1, -0.5, 0, 0.3, 0.6, 0.9, 1.1, 1.3, 1.5];

const weighed = await weighCases(await readCases(), (line) => console.error(`  ${line}`));
report([
  weighed.filter((one) => !one.file && !isOnHandbook(one)),
  weighed.filter(isOnHandbook),
  weighed.filter(({ file }) => file),
]);

/** Weights are fitted on each of these: the desk's documents, the handbook, and files. */
function report(sources: readonly (readonly WeighedCase[])[]): void {
  const kinds = (Object.keys(sources[0]![0]!.evidence) as (keyof Evidence)[]).filter(
    (kind) => kind !== 'lacksName' && kind !== 'lacksValue' && !values.without.split(',').includes(kind),
  );
  if (values.eliminate) for (const some of sources) eliminate(some, kinds);
  const cases = sources.flat();
  const odds = sources.flatMap((some) => crossValidate(some, kinds));
  const areas = areasOf(cases, odds).map(([set, area]) => `${set} ${area.toFixed(3)}`);
  const sizes = sources.map(({ length }) => length).join(', ');
  console.log(`${sizes} questions, area under the curve: ${areas.join(' · ')}`);
  const fits = sources.map((some) => fitLogistic(samplesOf(some.filter(isOpen), kinds), penalty));
  console.log(`start: ${fits.map(({ start }) => start.toFixed(2)).join(' ')}`);
  for (const [at, kind] of kinds.entries())
    console.log(`  ${kind}: ${fits.map(({ weights }) => weights[at]!.toFixed(2)).join(' ')},`);
  const rowsOf = (of: (one: WeighedCase) => boolean) =>
    cases.map((one, at) => ({ one, odds: odds[at]! })).filter(({ one }) => of(one));
  const parts: [string, (one: WeighedCase) => boolean][] = [
    ['reference', ({ store }) => store === 'reference'],
    ['  numbers', ({ store, kind }) => store === 'reference' && kind === 'number'],
    ['  others', ({ store, kind }) => store === 'reference' && kind !== 'number'],
    ...[...new Set(cases.map(({ set }) => set))]
      .filter((set) => set !== 'dev' && set !== 'refusals')
      .map((set): [string, (one: WeighedCase) => boolean] => [set, (one) => one.set === set]),
  ];
  console.log(`rightly/falsely refused, % below ${bounds.join(' ')}`);
  for (const [label, of] of parts) {
    const rows = rowsOf(of);
    const share = (isAnswerable: boolean, bound: number) => {
      const some = rows.filter(({ one }) => one.isAnswerable === isAnswerable);
      return some.length === 0
        ? '–'
        : Math.round((100 * some.filter((row) => row.odds < bound).length) / some.length);
    };
    console.log(
      label.padEnd(20),
      bounds.map((bound) => `${share(false, bound)}/${share(true, bound)}`.padStart(7)).join(' '),
    );
  }
  if (!values.misses) return;
  for (const { one, odds: at } of rowsOf(({ set }) => importances[set] !== undefined).sort(
    (a, b) => a.odds - b.odds,
  ))
    if (one.isAnswerable ? at < -0.5 : at >= -0.9)
      console.log(
        at.toFixed(1),
        one.set,
        one.kind,
        one.isAnswerable ? (one.isRight ? 'refused' : 'refused, other passage') : 'answered',
        one.text,
        '|',
        one.missing.join(' '),
        '|',
        one.heading,
      );
}

function isOnHandbook({ store }: WeighedCase): boolean {
  return store === 'handbook';
}

/** Those that are barred are decided, whatever the weights. */
function isOpen(one: WeighedCase): boolean {
  return !isBarred(one.evidence, one.file ? 'file' : isOnHandbook(one) ? 'handbook' : 'shared');
}

function samplesOf(cases: readonly WeighedCase[], kinds: readonly (keyof Evidence)[]) {
  return cases.map(({ set, isAnswerable, isRight, evidence }) => ({
    values: kinds.map((kind) => evidence[kind]),
    outcome: isAnswerable ? (1 as const) : (0 as const),
    importance: (importances[set] ?? ofFixtures) * (isAnswerable && !isRight ? wrongPassage : 1),
  }));
}

/** Log odds of each case by weights fitted on the cases of the other folds. */
function crossValidate(cases: readonly WeighedCase[], kinds: readonly (keyof Evidence)[]): number[] {
  const samples = samplesOf(cases, kinds);
  const foldAt = cases.map(foldOf);
  const odds = new Array<number>(cases.length).fill(0);
  for (let fold = 0; fold < folds; fold += 1) {
    const fitted = fitLogistic(
      samples.filter((_, at) => foldAt[at] !== fold && isOpen(cases[at]!)),
      penalty,
    );
    for (const [at, sample] of samples.entries())
      if (foldAt[at] === fold) odds[at] = isOpen(cases[at]!) ? oddsBy(fitted, sample.values) : oddsOfBarred;
  }
  return odds;
}

/** Area under the ROC curve for each corpus. */
function areasOf(cases: readonly WeighedCase[], odds: readonly number[]): [string, number][] {
  const stores = [...new Set(cases.map(({ store }) => store))];
  return stores.map((store) => {
    const at = cases.flatMap((one, index) => (one.store === store ? [index] : []));
    return [
      store,
      areaUnder(
        at.map((index) => cases[index]!),
        at.map((index) => odds[index]!),
      ),
    ];
  });
}

function meanArea(cases: readonly WeighedCase[], odds: readonly number[]): number {
  const areas = areasOf(cases, odds);
  return areas.reduce((sum, [, area]) => sum + area, 0) / areas.length;
}

/** Backward elimination: removes the least useful feature repeatedly, and prints the remaining area under the ROC curve. */
function eliminate(cases: readonly WeighedCase[], kinds: readonly (keyof Evidence)[]): void {
  let left = [...kinds];
  while (left.length > 1) {
    const tried = left.map((kind) => {
      const rest = left.filter((other) => other !== kind);
      return { kind, rest, area: meanArea(cases, crossValidate(cases, rest)) };
    });
    const best = tried.reduce((one, other) => (other.area > one.area ? other : one));
    console.log(`without ${best.kind} ${best.area.toFixed(4)}, left ${best.rest.length}`);
    left = best.rest;
  }
}

function areaUnder(cases: readonly WeighedCase[], odds: readonly number[]): number {
  const [yes, no] = [true, false].map((wanted) => odds.filter((_, at) => cases[at]!.isAnswerable === wanted));
  let sum = 0;
  for (const one of yes!) for (const other of no!) sum += one > other ? 1 : one === other ? 0.5 : 0;
  return sum / (yes!.length * no!.length);
}
