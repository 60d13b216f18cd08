import { createHmac } from 'node:crypto';

const PREFIX = 'whsec_';

/** The secret of a webhook, derived from the server's secret instead of being stored. */
export function secretOf(key: Buffer, webhook: string): string {
  return PREFIX + createHmac('sha256', key).update(webhook).digest('base64');
}

/** The headers of a request with this body, see https://www.standardwebhooks.com. */
export function signMessage(
  secret: string,
  { id, body, at }: { id: string; body: string; at: Date },
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
}
