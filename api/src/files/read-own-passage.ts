import type { PassageModel } from '../answers/passage.ts';
import type { ReadPassage } from '../answers/read-passage.ts';
import { notFound } from '../errors/errors.ts';
import type { ReadFiles } from './read-files.ts';

/** Reads passages; those of private files only while their record is not erased. */
export function createReadOwnPassage(deps: {
  passages: PassageModel;
  readFiles: Pick<ReadFiles, 'maySeeDocument'>;
  readPassage: ReadPassage;
}): ReadPassage {
  const { passages, readFiles, readPassage } = deps;
  return async (id, owner) => {
    const own = await passages.findOne({ _id: id, owner }, { documentId: 1 }).lean();
    if (own && !(await readFiles.maySeeDocument(owner, own.documentId))) throw notFound('passage');
    return readPassage(id, owner);
  };
}
