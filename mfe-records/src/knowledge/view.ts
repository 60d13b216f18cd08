/** The part of /knowledge that is shown alone. */
export type Part = 'documents' | 'pairs' | 'inbox' | 'golden' | 'synonyms';

const PARTS: readonly string[] = ['documents', 'pairs', 'inbox', 'golden', 'synonyms'] satisfies Part[];

export function isPart(text: string | null): text is Part {
  return text !== null && PARTS.includes(text);
}

/** The address of a part, or of the overview (null), without an open document. */
export function partAddress(params: URLSearchParams, part: Part | null): URLSearchParams {
  const next = new URLSearchParams(params);
  next.delete('d');
  if (part) next.set('v', part);
  else next.delete('v');
  return next;
}

/** The address of the same part with a document open (null: none). */
export function documentAddress(params: URLSearchParams, id: string | null): string {
  const next = new URLSearchParams(params);
  if (id) next.set('d', id);
  else next.delete('d');
  return `?${next}`;
}
