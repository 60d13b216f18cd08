import { z } from 'zod';
import type { CollectionOwner } from '../../answers/index/document.ts';
import type { KnowledgeAccess } from '../../collections/collections.ts';
import { GoldenQuestion } from '../../contract/golden.ts';
import { GoldenResult } from '../../contract/knowledge.ts';
import type { Language } from '../../contract/language.ts';
import { defineModel, modelsOf } from '../../store/define-model.ts';
import { contractPart, type DocumentOf, nullable, required, withDefault } from '../../store/fields.ts';
import { sourceOf } from '../pairs.ts';

/** `run` is the number of the run. */
const StoredResult = GoldenResult.extend({ run: z.number() });
const result = contractPart(StoredResult);

const goldenDocumentFields = {
  /** 24 hex digits. */
  _id: required(String),
  /** Owner of the documents in its collection. Earlier versions did not store it, which reads as ''. */
  owner: withDefault<'' | CollectionOwner>(''),
  /** `questionKey` of the question, after the owner unless that is ''. */
  key: required(String),
  question: required(String),
  language: required<Language>(String),
  expected: required(contractPart(GoldenQuestion.shape.expected)),
  /** Changes with the question and the expectation: a result for an earlier one is dropped. */
  revision: required(String),
  result: nullable(result),
  before: nullable(result),
  createdAt: required(Date),
};

/** A golden question. It is the editors' own text: neither a record nor its contact is stored with it. */
export type GoldenDocument = DocumentOf<typeof goldenDocumentFields>;

const questions = defineModel<GoldenDocument>('GoldenQuestion', 'golden_questions', goldenDocumentFields);
questions.schema.index({ key: 1 }, { unique: true });
questions.schema.index({ createdAt: -1, _id: -1 });

const goldenRunFields = {
  _id: required<'latest'>(String),
  number: withDefault(0),
  /** Identifies everything that the answers depended on when it began, see `createGoldenRuns`. */
  basis: withDefault(''),
  configuration: withDefault(''),
  startedAt: nullable(Date),
  endedAt: nullable(Date),
  /** When another run was first requested; null if none is. */
  requestedAt: nullable(Date),
};

export type GoldenRun = DocumentOf<typeof goldenRunFields>;

const runs = defineModel<GoldenRun>('GoldenRun', 'golden_runs', goldenRunFields);

export type GoldenModels = ReturnType<typeof createGoldenModels>;
export const createGoldenModels = modelsOf({ goldenQuestions: questions, goldenRuns: runs });

/** Pairs that answer the questions of `owner`. */
export const pairsFor = (owner: '' | CollectionOwner = '') => ({
  source: { $in: [...new Set([sourceOf(''), sourceOf(owner), 'handbook' as const])] },
});

export const ownedBy = (owners: KnowledgeAccess['editable']) => ({
  owner: { $in: [...owners, ...(owners.includes('') ? [null] : [])] },
});
