import { expect, test } from '@jest/globals';
import { certificateAdvice, certificateFailure } from './certificate-failure.ts';

const failed = (code: string) => Object.assign(new TypeError('fetch failed'), { cause: { code } });

test('distinguishes an unknown issuer from other certificate failures', () => {
  expect(certificateFailure(failed('DEPTH_ZERO_SELF_SIGNED_CERT'))).toEqual({
    code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    isUntrusted: true,
  });
  expect(certificateAdvice(failed('UNABLE_TO_VERIFY_LEAF_SIGNATURE'))).toContain('NODE_EXTRA_CA_CERTS');
  expect(certificateFailure(failed('CERT_HAS_EXPIRED'))?.isUntrusted).toBe(false);
  expect(certificateAdvice(failed('ERR_TLS_CERT_ALTNAME_INVALID'))).not.toContain('NODE_EXTRA_CA_CERTS');
});

test('other failures are not reported as certificate failures', () => {
  for (const thrown of [failed('ECONNREFUSED'), new Error('timed out'), undefined, null, 'text'])
    expect(certificateAdvice(thrown)).toBe('');
});
