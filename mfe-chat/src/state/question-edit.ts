import type { Storage } from 'host/contract';
import { BehaviorSubject } from 'rxjs';

/** A question that is being edited, and its text so far. */
export interface EditedQuestion {
  recordId: string;
  text: string;
}

const KEY = 'edits';

export type QuestionEdit = ReturnType<typeof createQuestionEdit>;

/** Only one question is edited at a time. Unfinished texts of other questions stay stored, also over a reload. */
export function createQuestionEdit(storage: Pick<Storage, 'get' | 'set' | 'remove'>) {
  /** The last entry is the question that is being edited. */
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
    /** Continues with the unfinished text, if there is one. */
    begin: (edited: EditedQuestion): void =>
      edit(read().find(({ recordId }) => recordId === edited.recordId) ?? edited),
    change(text: string): void {
      if (edited$.value) edit({ ...edited$.value, text });
    },
    /** Called after the edited question was asked, or editing was cancelled. */
    end(): void {
      if (edited$.value) set(others(edited$.value.recordId), null);
    },
    /** Reads it again after the owner of the storage has changed. */
    refresh: (): void => edited$.next(read().at(-1) ?? null),
  };
}
