import type { Model } from 'mongoose';
import { compileSynonyms, noSynonyms, type Synonyms } from '../answers/retrieve/synonyms.ts';
import type { SynonymList as StoredList, SynonymChange } from '../contract/synonyms.ts';
import { ApiError, invalidRequest } from '../errors/errors.ts';
import { defineModel } from '../store/define-model.ts';
import { type DocumentOf, list, required } from '../store/fields.ts';
import { unlessDuplicate } from '../store/store-failure.ts';
import { fold } from '../text/fold.ts';
import { runsOf } from '../text/terms.ts';

const fields = { _id: required<'all'>(String), revision: required(Number), groups: list<string[]>([String]) };

/** The synonyms of the desk: one document. */
export type SynonymDocument = DocumentOf<typeof fields>;

const { create } = defineModel<SynonymDocument>('Synonyms', 'synonyms', fields);

export type SynonymModel = Model<SynonymDocument>;
export const createSynonymModel = create;

export type SynonymList = ReturnType<typeof createSynonymList>;

/** The synonyms that editors write, compiled for questions. */
export function createSynonymList(model: SynonymModel) {
  let compiled: { revision: number; find: Synonyms } = { revision: 0, find: noSynonyms };

  function note({ revision, groups }: StoredList): void {
    // A slow read must not replace a list that was saved meanwhile.
    if (revision > compiled.revision) compiled = { revision, find: compileSynonyms(groups) };
  }

  async function read(): Promise<StoredList> {
    const { revision = 0, groups = [] } = (await model.findById('all').lean()) ?? {};
    const list = { revision, groups: groups.map((group) => [...group]) };
    note(list);
    return list;
  }

  return {
    read,

    /** The synonyms that this process knows: at most 2 s old if another process has changed them. */
    latest: (): Synonyms => compiled.find,
    revision: (): number => compiled.revision,

    /** @throws invalidRequest('groups'), conflict if `revision` is not the current one. */
    async change({ revision, groups }: SynonymChange): Promise<StoredList> {
      const list = { revision: revision + 1, groups: withoutRepetition(groups) };
      const written =
        revision === 0
          ? await unlessDuplicate(model.create({ _id: 'all', ...list }))
          : (await model.updateOne({ _id: 'all', revision }, { $set: list })).matchedCount === 1;
      if (!written) throw new ApiError('conflict');
      note(list);
      return list;
    },
  };
}

/** The groups without repeated words. @throws invalidRequest('groups') if fewer than two words are left in a group, or one has no letters. */
export function withoutRepetition(groups: readonly (readonly string[])[]): string[][] {
  return groups.map((group) => {
    const words = [...new Map(group.map((word) => [fold(word), word])).values()];
    const isFindable = (word: string) => runsOf(word).some(({ text }) => text.length > 1);
    if (words.length < 2 || !words.every(isFindable)) throw invalidRequest('groups');
    return words;
  });
}
