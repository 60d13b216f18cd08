import type { OpenEmbeddings } from '../../../../api/src/answers/embeddings/open-embeddings.ts';
import type { KnowledgeModels } from '../../../../api/src/answers/knowledge-models.ts';
import type { KnowledgeScope } from '../../../../api/src/answers/retrieve/find-candidates.ts';
import { scoreByTwo } from '../../../../api/src/answers/retrieve/retrieve.ts';
import { type CompanyResult, type Loss, losses } from './company-result.ts';

interface Lost {
  result: Pick<CompanyResult, 'question' | 'rank' | 'outcome' | 'rewritten'>;
  /** Ids of the answering passages, and of those that are cited. */
  answering: ReadonlySet<string>;
  cited: readonly string[];
  scope: KnowledgeScope;
}

/** At which stage an answer without the fact lost it. */
export async function lossOf(
  { models, embeddings }: { models: KnowledgeModels; embeddings: Pick<OpenEmbeddings, 'ask'> },
  { result: { question, rank, outcome, rewritten }, answering, cited, scope }: Lost,
): Promise<Loss> {
  if (cited.some((id) => answering.has(id))) return 'quoted, another sentence or row';
  if (rank > 0 && outcome === 'nothing') return 'nothing, although among ten';
  if (rank > 0) return rank > 5 ? 'sixth to tenth' : 'second to fifth, not quoted';
  const asked = rewritten ?? question.question;
  const { candidates, byScore } = await scoreByTwo(
    models,
    asked,
    question.language,
    scope,
    embeddings.ask(asked),
  );
  if (byScore.some(({ candidate }) => answering.has(candidate._id))) return 'read, not among the ten best';
  return candidates.found.some(({ _id }) => answering.has(_id))
    ? 'a candidate that is not read'
    : 'not a candidate';
}

/** Rows of a table: per stage the numbers of questions that are related, nothing and answered without the fact. */
export function lossTable(results: readonly CompanyResult[]): string[] {
  const lost = results.filter(({ loss }) => loss !== null);
  const row = (name: string, some: readonly CompanyResult[]) => {
    const of = (outcome: CompanyResult['outcome']) => some.filter((one) => one.outcome === outcome);
    const folded = of('answered').filter(({ isFolded }) => isFolded).length;
    const paraphrases = some.filter(({ question }) => question.kind === 'paraphrase').length;
    return `${name} · ${of('related').length} · ${of('nothing').length} · ${of('answered').length} (${folded}) · ${paraphrases}`;
  };
  return [
    'the fact is lost · related, not helped · nothing · answered (fact in what is folded) · of these paraphrases',
    ...losses.map((name) =>
      row(
        name,
        lost.filter(({ loss }) => loss === name),
      ),
    ),
    row('all', lost),
    '',
  ];
}
