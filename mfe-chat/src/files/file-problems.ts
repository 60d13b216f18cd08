import type { UploadRules } from 'api/contract/files';

/** Why a file cannot be sent: it is empty, not readable, too large with those before it, or has no room left. */
export type FileProblem = 'empty' | 'type' | 'size' | 'room';

export const MAX_FILES: UploadRules['maxFiles'] = 10;

/**
 * The problem of each file, null without; a file too large is not counted against those after it. `rules` is null until the server has told
 * them. Pure.
 */
export function problemsOf(
  files: readonly { file: File; isText: boolean }[],
  rules: UploadRules | null,
): (FileProblem | null)[] {
  let total = 0;
  return files.map(({ file, isText }) => {
    if (file.size === 0) return 'empty';
    if (rules === null) return null;
    if (!isNamed(file, rules) && (!isText || isRefused(file, rules))) return 'type';
    if (total + file.size > rules.maxBytes) return 'size';
    if (rules.freeBytes !== null && total + file.size > rules.freeBytes) return 'room';
    total += file.size;
    return null;
  });
}

function isNamed({ name }: File, { endings }: UploadRules): boolean {
  return endings.some((ending) => name.toLowerCase().endsWith(ending));
}

function isRefused({ type }: File, { refusedTypes }: UploadRules): boolean {
  return refusedTypes.some((refused) => type.startsWith(refused));
}

const read = 1024;

/** Whether a file of any name begins as text does: the server reads these. A file that cannot be read here is left to it. */
export async function beginsAsText(file: File): Promise<boolean> {
  try {
    const bytes = new Uint8Array(await file.slice(0, read).arrayBuffer());
    const isWide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
    return isWide || !bytes.includes(0);
  } catch {
    return true;
  }
}
