import type { RecordArchive } from '../../contract/archives.ts';
import type { Conversation } from '../../contract/records.ts';
import { toDeskRecord } from '../record.ts';
import type { SeenRecord } from './exported-records.ts';

type Header = Omit<RecordArchive, 'records' | 'conversations'>;

/** An additional list of an archive, by its key. */
export interface MoreOfAnArchive {
  key: string;
  list: AsyncIterable<readonly object[]>;
}

/**
 * Writes an archive as a stream: each record on its own line, then the conversations of these records, so
 * that neither writer nor reader has to hold one list for the other. Other lists come first.
 */
export async function* writeArchive(parts: {
  header: Header & Record<string, unknown>;
  more: readonly MoreOfAnArchive[];
  records: AsyncIterable<SeenRecord[]>;
  conversations: AsyncIterable<readonly Conversation[]>;
  /** Called with every slice of records before it is written. */
  onRecords(some: readonly SeenRecord[]): void;
}): AsyncGenerator<string> {
  const { header, more, records, conversations, onRecords } = parts;
  yield JSON.stringify(header).slice(0, -1);
  for (const { key, list } of more) yield* writeList(key, list);
  yield* writeList('records', seenOf(records, onRecords));
  yield* writeList('conversations', conversations);
  yield '\n}\n';
}

async function* seenOf(
  records: AsyncIterable<SeenRecord[]>,
  onRecords: (some: readonly SeenRecord[]) => void,
) {
  for await (const some of records) {
    onRecords(some);
    yield some.map(toDeskRecord);
  }
}

async function* writeList(key: string, list: AsyncIterable<readonly object[]>): AsyncGenerator<string> {
  yield `,\n${JSON.stringify(key)}:[`;
  let comma = '';
  for await (const some of list) {
    let text = '';
    for (const one of some) {
      text += `${comma}\n${JSON.stringify(one)}`;
      comma = ',';
    }
    yield text;
  }
  yield '\n]';
}
