import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type RerankStandIn, startRerankStandIn } from '../../../../api/src/testing/rerank-stand-in.ts';
import { temporaryDataDir } from '../../../start-desk.ts';
import { foldQuote, hasQuote } from '../fold-quote.ts';
import { askCompany } from './ask-company.ts';
import { readCompanyDocuments, readCompanyQuestions } from './read-company.ts';

let stand: RerankStandIn;
beforeAll(async () => {
  stand = await startRerankStandIn();
});
afterAll(() => stand.end());

test('with a reranker that knows the answering passages, the fact is in 80 % of the answers', async () => {
  const all = await readCompanyQuestions();
  const documents = await readCompanyDocuments(all);
  const questions = all.filter((one) => one.set === 'dev');
  const bare = (words: string) => words.replace(/[",]/g, '');
  const quotesOf = new Map(questions.map(({ question, quotes = [] }) => [question, quotes.map(bare)]));
  stand.rate = (query, text) => {
    const known = [...quotesOf].filter(([question]) => query.includes(question));
    const isRight = known.some(([, quotes]) => hasQuote(bare(foldQuote(text)), quotes));
    return isRight ? 0.95 : 0.02;
  };
  const { dataDir, remove } = await temporaryDataDir();
  try {
    const { rounds } = await askCompany({ dataDir, documents, questions, rerank: stand.baseUrl });
    const { results } = rounds[0]!;
    const share = (some: readonly boolean[]) => (100 * some.filter(Boolean).length) / some.length;
    const answerable = results.filter(({ question }) => question.document !== null);
    const rest = results.filter(({ question }) => question.document === null);
    const hold = share(answerable.map(({ hasFact }) => hasFact));
    const refused = share(rest.map(({ outcome }) => outcome !== 'answered'));
    const found = share(answerable.map(({ rank }) => rank === 1));
    const figures = `fact ${hold.toFixed(1)} %, passage first ${found.toFixed(1)} %, rightly refused ${refused.toFixed(1)} %`;
    process.stdout.write(`reranked: ${figures}\n`);
    expect(hold).toBeGreaterThanOrEqual(80);
    expect(refused).toBeGreaterThanOrEqual(95);
  } finally {
    await remove();
  }
});
