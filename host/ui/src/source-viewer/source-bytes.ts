import type { SourceBytes } from './source-reader.ts';

/** Request headers for the bytes `start`–`end`; `end` is not included. */
export function rangeHeaders(start: number, end: number): { Range: string } {
  return { Range: `bytes=${start}-${end - 1}` };
}

interface FileResponse {
  status: number;
  data: Blob;
  headers: object;
}

/** The part of a response from the byte `start` on, which is the whole file if the server or a proxy ignores ranges. */
export async function sourceBytes(
  { status, data, headers }: FileResponse,
  start: number,
  end: number,
): Promise<SourceBytes> {
  const { etag = '', 'content-range': range = '' } = headers as Record<string, string | undefined>;
  const all = new Uint8Array(await data.arrayBuffer());
  if (status !== 206)
    return { bytes: start === 0 ? all : all.slice(start, end), size: all.length, version: etag };
  return { bytes: all, size: Number(/\/(\d+)$/.exec(range)?.[1] ?? start + all.length), version: etag };
}
