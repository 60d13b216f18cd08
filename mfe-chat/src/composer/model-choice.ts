import type { ModelList } from 'api/contract/models';
import type { Http, Storage } from 'host/contract';
import { BehaviorSubject } from 'rxjs';

/** The name by which a question asks for the knowledge base alone. */
export const NO_MODEL = 'none';

export interface ModelChoiceState {
  /** null until it has been read, and where it cannot be. */
  list: ModelList | null;
  /** Name of what the visitor has chosen, as long as it is there; '' for the desk's own choice. */
  chosen: string;
}

/** What the next question is answered by: kept in this browser. */
export interface ModelChoice {
  state$: BehaviorSubject<ModelChoiceState>;
  /** Reads which models there are, and which of them are available. What was known stays when it cannot. */
  load(): Promise<void>;
  choose(name: string): void;
  /** Somebody else is here: what was chosen is read anew. */
  readAgain(): void;
}

export function createModelChoice(
  http: Pick<Http, 'get'>,
  storage: Pick<Storage, 'get' | 'set'>,
): ModelChoice {
  const state$ = new BehaviorSubject<ModelChoiceState>({ list: null, chosen: '' });
  const chosenOf = (list: ModelList | null) => {
    const kept = storage.get<string>('model') ?? '';
    const isThere = kept === NO_MODEL || list?.models.some(({ name }) => name === kept);
    return isThere && list?.models.length ? kept : '';
  };
  return {
    state$,
    async load() {
      try {
        const { data: list } = await http.get<ModelList>('/api/models');
        state$.next({ list, chosen: chosenOf(list) });
      } catch {
        // Without it the desk chooses.
      }
    },
    choose(name) {
      storage.set('model', name);
      state$.next({ ...state$.value, chosen: chosenOf(state$.value.list) });
    },
    readAgain() {
      state$.next({ ...state$.value, chosen: chosenOf(state$.value.list) });
    },
  };
}
