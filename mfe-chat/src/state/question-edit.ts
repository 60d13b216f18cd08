import type { Storage } from 'host/contract';
import { BehaviorSubject } from 'rxjs';

/** A question being edited, and the text so far. */
export interface EditedQuestion {
  recordId: string;
  text: string;
}

const KEY = 'edits';

export type QuestionEdit = ReturnType<typeof createQuestionEdit>;

/** One question is edited at a time. The texts of others that were left for it are stored, as all of them are over a reload. */
export function createQuestionEdit(storage: Pick<Storage, 'get' | 'set' | 'remove'>) {
  /** The one that is edited is the last. */
  const read = () => storage.get<EditedQuestion[]>(KEY) ?? [];
  const edited$ = new BehaviorSubject(read().at(-1) ?? null);
  const others = (recordId: string) => read().filter((one) => one.recordId !== recordId);
  const set = (edits: EditedQuestion[], edited: EditedQuestion | null) => {
    if (edits.length > 0) storage.set(KEY, edits);
    else storage.remove(KEY);
    edited$.next(edited);
  };
  const edit = (edited: EditedQuestion) => set([...others(edited.recordId), edited], edited);
  return {
    edited$,
    /** Continues with the text that was left, if there is one. */
    begin: (edited: EditedQuestion): void =>
      edit(read().find(({ recordId }) => recordId === edited.recordId) ?? edited),
    change(text: string): void {
      if (edited$.value) edit({ ...edited$.value, text });
    },
    /** The edited question was asked, or editing was cancelled. */
    end(): void {
      if (edited$.value) set(others(edited$.value.recordId), null);
    },
    /** Reads it again after the owner of the storage has changed. */
    refresh: (): void => edited$.next(read().at(-1) ?? null),
  };
}
