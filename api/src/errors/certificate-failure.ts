/** OpenSSL's and Node's codes for a certificate that cannot be trusted. Source: nodejs.org/api/tls.html#x509-certificate-error-codes */
const UNTRUSTED = new Set([
  'CERT_CHAIN_TOO_LONG',
  'CERT_REJECTED',
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'INVALID_CA',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);
/** Codes of certificates that are not valid for this name or at this time. */
const INVALID = new Set([
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_REVOKED',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'HOSTNAME_MISMATCH',
]);

interface CertificateFailure {
  code: string;
  /** The issuer is unknown to this process, as opposed to a certificate for another name or time. */
  isUntrusted: boolean;
}

/** Details of a request that failed because of the server's certificate; undefined for any other failure. */
export function certificateFailure(thrown: unknown): CertificateFailure | undefined {
  const { code, cause } = (thrown ?? {}) as { code?: unknown; cause?: unknown };
  if (typeof code === 'string' && (UNTRUSTED.has(code) || INVALID.has(code)))
    return { code, isUntrusted: UNTRUSTED.has(code) };
  return cause === undefined ? undefined : certificateFailure(cause);
}

/** What operators can do about it; '' for any other failure. */
export function certificateAdvice(thrown: unknown): string {
  const failure = certificateFailure(thrown);
  if (!failure) return '';
  return failure.isUntrusted
    ? `its certificate is not trusted (${failure.code}): name the file of its CA in NODE_EXTRA_CA_CERTS and restart`
    : `its certificate is not valid for this address or at this time (${failure.code})`;
}
