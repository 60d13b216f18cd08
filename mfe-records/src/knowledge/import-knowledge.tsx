import type { KnowledgeArchive } from 'api/contract/knowledge';
import { useTexts } from 'host/ui/screen.tsx';
import { ImportDialog, type ImportFile, readArchive, sliceItems } from '../lib/import-dialog.tsx';
import { knowledgeTexts } from '../lib/texts.ts';
import { archiveUrl } from './lib/collection-choice.tsx';
import type { DialogContext } from './lib/dialog-context.ts';

type Item = { pair: KnowledgeArchive['pairs'][0] } | { document: KnowledgeArchive['documents'][0] };

/** An exported file of knowledge, in slices of at most 200 items. Pairs come first, because they are small and answers prefer them. */
export function readKnowledge(text: string): ImportFile | undefined {
  const archive = readArchive<KnowledgeArchive>(text, 'consultation-desk-knowledge', ['documents', 'pairs']);
  if (!archive) return undefined;
  const items: Item[] = [
    ...archive.pairs.map((pair) => ({ pair })),
    ...archive.documents.map((document) => ({ document })),
  ];
  const slices = sliceItems(items, 200).map((slice) => {
    const pairs = slice.flatMap((item) => ('pair' in item ? item.pair : []));
    const documents = slice.flatMap((item) => ('document' in item ? item.document : []));
    return { count: slice.length, body: { ...archive, documents, pairs } satisfies KnowledgeArchive };
  });
  return { slices, numbers: { documents: archive.documents.length, pairs: archive.pairs.length } };
}

export function ImportKnowledge({
  collection,
  onClose,
  onChanged,
}: Pick<DialogContext, 'collection' | 'onClose' | 'onChanged'>) {
  const parts = ['documents', 'pairs', 'unchanged'] as const;
  return (
    <ImportDialog
      onClose={onClose}
      onImported={onChanged}
      t={useTexts(knowledgeTexts)}
      url={archiveUrl('import', collection)}
      parts={parts}
      read={readKnowledge}
    />
  );
}
