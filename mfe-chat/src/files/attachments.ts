import type { UploadRules } from 'api/contract/files';
import type { HostServices, Http } from 'host/contract';
import { Subject } from 'rxjs';
import { createHold } from '../conversation/create-hold.ts';
import { createId } from '../conversation/create-id.ts';
import { beginsAsText, type FileProblem, MAX_FILES, problemsOf } from './file-problems.ts';

/** A file that goes along with the next question. */
export interface AttachedFile {
  id: string;
  file: File;
  /** Why it cannot be sent; null where nothing is known against it. */
  problem: FileProblem | null;
}

/** What is attached to the next question of a conversation. */
export interface Attached {
  files: readonly AttachedFile[];
  /** Why these came back, ready to be shown; '' without. */
  problem: string;
}

/**
 * Files of the next question, a set for each conversation and each owner. They live as long as the page does: another screen and the end
 * of a session leave them, a reload does not, as a page cannot keep a file.
 */
export interface Attachments {
  /** null until they have been read, and where they cannot be. */
  rules(): UploadRules | null;
  /** Reads anew what files must keep to; those that are attached are checked again. */
  readRules(): void;
  /** Names the set of this conversation and of whoever is signed in now. */
  slotOf(conversationId: string | null): string;
  /** Keeps its identity until something changes. */
  read(slot: string): Attached;
  /** Takes in what is not there already and has room; returns how many had none. */
  add(slot: string, files: Iterable<File>): number;
  remove(slot: string, id: string): void;
  /** They are on their way. */
  clear(slot: string): void;
  /** Puts files that could not be sent before whatever is attached. */
  giveBack(slot: string, files: readonly AttachedFile[], problem?: string): void;
  /** The new conversation has got its id: what is attached to it goes along. */
  adopt(conversationId: string): void;
  changed$: Subject<void>;
}

const NONE: Attached = { files: [], problem: '' };
const known = new WeakMap<HostServices, Attachments>();

/** The page's one set of them. */
export function attachmentsOf(services: HostServices): Attachments {
  const kept = known.get(services);
  if (kept) return kept;
  const hold = createHold(services.updates);
  const made = createAttachments(services.http, () => services.session.username$.value, hold);
  known.set(services, made);
  return made;
}

/** Hears whether any file is attached, which a reload would lose. */
function createAttachments(
  http: Pick<Http, 'get'>,
  owner: () => string,
  onAttached: (isAny: boolean) => void,
): Attachments {
  const slots = new Map<string, Attached>();
  let rules: UploadRules | null = null;
  /** Whether a file begins as text; of those that were looked into. */
  const texts = new WeakMap<File, boolean>();
  const changed$ = new Subject<void>();
  const read: Attachments['read'] = (slot) => slots.get(slot) ?? NONE;
  /** Who signs in takes a guest's files along, as it is with drafts. */
  const takeGuests = (who: string) => {
    for (const [slot, { files, problem }] of [...slots].filter(([slot]) => slot.startsWith('/'))) {
      slots.delete(slot);
      const all = [...files, ...read(who + slot).files].slice(0, MAX_FILES);
      slots.set(who + slot, { files: all, problem });
    }
  };
  const slotOf: Attachments['slotOf'] = (conversationId) => {
    const who = owner();
    if (who) takeGuests(who);
    return `${who}/${conversationId ?? 'new'}`;
  };
  const set = (slot: string, files: readonly AttachedFile[], problem = '') => {
    if (files.length || problem) slots.set(slot, { files: checked(files), problem });
    else slots.delete(slot);
    onAttached([...slots.values()].some((attached) => attached.files.length > 0));
    changed$.next();
  };
  const checked = (files: readonly AttachedFile[]) => {
    const problems = problemsOf(
      files.map(({ file }) => ({ file, isText: texts.get(file) ?? true })),
      rules,
    );
    return files.map((one, at) => ({ ...one, problem: problems[at] ?? null }));
  };
  const checkAgain = () => {
    for (const [slot, { files, problem }] of [...slots]) set(slot, files, problem);
  };
  const readRules = () => {
    http.get<UploadRules>('/api/upload-rules').then(
      ({ data }) => {
        rules = data;
        checkAgain();
      },
      // The server checks them all the same.
      () => undefined,
    );
  };

  return {
    rules: () => rules,
    readRules,
    slotOf,
    read,
    add(slot, files) {
      const { files: there } = read(slot);
      const fresh = [...files].filter((file) => !there.some((one) => isSame(one.file, file)));
      const taken = fresh
        .slice(0, MAX_FILES - there.length)
        .map((file) => ({ id: createId(), file, problem: null }));
      set(slot, [...there, ...taken]);
      if (there.length === 0) readRules();
      for (const { file } of taken)
        void beginsAsText(file).then((isText) => {
          texts.set(file, isText);
          if (!isText) checkAgain();
        });
      return fresh.length - taken.length;
    },
    remove: (slot, id) =>
      set(
        slot,
        read(slot).files.filter((one) => one.id !== id),
      ),
    clear: (slot) => set(slot, []),
    giveBack: (slot, files, problem) =>
      set(slot, [...files, ...read(slot).files].slice(0, MAX_FILES), problem),
    adopt(conversationId) {
      const from = slotOf(null);
      const { files, problem } = read(from);
      if (!files.length) return;
      set(slotOf(conversationId), files, problem);
      set(from, []);
    },
    changed$,
  };
}

/** What a browser can tell of two files without reading them. */
function isSame(a: File, b: File): boolean {
  return a.name === b.name && a.size === b.size && a.lastModified === b.lastModified && a.type === b.type;
}
