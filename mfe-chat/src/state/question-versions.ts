import type { DeskRecord } from 'api/contract/records';
import { type ChatMessage, messagesOf, questionAndPlaceholder, questionKeyOf } from './chat-message.ts';
import type { ChatStore } from './chat-store.ts';

type Pair = [question: ChatMessage, answer: ChatMessage];

/** All versions of one question, oldest first. The messages of the shown version are outdated here; the current ones are in the store. */
interface Versions {
  questionKey: string;
  key: string;
  /** When the first version was asked. */
  place: string;
  isPlaced: boolean;
  pairs: Pair[];
  shown: number;
}

export type QuestionVersions = ReturnType<typeof createQuestionVersions>;

/**
 * The versions of the questions in the list. The list contains the messages of one version of each question, by default the newest; showing
 * another one replaces them under the same keys.
 */
export function createQuestionVersions(store: ChatStore) {
  const byFirst = new Map<string, Versions>();
  const byQuestionKey = new Map<string, Versions>();

  /** Copies the shown messages from the store, where they may have changed. */
  const update = ({ questionKey, key, pairs, shown }: Versions) => {
    const question = store.message(questionKey);
    const answer = store.message(key);
    if (question && answer) pairs[shown] = [question, answer];
  };
  const messagesAt = ({ questionKey, key, pairs, shown }: Versions): Pair => {
    const [question, answer] = pairs[shown]!;
    const versions = pairs.length > 1 ? { at: shown + 1, of: pairs.length } : null;
    return [
      { ...question, key: questionKey, versions },
      { ...answer, key },
    ];
  };
  const show = (versions: Versions) => {
    for (const { key, ...message } of messagesAt(versions)) store.patch(key, message);
  };

  /** Adds a version that was read from the server. */
  const insert = (versions: Versions, record: DeskRecord) => {
    if (versions.pairs.some(([question]) => question.recordId === record.id)) return;
    if (versions.isPlaced) update(versions);
    const at = versions.pairs.filter(([{ createdAt }]) => createdAt <= record.createdAt).length;
    versions.pairs.splice(at, 0, messagesOf(record));
    if (!versions.isPlaced) versions.shown = versions.pairs.length - 1;
    else if (at <= versions.shown) versions.shown += 1;
    if (versions.isPlaced) show(versions);
  };

  const versionsOf = ({ id, createdAt, versionOf }: DeskRecord): Versions | undefined => {
    const first = versionOf?.recordId ?? id;
    const known = byFirst.get(first);
    if (known || !versionOf) return known;
    const place = versionOf.createdAt ?? createdAt;
    const versions = {
      questionKey: `q:${first}`,
      key: `a:${first}`,
      place,
      isPlaced: false,
      pairs: [],
      shown: 0,
    };
    byFirst.set(first, versions);
    byQuestionKey.set(versions.questionKey, versions);
    return versions;
  };

  return {
    /**
     * The messages to insert for a page of records, oldest first. `records` are newest first; a version is held back until the place of its
     * question is reached. `isLast` is true if there are no older records.
     */
    add(records: readonly DeskRecord[], isLast: boolean): ChatMessage[] {
      const placed: { place: string; messages: Pair }[] = [];
      // The record of a first version does not name the later ones: these are registered first.
      for (const record of records) versionsOf(record);
      for (const record of records.toReversed()) {
        const versions = versionsOf(record);
        if (versions) insert(versions, record);
        else placed.push({ place: record.createdAt, messages: messagesOf(record) });
      }
      const oldest = records.at(-1)?.createdAt ?? '';
      for (const versions of byFirst.values()) {
        if (versions.isPlaced || !(isLast || versions.place >= oldest)) continue;
        versions.isPlaced = true;
        placed.push({ place: versions.place, messages: messagesAt(versions) });
      }
      placed.sort((one, other) => (one.place < other.place ? -1 : one.place > other.place ? 1 : 0));
      return placed.flatMap(({ messages }) => messages);
    },

    /** Shows a new version, which is being sent, in place of the shown one. Returns the keys of its messages. */
    begin(key: string, text: string, clientId: string): { key: string; questionKey: string } {
      const questionKey = questionKeyOf(key);
      const question = store.message(questionKey)!;
      const answer = store.message(key)!;
      let versions = byQuestionKey.get(questionKey);
      if (!versions) {
        const place = question.createdAt;
        versions = { questionKey, key, place, isPlaced: true, pairs: [[question, answer]], shown: 0 };
        byQuestionKey.set(questionKey, versions);
        byFirst.set(question.recordId, versions);
      }
      update(versions);
      const { contact, files, isImage, url, imgUrls } = question;
      const [asked, placeholder] = questionAndPlaceholder(text, clientId, new Date(), contact);
      versions.pairs.push([{ ...asked, files, isImage, url, imgUrls }, placeholder]);
      versions.shown = versions.pairs.length - 1;
      show(versions);
      return { key, questionKey };
    },

    /** Removes a version that `begin` has added and shows the one before. */
    drop(clientId: string): void {
      for (const versions of byQuestionKey.values()) {
        const at = versions.pairs.findIndex(([question]) => question.clientId === clientId);
        if (at < 0) continue;
        versions.pairs.splice(at, 1);
        versions.shown = versions.pairs.length - 1;
        show(versions);
      }
    },

    /** Shows a version of a question, counted from 1. */
    show(questionKey: string, position: number): void {
      const versions = byQuestionKey.get(questionKey);
      if (!versions?.pairs[position - 1]) return;
      update(versions);
      versions.shown = position - 1;
      show(versions);
    },

    /** Shows the version with this record if another version is shown. */
    reveal(recordId: string): void {
      for (const versions of byQuestionKey.values()) {
        const at = versions.pairs.findIndex(([question]) => question.recordId === recordId);
        if (at < 0 || at === versions.shown || !versions.isPlaced) continue;
        update(versions);
        versions.shown = at;
        show(versions);
      }
    },

    clear(): void {
      byFirst.clear();
      byQuestionKey.clear();
    },
  };
}
