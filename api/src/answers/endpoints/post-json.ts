import { text as readText } from 'node:stream/consumers';
import { parseJson } from '../../config/parse-json.ts';
import { traceHeaders } from '../../tracing/span.ts';
import { bounded, EndpointFailure, refusalOf, unreachable } from './endpoint-failure.ts';

interface JsonPost {
  /** '' without a key. */
  apiKey: string;
  body: unknown;
  signal: AbortSignal;
}

/** Sends JSON. Redirects are not followed: they would send the key to another server. */
export function post(
  url: string,
  { apiKey, body, signal }: JsonPost,
  headers: Record<string, string> = { accept: 'application/json' },
): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...headers,
      ...(apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` }),
      ...traceHeaders(),
    },
    body: JSON.stringify(body),
    redirect: 'manual',
    signal,
  });
}

/**
 * Sends JSON and reads the JSON that the endpoint answers.
 *
 * @param maxBodyBytes maximum size of the response.
 * @throws EndpointFailure for any failure; `timeout` if `signal` is, or contains, an `AbortSignal.timeout`
 *   that fired.
 */
export async function postJson(url: string, request: JsonPost, maxBodyBytes: number): Promise<unknown> {
  const { apiKey, signal } = request;
  try {
    const response = await post(url, request);
    if (!response.ok) throw await refusalOf(response, apiKey !== '');
    if (!response.body) throw new EndpointFailure('empty', { detail: 'the endpoint sent no body' });
    const said = parseJson(await readText(bounded(response.body, maxBodyBytes)));
    if (said === undefined)
      throw new EndpointFailure('wrong_address', { detail: 'the endpoint sent no JSON' });
    return said;
  } catch (cause) {
    if (cause instanceof EndpointFailure) throw cause;
    if (signal.aborted && signal.reason.name === 'TimeoutError')
      throw new EndpointFailure('timeout', { detail: 'the endpoint did not answer in time' });
    throw unreachable('the endpoint cannot be reached', cause);
  }
}
