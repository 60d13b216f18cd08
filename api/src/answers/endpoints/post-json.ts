import { text as readText } from 'node:stream/consumers';
import { parseJson } from '../../config/parse-json.ts';
import { traceHeaders } from '../../tracing/span.ts';
import { bounded, EndpointFailure, refusalOf } from './endpoint-failure.ts';

interface JsonPost {
  /** '' without a key. */
  apiKey: string;
  body: unknown;
  /** Maximum size of the response in bytes. */
  maxBodyBytes: number;
  signal: AbortSignal;
}

/**
 * The JSON that an endpoint answers. Redirects are not followed: they would carry the key to another server.
 *
 * @throws EndpointFailure for an error status, an empty body, one that is too large and one that is no JSON; whatever `fetch` throws.
 */
export async function postJson(
  url: string,
  { apiKey, body, maxBodyBytes, signal }: JsonPost,
): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      ...(apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` }),
      ...traceHeaders(),
    },
    body: JSON.stringify(body),
    redirect: 'manual',
    signal,
  });
  if (!response.ok) throw await refusalOf(response, apiKey !== '');
  if (!response.body) throw new EndpointFailure('empty', { detail: 'the endpoint sent no body' });
  const said = parseJson(await readText(bounded(response.body, maxBodyBytes)));
  if (said === undefined) throw new EndpointFailure('wrong_address', { detail: 'the endpoint sent no JSON' });
  return said;
}
