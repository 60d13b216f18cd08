import type { UploadRules } from 'api/contract/files';

/** Why a file cannot be sent: it is empty, of an unsupported type, too large, or exceeds the total size. */
export type FileProblem = 'empty' | 'type' | 'size' | 'room';

export const MAX_FILES: UploadRules['maxFiles'] = 10;

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
export async function beginsAsText(file: File): Promise<boolean> {
  try {
    const bytes = new Uint8Array(await file.slice(0, CHECKED_BYTES).arrayBuffer());
    const isWide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
    return isWide || !bytes.includes(0);
  } catch {
    return true;
  }
}
