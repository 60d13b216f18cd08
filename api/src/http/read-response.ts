/** The body, cut off once it has more than `maxBytes`. */
export async function readAtMost({ body }: Response, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let read = 0;
  // Leaving the loop early cancels the rest of the response.
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    read += chunk.length;
    if (read > maxBytes) break;
  }
  return Buffer.concat(chunks);
}

/** Why a fetch failed: `ECONNREFUSED` says more than "fetch failed". */
export function fetchFailure(thrown: unknown): string {
  const { message, cause } = thrown as Error & { cause?: Error & { code?: string } };
  return cause?.code ?? cause?.message ?? message;
}
