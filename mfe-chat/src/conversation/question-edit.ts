import type { Storage } from 'host/contract';
import { BehaviorSubject } from 'rxjs';

/** The question being edited, and the text so far. */
export interface EditedQuestion {
  recordId: string;
  text: string;
}

/** At most one question is edited at a time. The text survives a reload. */
export interface QuestionEdit {
  edited$: BehaviorSubject<EditedQuestion | null>;
  begin(edited: EditedQuestion): void;
  change(text: string): void;
  end(): void;
  /** Reads it again after the owner of the storage has changed. */
  refresh(): void;
}

const KEY = 'edit';

export function createQuestionEdit(storage: Pick<Storage, 'get' | 'set' | 'remove'>): QuestionEdit {
  const read = () => storage.get<EditedQuestion>(KEY) ?? null;
  const edited$ = new BehaviorSubject(read());
  const set = (edited: EditedQuestion | null) => {
    if (edited) storage.set(KEY, edited);
    else storage.remove(KEY);
    edited$.next(edited);
  };
  return {
    edited$,
    begin: set,
    change(text) {
      if (edited$.value) set({ ...edited$.value, text });
    },
    end: () => set(null),
    refresh: () => edited$.next(read()),
  };
}
