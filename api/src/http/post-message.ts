import { createHmac } from 'node:crypto';
import { certificateAdvice } from '../errors/certificate-failure.ts';

/** Maximum duration of a request, in ms. */
const timeoutMs = 10_000;
const prefix = 'whsec_';

/** The result of sending a message. `error` is null after a 2xx response; it contains no address. */
export interface PostOutcome {
  status: number | null;
  error: string | null;
}

/**
 * Sends a message to a receiver that operators have configured, and reads only the status of the response. Redirects are not
 * followed: they could lead to other addresses. Returns undefined if `signal` has aborted.
 */
export async function postMessage(
  url: string,
  { body, headers }: { body: string; headers: Record<string, string> },
  signal: AbortSignal,
): Promise<PostOutcome | undefined> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'User-Agent': 'consultation-desk', ...headers },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, timeout]),
    });
    await response.body?.cancel();
    const { status } = response;
    return { status, error: response.ok ? null : `answered with status ${status}` };
  } catch (cause) {
    if (signal.aborted) return undefined;
    const late = `no answer within ${timeoutMs / 1000} s`;
    return { status: null, error: timeout.aborted ? late : certificateAdvice(cause) || codeOf(cause) };
  }
}

/** The system's error code: messages may contain the address. */
function codeOf(cause: unknown): string {
  const { cause: inner } = cause as { cause?: { code?: unknown } };
  return typeof inner?.code === 'string' ? inner.code : 'the request failed';
}

/** `whsec_` and a key in base64, as https://www.standardwebhooks.com writes secrets. */
export const webhookSecret = (key: Buffer): string => prefix + key.toString('base64');

/** The headers of a request with this body, see https://www.standardwebhooks.com. */
export function signMessage(secret: string, { id, body, at }: { id: string; body: string; at: Date }) {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const key = Buffer.from(secret.slice(prefix.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}
