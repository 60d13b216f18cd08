import { type Connection, type Model, Schema } from 'mongoose';
import type { GoldenQuestion } from '../../contract/golden.ts';
import type { GoldenResult } from '../../contract/knowledge.ts';
import type { Language } from '../../contract/language.ts';
import { defineModel } from '../../store/define-model.ts';

/** A golden question. It is the editors' own text: neither a record nor its contact is stored with it. */
export interface GoldenDocument {
  /** 24 hex digits. */
  _id: string;
  /** `questionKey` of the question. */
  key: string;
  question: string;
  language: Language;
  expected: GoldenQuestion['expected'];
  /** Changes with the question and the expectation: a result for an earlier one is dropped. */
  revision: string;
  result: StoredResult | null;
  before: StoredResult | null;
  createdAt: Date;
}

/** `run` is the number of the run. */
export type StoredResult = GoldenResult & { run: number };

/** The latest run over all golden questions. */
export interface GoldenRun {
  _id: 'latest';
  number: number;
  /** What the answers depended on when it began, see `createGoldenRuns`. */
  basis: string;
  configuration: string;
  startedAt: Date | null;
  endedAt: Date | null;
  /** When another run was first requested; null if none is. */
  requestedAt: Date | null;
}

const text = { type: String, default: '' } as const;
const part = { _id: false, id: false } as const;
const result = new Schema<StoredResult>(
  { run: Number, outcome: String, cited: [String], passes: Boolean },
  part,
);
const expected = new Schema<GoldenDocument['expected']>(
  { outcome: String, cites: text, contains: text },
  part,
);

const questions = defineModel<GoldenDocument>('GoldenQuestion', 'golden_questions', {
  _id: { type: String, required: true },
  key: { type: String, required: true },
  question: { type: String, required: true },
  language: { type: String, required: true },
  expected: { type: expected, required: true },
  revision: { type: String, required: true },
  result: { type: result, default: null },
  before: { type: result, default: null },
  createdAt: { type: Date, required: true },
});
questions.schema.index({ key: 1 }, { unique: true });
questions.schema.index({ createdAt: -1, _id: -1 });

const runs = defineModel<GoldenRun>('GoldenRun', 'golden_runs', {
  _id: { type: String, required: true },
  number: { type: Number, default: 0 },
  basis: text,
  configuration: text,
  startedAt: { type: Date, default: null },
  endedAt: { type: Date, default: null },
  requestedAt: { type: Date, default: null },
});

export interface GoldenModels {
  goldenQuestions: Model<GoldenDocument>;
  goldenRuns: Model<GoldenRun>;
}

export function createGoldenModels(connection: Connection): GoldenModels {
  return { goldenQuestions: questions.create(connection), goldenRuns: runs.create(connection) };
}
