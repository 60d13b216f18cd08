import type { Model } from 'mongoose';
import { defineModel } from '../../store/define-model.ts';
import { type DocumentOf, required } from '../../store/fields.ts';
import { slicesById } from '../../store/in-slices.ts';
import { writeAll } from '../../store/write-all.ts';
import type { PassageModel } from './passage.ts';

/** Passages per write. */
const slice = 1000;

const fields = {
  /** Id of the passage. */
  _id: required(String),
  documentId: required(String),
  /** The owner of its document after the latest move. */
  movedTo: required(String),
};

/**
 * The owner of a passage whose document was moved to another collection. Kept after the passage is removed,
 * as answers that cite it must stay hidden from those who may not read that collection.
 */
export type MovedPassage = DocumentOf<typeof fields>;

export const movedPassageModel = defineModel<MovedPassage>('MovedPassage', 'moved_passages', fields);
movedPassageModel.schema.index({ documentId: 1 });

export type MovedPassageModel = Model<MovedPassage>;

/** Stores the new owner of all passages that a document has or had. */
export async function markMoved(
  { passages, movedPassages }: { passages: PassageModel; movedPassages: MovedPassageModel },
  documentId: string,
  movedTo: string,
): Promise<void> {
  const $set = { documentId, movedTo };
  for await (const some of slicesById<{ _id: string }>(passages, slice, { documentId }))
    await writeAll(
      movedPassages.collection,
      some.map(({ _id }) => ({
        updateOne: { filter: { _id: _id as never }, update: { $set }, upsert: true },
      })),
    );
  await movedPassages.updateMany({ documentId }, { $set });
}
