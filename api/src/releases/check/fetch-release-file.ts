import { certificateFailure } from '../../errors/certificate-failure.ts';
import { type Text, textsOf } from '../../i18n/texts-of.ts';

const textOf = textsOf('findings');

export interface FetchBounds {
  /** Value of the Origin header: the origin of this installation's pages, as a browser would send it. */
  origin: string;
  /** Limit in bytes; reading stops when it is exceeded. */
  maxBytes: number;
  signal: AbortSignal;
}

export type Fetched = { bytes: Buffer } | { fault: Text };

/**
 * MIME types with which browsers run a module script: https://mimesniff.spec.whatwg.org/#javascript-mime-type
 */
const javaScript =
  /^(text\/(javascript|ecmascript|jscript|livescript|javascript1\.[0-5]|x-(java|ecma)script)|application\/(x-)?(java|ecma)script)$/;

/**
 * Fetches one file of a release from a team's own origin under the same conditions as a browser: no redirect,
 * CORS allowed for `origin`, correct types for JavaScript and style sheets. Never throws; the `fault` says
 * what prevents a browser from using it.
 */
export async function fetchReleaseFile(address: string, bounds: FetchBounds): Promise<Fetched> {
  const { origin, maxBytes, signal } = bounds;
  try {
    const response = await fetch(address, { headers: { Origin: origin }, redirect: 'manual', signal });
    const fault = faultOf(response, address, origin);
    if (!fault) return await readBounded(response, maxBytes);
    await response.body?.cancel();
    return { fault };
  } catch (cause) {
    if (signal.aborted) return { fault: textOf('no_answer') };
    const { code, isUntrusted } = certificateFailure(cause) ?? {};
    if (code)
      return { fault: textOf(isUntrusted ? 'certificate_untrusted' : 'certificate_invalid', { code }) };
    return { fault: textOf('not_fetched', { reason: reasonOf(cause) }) };
  }
}

function faultOf(response: Response, address: string, origin: string): Text | undefined {
  const { status, headers } = response;
  if (status !== 200) return textOf('wrong_status', { status });
  const allowed = headers.get('Access-Control-Allow-Origin');
  if (allowed !== '*' && allowed !== origin) {
    return allowed === null ? textOf('no_cors', { origin }) : textOf('other_cors', { origin, allowed });
  }
  return typeFault(new URL(address).pathname, headers.get('Content-Type') ?? '');
}

function typeFault(path: string, header: string): Text | undefined {
  const type = header.split(';', 1)[0]!.trim().toLowerCase();
  const isScript = /\.m?js$/i.test(path);
  const isRight = isScript ? javaScript.test(type) : !/\.css$/i.test(path) || type === 'text/css';
  if (isRight) return undefined;
  const expected = isScript ? 'text/javascript' : 'text/css';
  return textOf('wrong_type', { expected, type });
}

async function readBounded(response: Response, maxBytes: number): Promise<Fetched> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop early cancels the rest of the response.
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) return { fault: textOf('too_long', { limit: maxBytes }) };
    chunks.push(chunk);
  }
  return { bytes: Buffer.concat(chunks) };
}

/** Includes the system error code: `ECONNREFUSED` says more than "fetch failed". */
function reasonOf(cause: unknown): string {
  const { message, cause: inner } = cause as {
    message?: string;
    cause?: { code?: string; message?: string };
  };
  return inner?.code ?? inner?.message ?? message ?? String(cause);
}
