import type { AnswerSource, Judgement, Outcome } from '../contract/answers.ts';

/** A stored judgement: answers of earlier versions have no outcome, and missing fields may be null. */
export type StoredJudgement = { [F in keyof Judgement]?: Judgement[F] | null };

/** The outcome of an answer. Without a stored one it follows from the source. */
export function outcomeOf({ source, outcome }: { source: AnswerSource } & StoredJudgement): Outcome {
  return outcome ?? (source === 'none' ? 'nothing' : 'answered');
}

export function judgementOf(answer: { source: AnswerSource } & StoredJudgement): Judgement {
  const { unsupported, understoodAs, doubts } = answer;
  return {
    outcome: outcomeOf(answer),
    ...(unsupported?.length ? { unsupported } : {}),
    ...(understoodAs ? { understoodAs } : {}),
    ...(doubts?.length ? { doubts } : {}),
  };
}

/** Stored before another attempt to answer, to reset the fields. */
export const withoutJudgement = {
  outcome: null,
  unsupported: null,
  understoodAs: null,
  doubts: null,
} as const;
