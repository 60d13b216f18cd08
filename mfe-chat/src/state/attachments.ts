import type { UploadRules } from 'api/contract/files';
import type { HostServices, Http } from 'host/contract';
import { createId } from 'host/ui/create-id.ts';
import { Subject } from 'rxjs';
import { createHold } from './create-hold.ts';

export interface AttachedFile {
  id: string;
  file: File;
  /** Why the file cannot be sent; null if no problem is known. */
  problem: FileProblem | null;
}

/** The attachments of the next question of a conversation. */
export interface Attached {
  files: readonly AttachedFile[];
  /** Message for the visitor why the server rejected the files; '' if it did not. */
  problem: string;
}

/**
 * Files attached to the next question, one slot per conversation and owner. They are in the page's memory: they remain after navigation and
 * the end of a session, but not after a reload.
 */
export type Attachments = ReturnType<typeof createAttachments>;

const NONE: Attached = { files: [], problem: '' };
const instances = new WeakMap<HostServices, Attachments>();

/** The attachments of this page, created once. */
export function attachmentsOf(services: HostServices): Attachments {
  const existing = instances.get(services);
  if (existing) return existing;
  const hold = createHold(services.updates);
  const created = createAttachments(services.http, () => services.session.username$.value, hold);
  instances.set(services, created);
  return created;
}

/** `onAttached` receives whether any file is attached, which a reload would lose. */
function createAttachments(
  http: Pick<Http, 'get'>,
  owner: () => string,
  onAttached: (isAny: boolean) => void,
) {
  const slots = new Map<string, Attached>();
  let rules: UploadRules | null = null;
  /** Whether a checked file starts like a text file. */
  const texts = new WeakMap<File, boolean>();
  const changed$ = new Subject<void>();
  const read = (slot: string): Attached => slots.get(slot) ?? NONE;
  /** At sign-in the guest's files move to the account, like drafts. */
  const adoptGuestFiles = (username: string) => {
    for (const [slot, { files, problem }] of [...slots].filter(([slot]) => slot.startsWith('/'))) {
      slots.delete(slot);
      const all = [...files, ...read(username + slot).files].slice(0, MAX_FILES);
      slots.set(username + slot, { files: all, problem });
    }
  };
  const slotOf = (conversationId: string | null) => {
    const username = owner();
    if (username) adoptGuestFiles(username);
    return `${username}/${conversationId ?? 'new'}`;
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
      // The server checks the files, too.
      () => undefined,
    );
  };

  return {
    /** null until they are loaded, and when loading fails. */
    rules: () => rules,
    /** Loads the limits for files again and checks the attached files against them. */
    readRules,
    /** The slot id for this conversation and the current owner. */
    slotOf,
    /** Returns the same object until the slot changes. */
    read,
    /** Attaches files that are not attached yet, up to the limit. Returns the number of files above the limit. */
    add(slot: string, files: Iterable<File>): number {
      const { files: attached } = read(slot);
      const fresh = [...files].filter((file) => !attached.some((one) => isSame(one.file, file)));
      const added = fresh
        .slice(0, MAX_FILES - attached.length)
        .map((file) => ({ id: createId(), file, problem: null }));
      set(slot, [...attached, ...added]);
      if (attached.length === 0) readRules();
      for (const { file } of added)
        void beginsAsText(file).then((isText) => {
          texts.set(file, isText);
          if (!isText) checkAgain();
        });
      return fresh.length - added.length;
    },
    remove: (slot: string, id: string) =>
      set(
        slot,
        read(slot).files.filter((one) => one.id !== id),
      ),
    /** Empties the slot after its files were sent. */
    clear: (slot: string) => set(slot, []),
    /** Inserts files that could not be sent before the attached ones. */
    putBack: (slot: string, files: readonly AttachedFile[], problem?: string) =>
      set(slot, [...files, ...read(slot).files].slice(0, MAX_FILES), problem),
    /** Moves the files of the new conversation to its id. */
    adopt(conversationId: string): void {
      const from = slotOf(null);
      const { files, problem } = read(from);
      if (!files.length) return;
      set(slotOf(conversationId), files, problem);
      set(from, []);
    },
    changed$,
  };
}

/** Compares two files without reading them. */
function isSame(a: File, b: File): boolean {
  return a.name === b.name && a.size === b.size && a.lastModified === b.lastModified && a.type === b.type;
}

/** Why a file cannot be sent: it is empty, of an unsupported type, too large, or exceeds the total size. */
type FileProblem = 'empty' | 'type' | 'size' | 'room';

const MAX_FILES: UploadRules['maxFiles'] = 10;

/**
 * The problem of each file, or null; a file that is too large does not count towards the total of the others. `rules` is null until they
 * are loaded. Pure function.
 */
export function problemsOf(
  files: readonly { file: File; isText: boolean }[],
  rules: UploadRules | null,
): (FileProblem | null)[] {
  let total = 0;
  return files.map(({ file, isText }) => {
    if (file.size === 0) return 'empty';
    if (rules === null) return null;
    if (!hasSupportedEnding(file, rules) && (!isText || isRefused(file, rules))) return 'type';
    if (total + file.size > rules.maxBytes) return 'size';
    if (rules.freeBytes !== null && total + file.size > rules.freeBytes) return 'room';
    total += file.size;
    return null;
  });
}

function hasSupportedEnding({ name }: File, { endings }: UploadRules): boolean {
  return endings.some((ending) => name.toLowerCase().endsWith(ending));
}

function isRefused({ type }: File, { refusedTypes }: UploadRules): boolean {
  return refusedTypes.some((refused) => type.startsWith(refused));
}

const CHECKED_BYTES = 1024;

/** Whether the file starts like a text file, which is accepted with any extension. Unreadable ones count as text: the server decides. */
async function beginsAsText(file: File): Promise<boolean> {
  try {
    const bytes = new Uint8Array(await file.slice(0, CHECKED_BYTES).arrayBuffer());
    const isWide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
    return isWide || !bytes.includes(0);
  } catch {
    return true;
  }
}
