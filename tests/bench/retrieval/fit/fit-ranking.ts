/**
 * `node tests/bench/retrieval/fit/fit-ranking.ts`: fits the weights of nearness in `api/src/answers/retrieve/answerability.ts` on the
 * candidates of all questions for tuning that have an answer, and prints them with their ten-fold cross-validation. `--among` adds the
 * companies' questions among 10,000 foreign passages, which takes some minutes.
 */
import { parseArgs } from 'node:util';
import { nearnessTo, rateNearness } from '../../../../api/src/answers/retrieve/answerability.ts';
import { maxCompared, scoreByTwo } from '../../../../api/src/answers/retrieve/retrieve.ts';
import { foldQuote, hasQuote } from '../fold-quote.ts';
import { type Choice, fitChoices, scoreOf } from './conditional-logit.ts';
import { type Case, foldOf, folds, readCases, type Store } from './read-cases.ts';
import { openStore, scopeOf } from './weigh-cases.ts';

const { values } = parseArgs({
  options: { penalty: { type: 'string', default: '1' }, among: { type: 'boolean', default: false } },
});
const penalty = Number(values.penalty);
/** `sum` is that of the two scores by places and by cosine, which has the weight 1 in the product. */
const features = ['sum', 'words', 'place', 'lacksValue', 'otherLanguage'] as const;

/** A question with the features of its compared passages. */
interface RankedCase {
  one: Case;
  choice: Choice;
  /** The product's own scores of the alternatives, without the loss of other languages. */
  own: number[];
}

const log = (line: string) => console.error(`  ${line}`);
const stores: readonly Store[] = values.among
  ? ['company', 'documents', 'handbook', 'embedded']
  : ['company', 'documents', 'handbook'];
const asked = (await readCases()).filter(({ isAnswerable, store }) => isAnswerable && stores.includes(store));
const ranked: RankedCase[] = [];
/** Answerable questions whose answering passage is not among those compared. */
let missed = 0;
for (const store of stores) {
  const opened = await openStore(store, log);
  try {
    for (const one of asked.filter((other) => other.store === store)) {
      const found = await rankCase(one, opened);
      if (found) ranked.push(found);
      else missed += 1;
    }
  } finally {
    await opened.close();
  }
}
report();

async function rankCase(
  one: Case,
  opened: Awaited<ReturnType<typeof openStore>>,
): Promise<RankedCase | null> {
  const { models, embeddings } = opened.knowledge;
  const meaning = embeddings.ask(one.text);
  const { candidates, summed } = await scoreByTwo(
    models,
    one.text,
    one.language,
    scopeOf(one, opened),
    meaning,
  );
  const compared = (summed ?? []).slice(0, maxCompared);
  const nearness = nearnessTo(candidates);
  const near = compared.map(({ one: { passage } }) => nearness(passage));
  const right = compared.flatMap(({ one: { passage } }, at) => (answers(one, passage) ? [at] : []));
  if (right.length === 0) return null;
  const alternatives = compared.map(({ one: passage, sum }, at) => {
    const { words, place, lacksValue } = near[at]!;
    return [sum, words, place, lacksValue, passage.languageFactor < 1 ? 1 : 0];
  });
  return {
    one,
    choice: { alternatives, right },
    own: compared.map(({ sum }, at) => sum + rateNearness(near[at]!)),
  };
}

function answers({ headings, quotes }: Case, { heading, text }: { heading: string; text: string }): boolean {
  return headings ? headings.includes(heading) : hasQuote(foldQuote(text), quotes);
}

function report(): void {
  const fitted = fitChoices(
    ranked.map(({ choice }) => choice),
    penalty,
  );
  console.log(
    `${ranked.length} questions; of ${missed} more the answering passage is not among ${maxCompared}`,
  );
  console.log('weights, and their ratio to that of the sum:');
  for (const [at, name] of features.entries())
    console.log(
      `  ${name.padEnd(14)} ${fitted[at]!.toFixed(2).padStart(6)} ${(fitted[at]! / fitted[0]!).toFixed(2).padStart(6)}`,
    );
  const byFold = Array.from({ length: folds }, (_, fold) =>
    fitChoices(
      ranked.filter(({ one }) => foldOf(one) !== fold).map(({ choice }) => choice),
      penalty,
    ),
  );
  const orders: [string, (one: RankedCase) => number[]][] = [
    ['the sum alone', ({ choice }) => choice.alternatives.map(([sum]) => sum!)],
    [
      "the product's weights",
      ({ choice, own }) => own.map((score, at) => score - choice.alternatives[at]![4]!),
    ],
    [
      'fitted, cross-validated',
      ({ one, choice }) => choice.alternatives.map((values) => scoreOf(byFold[foldOf(one)]!, values)),
    ],
  ];
  console.log(
    'first / among two / among five of the questions with an answering passage among those compared, %',
  );
  for (const [label, of] of orders) {
    const shares = [
      ...stores.map((store) => [store, ranked.filter(({ one }) => one.store === store)] as const),
    ];
    const paraphrases = ranked.filter(({ one }) => one.store === 'company' && one.kind === 'paraphrase');
    const rows = [...shares, ['paraphrases', paraphrases] as const].map(
      ([name, some]) => `${name} ${[1, 2, 5].map((most) => shareWithin(some, of, most)).join(' / ')}`,
    );
    console.log(`  ${label.padEnd(24)} ${rows.join(' · ')}`);
  }
}

/** Share of the questions for which a right alternative is among the `most` best, in %. */
function shareWithin(
  some: readonly RankedCase[],
  scoresOf: (one: RankedCase) => number[],
  most: number,
): string {
  const isWithin = (one: RankedCase) => {
    const scores = scoresOf(one);
    const best = Math.max(...one.choice.right.map((at) => scores[at]!));
    return scores.filter((score) => score > best).length < most;
  };
  return ((100 * some.filter(isWithin).length) / some.length).toFixed(1);
}
