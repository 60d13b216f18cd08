/**
 * Import rules of all workspaces, types included. Test files may import anything. What a web workspace may import from others is in
 * biome.json.
 */

/** Folders and files of api/src from top to bottom: each imports from those below it alone. */
const layers = [
  'cli',
  'main.ts',
  'server.ts',
  'measure-desk.ts',
  'background-jobs.ts',
  'app.ts',
  'open-domains.ts',
  'releases',
  'handover',
  'knowledge',
  'settings',
  'chat',
  'files',
  'records',
  'collections',
  'accounts',
  'answers',
  'text',
  'http',
  'store',
  'metrics',
  'tracing',
  'config',
  'errors',
  'i18n',
  'contract',
];
const inLayers = (some) => `^api/src/(${some.join('|')})(/|$)`;
const packages = (...names) => `(^|node_modules/)(@types/)?(${names.join('|')})(/|$)`;

const rules = {
  'no import may be circular, between files': { from: {}, to: { circular: true } },
  'no import may be circular, between folders': {
    scope: 'folder',
    from: {},
    to: { circular: true },
  },
  'everything belongs to a layer': {
    from: { path: '^api/src/', pathNot: inLayers(layers) },
    to: {},
  },
  ...Object.fromEntries(
    layers.map((layer, at) => [
      `${layer} imports from below alone`,
      { from: { path: inLayers([layer]) }, to: { path: inLayers(layers.slice(0, at)) } },
    ]),
  ),
  'services know no HTTP framework': {
    from: {
      path: inLayers([
        'handover',
        'knowledge',
        'settings',
        'chat',
        'files',
        'records',
        'collections',
        'answers',
        'text',
        'store',
      ]),
      pathNot: '-routes\\.ts$',
    },
    to: { path: packages('koa', '@koa/router') },
  },
  'answers know no HTTP': { from: { path: inLayers(['answers', 'text']) }, to: { path: inLayers(['http']) } },
  'routes call services': { from: { path: '-routes\\.ts$' }, to: { path: packages('mongoose') } },
  'the embedded store stands alone': {
    from: { path: '^api/embedded-store/src/' },
    to: {
      pathNot: `^api/embedded-store/src/|^node:sqlite$|${packages('bson')}`,
      dependencyTypesNot: ['core'],
    },
  },
  'the contract is schemas alone': {
    from: { path: inLayers(['contract']) },
    to: { pathNot: `${inLayers(['contract'])}|${packages('zod')}` },
  },
  'the bundled release command knows no folder of this repository': {
    from: { path: '^api/src/cli/contract-package/desk-release\\.ts$' },
    to: { path: '^api/src/config/enable-compile-cache\\.ts$', reachable: true },
  },
  'tests are no part of the product': {
    from: { pathNot: '/src/(testing/|standalone\\.tsx$)' },
    to: { path: '/src/testing/|\\.test\\.tsx?$' },
  },
};

module.exports = {
  forbidden: Object.entries(rules)
    .filter(([, { to }]) => to.path !== inLayers([]))
    .map(([name, rule]) => ({ name, severity: 'error', ...rule })),
  options: {
    // TypeScript 7 has no API that dependency-cruiser could parse with.
    babelConfig: { fileName: 'tests/imports-of-typescript.cjs' },
    doNotFollow: { path: 'node_modules|^api/src/testing/|\\.test\\.tsx?$|\\.css$' },
  },
};
