import type { RecordArchive } from 'api/contract/archives';
import { useTexts } from 'host/ui/screen.tsx';
import { ImportDialog, type ImportFile, readArchive, sliceItems } from '../lib/import-dialog.tsx';
import { historyTexts } from '../lib/texts.ts';

/** An exported file of records, in slices of at most 500, with the conversations of their records. */
export function readRecords(text: string): ImportFile | undefined {
  const archive = readArchive<RecordArchive>(text, 'consultation-desk-records', ['records', 'conversations']);
  if (!archive) return undefined;
  const byId = new Map(archive.conversations.map((conversation) => [conversation.id, conversation]));
  const slices = sliceItems(archive.records, 500).map((records) => {
    const ids = new Set(records.map(({ conversationId }) => conversationId));
    const conversations = [...ids].flatMap((id) => byId.get(id) ?? []);
    return { count: records.length, body: { ...archive, conversations, records } satisfies RecordArchive };
  });
  return { slices, numbers: { count: archive.records.length } };
}

export function ImportRecords(props: { onClose(): void; onImported(): void }) {
  const t = useTexts(historyTexts);
  return (
    <ImportDialog {...props} t={t} url="/api/import" parts={['imported', 'unchanged']} read={readRecords} />
  );
}
