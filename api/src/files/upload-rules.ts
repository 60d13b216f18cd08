import type { Quotas } from '../accounts/quotas.ts';
import type { UploadRules } from '../contract/files.ts';

const endings =
  '.txt .md .markdown .csv .tsv .json .html .htm .eml .mht .mhtml .pdf .docx .docm .dotx .dotm .xlsx .xlsm .xltx .xltm .pptx .pptm .potx .potm .ppsx .ppsm .png .jpg .jpeg .webp .gif'.split(
    ' ',
  );

const refusedTypes = [
  ...['image', 'audio', 'video', 'font', 'model'].map((kind) => `${kind}/`),
  ...'zip gzip x-zip x-7z x-rar x-tar x-bzip x-gzip x-ms x-iso java-archive vnd. msword rtf octet-stream postscript epub'
    .split(' ')
    .map((kind) => `application/${kind}`),
];

/** The upload limits and formats for the owner's next question. */
export async function uploadRulesOf(
  owner: string,
  maxMb: number,
  quotas: Pick<Quotas, 'room'>,
): Promise<UploadRules> {
  const freeBytes = await quotas.room(owner);
  return { maxFiles: 10, maxBytes: maxMb * 1024 * 1024, freeBytes, endings, refusedTypes };
}
