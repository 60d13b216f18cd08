import type { DeskSettings, SettingsChange, SettingsReply } from 'api/contract/settings';
import type { Storage } from 'host/contract';
import { asFailure } from 'host/ui/failure.ts';
import { useAction } from 'host/ui/use-action.ts';
import { useEffect, useEffectEvent, useState } from 'react';
import { useServices } from '../services.tsx';
import { changedFields, languagesOf, rebase, type SettingField } from './setting-fields.ts';

/** What somebody else saved while this form was open. */
export interface SettingsConflict {
  before: DeskSettings;
  theirs: SettingsReply;
  fields: SettingField[];
}

const DRAFT = 'settings draft';

interface StoredDraft {
  revision: number;
  base: DeskSettings;
  draft: DeskSettings;
}

/** The form for the settings. Unsaved changes are stored in this browser, so that leaving the screen loses nothing. */
export function useSettingsForm(read: SettingsReply, onRestoredDraft: () => void) {
  const { http, storage } = useServices();
  const [saved, setSaved] = useState(read);
  const [draft, setDraft] = useState(() => storedDraft(storage, read) ?? read.settings);
  const [conflict, setConflict] = useState<SettingsConflict | null>(null);
  const { isBusy: isSaving, failure, run, clear } = useAction();
  /** The fields with unsaved changes. */
  const changed = changedFields(saved.settings, draft);
  const isChanged = changed.length > 0;

  /** Only what was there when the screen opened counts. */
  const notify = useEffectEvent(() => isChanged && onRestoredDraft());
  useEffect(() => void notify(), []);

  useEffect(() => {
    if (isChanged)
      storage.set(DRAFT, {
        revision: saved.revision,
        base: saved.settings,
        draft,
      } satisfies StoredDraft);
    else storage.remove(DRAFT);
  }, [storage, isChanged, saved, draft]);

  useEffect(() => {
    if (!isChanged) return;
    const warn = (event: Event) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isChanged]);

  /** Changes since `sent` stay, which the visitor has made meanwhile. */
  const accept = (reply: SettingsReply, sent: DeskSettings) => {
    setSaved(reply);
    setDraft((now) => rebase(now, sent, reply.settings));
    setConflict(null);
  };

  /** Reads what others have saved and applies the unsaved changes to it. */
  async function readOthers(): Promise<void> {
    const { data: theirs } = await http.get<SettingsReply>('/api/settings');
    const fields = changedFields(saved.settings, theirs.settings);
    setConflict({ before: saved.settings, theirs, fields });
    setDraft((now) => rebase(now, saved.settings, theirs.settings));
    setSaved(theirs);
  }

  async function change(call: () => Promise<{ data: SettingsReply }>): Promise<boolean> {
    let isDone = false;
    await run(async () => {
      try {
        accept((await call()).data, draft);
        isDone = true;
      } catch (thrown) {
        if (asFailure(thrown).status !== 409) throw thrown;
        await readOthers();
      }
    });
    return isDone;
  }

  return {
    saved,
    draft,
    changed,
    conflict,
    isSaving,
    /** Why the server refused, or ''. */
    error: failure?.message ?? '',
    edit: setDraft,
    discard(): void {
      setDraft(saved.settings);
      setConflict(null);
      clear();
    },
    closeConflict: (): void => setConflict(null),
    /** Resolves to whether it was saved. After a conflict the draft is based on what the others saved. */
    save: (): Promise<boolean> =>
      change(() => {
        const body: SettingsChange = { revision: saved.revision, settings: withoutBlanks(draft) };
        return http.put<SettingsReply>('/api/settings', body);
      }),
    restore: (to: number): Promise<boolean> =>
      change(() => http.post<SettingsReply>('/api/settings/restore', { revision: saved.revision, to })),
  };
}

/** The stored unsaved changes, applied to the current settings. */
function storedDraft(storage: Storage, now: SettingsReply): DeskSettings | null {
  const stored = storage.get<StoredDraft>(DRAFT);
  if (!stored?.base?.texts || !stored.draft?.texts) return null;
  return rebase(stored.draft, stored.base, now.settings);
}

/** Removes example questions that are empty. */
function withoutBlanks(settings: DeskSettings): DeskSettings {
  const clean = (all: readonly string[]) => all.map((one) => one.trim()).filter(Boolean);
  const texts = { ...settings.texts };
  for (const language of languagesOf(settings))
    texts[language] = { ...texts[language], starters: clean(texts[language].starters) };
  return { ...settings, texts };
}
