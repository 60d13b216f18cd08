import type { DeskSettings, SettingsReply } from 'api/contract/settings';
import type { HttpFailure, Storage } from 'host/contract';
import { useEffect, useRef, useState } from 'react';
import { changedFields, rebase, type SettingField } from './setting-fields.ts';
import type { SettingsCalls } from './settings-calls.ts';

/** What somebody else saved while this form was open. */
export interface SettingsConflict {
  before: DeskSettings;
  theirs: SettingsReply;
  fields: SettingField[];
}

export interface SettingsForm {
  /** The saved settings. */
  saved: SettingsReply;
  draft: DeskSettings;
  /** The fields that are not saved. */
  changed: SettingField[];
  conflict: SettingsConflict | null;
  isSaving: boolean;
  /** Why the server refused, or ''. */
  error: string;
  edit(change: (draft: DeskSettings) => DeskSettings): void;
  discard(): void;
  closeConflict(): void;
  /** Resolves to whether it was saved. After a conflict the draft is based on what the others saved. */
  save(): Promise<boolean>;
  restore(to: number): Promise<boolean>;
}

const DRAFT = 'settings draft';

interface StoredDraft {
  revision: number;
  base: DeskSettings;
  draft: DeskSettings;
}

/** The form over the settings that were read. What is not saved stays in this browser, so that leaving the screen loses nothing. */
export function useSettingsForm(
  read: SettingsReply,
  calls: SettingsCalls,
  storage: Storage,
  onRestoredDraft: () => void,
): SettingsForm {
  const [saved, setSaved] = useState(read);
  const [draft, setDraft] = useState(() => storedDraft(storage, read) ?? read.settings);
  const [conflict, setConflict] = useState<SettingsConflict | null>(null);
  const [isSaving, setSaving] = useState(false);
  const [error, setError] = useState('');
  const isRunning = useRef(false);
  const changed = changedFields(saved.settings, draft);
  const isChanged = changed.length > 0;

  const notify = useRef(onRestoredDraft);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what was there when the screen opened counts
  useEffect(() => {
    if (isChanged) notify.current();
  }, []);

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

  const accept = (reply: SettingsReply) => {
    setSaved(reply);
    setDraft(reply.settings);
    setConflict(null);
  };

  /** Keeps the draft on top of what others have saved. */
  async function readOthers(): Promise<void> {
    const theirs = await calls.read();
    const fields = changedFields(saved.settings, theirs.settings);
    setConflict({ before: saved.settings, theirs, fields });
    setDraft(rebase(draft, saved.settings, theirs.settings));
    setSaved(theirs);
  }

  async function change(call: () => Promise<SettingsReply>): Promise<boolean> {
    if (isRunning.current) return false;
    isRunning.current = true;
    setSaving(true);
    setError('');
    try {
      accept(await call());
      return true;
    } catch (thrown) {
      const failure = thrown as HttpFailure;
      try {
        if (failure.status === 409) await readOthers();
        else setError(failure.message);
      } catch (again) {
        setError((again as HttpFailure).message);
      }
      return false;
    } finally {
      isRunning.current = false;
      setSaving(false);
    }
  }

  return {
    saved,
    draft,
    changed,
    conflict,
    isSaving,
    error,
    edit: setDraft,
    discard() {
      setDraft(saved.settings);
      setConflict(null);
      setError('');
    },
    closeConflict: () => setConflict(null),
    save: () => change(() => calls.save(saved.revision, withoutBlanks(draft))),
    restore: (to) => change(() => calls.restore(saved.revision, to)),
  };
}

/** What was typed earlier, on top of what is saved now. */
function storedDraft(storage: Storage, now: SettingsReply): DeskSettings | null {
  const stored = storage.get<StoredDraft>(DRAFT);
  if (!stored?.base?.texts || !stored.draft?.texts) return null;
  return rebase(stored.draft, stored.base, now.settings);
}

/** Empty inputs of questions are no questions. */
function withoutBlanks(settings: DeskSettings): DeskSettings {
  const clean = (all: readonly string[]) => all.map((one) => one.trim()).filter(Boolean);
  const { zh, en } = settings.texts;
  return {
    ...settings,
    texts: { zh: { ...zh, starters: clean(zh.starters) }, en: { ...en, starters: clean(en.starters) } },
  };
}
