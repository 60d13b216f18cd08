/**
 * Test files that `npm test` also runs on a real MongoDB, besides the embedded store: the store contract and
 * the calls with most queries. Regular expressions for their paths.
 */
export const CORE_ON_MONGODB = [
  'api/embedded-store/contract/(?!unsupported)',
  '/search-at-scale.test.ts',
  '/open-streams.test.ts',
  ...['account', 'chat', 'conversation', 'record', 'search', 'deletion', 'knowledge', 'handover'].map(
    (name) => `/${name}-routes.test.ts`,
  ),
];
