import type { ModelList } from 'api/contract/models';
import type { Http, Storage } from 'host/contract';
import { BehaviorSubject } from 'rxjs';

/** The model name for an answer from the knowledge base only. */
export const NO_MODEL = 'none';

export interface ModelChoiceState {
  /** null until the list is loaded, and when loading fails. */
  list: ModelList | null;
  /** The chosen model if it still exists; '' for the server's default. */
  chosen: string;
}

/** The model for the next question, stored in this browser. */
export function createModelChoice(http: Pick<Http, 'get'>, storage: Pick<Storage, 'get' | 'set'>) {
  const state$ = new BehaviorSubject<ModelChoiceState>({ list: null, chosen: '' });
  const chosenOf = (list: ModelList | null) => {
    const stored = storage.get<string>('model') ?? '';
    const isAvailable = stored === NO_MODEL || list?.models.some(({ name }) => name === stored);
    return isAvailable && list?.models.length ? stored : '';
  };
  return {
    state$,
    /** Loads the models and their availability. The previous list stays when loading fails. */
    async load(signal: AbortSignal): Promise<void> {
      try {
        const { data: list } = await http.get<ModelList>('/api/models', { signal });
        state$.next({ list, chosen: chosenOf(list) });
      } catch {
        // Without the list, the server chooses the model.
      }
    },
    choose(name: string): void {
      storage.set('model', name);
      state$.next({ ...state$.value, chosen: chosenOf(state$.value.list) });
    },
    /** Reads the stored choice again after the owner has changed. */
    refresh(): void {
      state$.next({ ...state$.value, chosen: chosenOf(state$.value.list) });
    },
  };
}
