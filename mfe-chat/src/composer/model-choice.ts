import type { ModelList } from 'api/contract/models';
import type { Http, Storage } from 'host/contract';
import { BehaviorSubject } from 'rxjs';

/** The model name for an answer from the knowledge base only. */
export const NO_MODEL = 'none';

interface ModelChoiceState {
  /** null until the list is loaded, and when loading fails. */
  list: ModelList | null;
  /** The chosen model if it still exists; '' for the server's default. */
  chosen: string;
}

/** The model for the next question, stored in this browser. */
export interface ModelChoice {
  state$: BehaviorSubject<ModelChoiceState>;
  /** Loads the models and their availability. The previous list stays when loading fails. */
  load(): Promise<void>;
  choose(name: string): void;
  /** Reads the stored choice again after the owner has changed. */
  refresh(): void;
}

export function createModelChoice(
  http: Pick<Http, 'get'>,
  storage: Pick<Storage, 'get' | 'set'>,
): ModelChoice {
  const state$ = new BehaviorSubject<ModelChoiceState>({ list: null, chosen: '' });
  const chosenOf = (list: ModelList | null) => {
    const stored = storage.get<string>('model') ?? '';
    const isAvailable = stored === NO_MODEL || list?.models.some(({ name }) => name === stored);
    return isAvailable && list?.models.length ? stored : '';
  };
  return {
    state$,
    async load() {
      try {
        const { data: list } = await http.get<ModelList>('/api/models');
        state$.next({ list, chosen: chosenOf(list) });
      } catch {
        // Without the list the server chooses.
      }
    },
    choose(name) {
      storage.set('model', name);
      state$.next({ ...state$.value, chosen: chosenOf(state$.value.list) });
    },
    refresh() {
      state$.next({ ...state$.value, chosen: chosenOf(state$.value.list) });
    },
  };
}
