import { PACKAGE } from '../contract-package/describe-package.ts';

/** Files by their path in the remote's folder. */
export type RemoteFiles = Readonly<Record<string, string>>;

export interface NewRemote {
  /** 'mfe-tickets'; the part after 'mfe-' names its first screen and its path. */
  name: string;
  /** Versions of the shared libraries, as ranges. */
  shared: Readonly<Record<string, string>>;
}

const json = (content: object) => `${JSON.stringify(content, null, 2)}\n`;

/**
 * Files of a remote that are the same wherever it lives: its routes, one screen in both languages with a test, the contract test, and
 * the page for development.
 */
export function sourceFiles({ name }: Pick<NewRemote, 'name'>): RemoteFiles {
  const screen = screenOf(name);
  const file = fileOf(screen);
  const Screen = `${screen.replace(/(^|-)(\w)/g, (_, __, letter: string) => letter.toUpperCase())}Screen`;
  const title = screen.replaceAll('-', ' ').replace(/^\w/, (letter) => letter.toUpperCase());
  return {
    'desk.json': json({
      routes: [
        {
          path: `/${screen}`,
          module: `./${screen}`,
          guard: 'session',
          title: { zh: title, en: title },
          menu: { icon: 'layers', order: 60, audience: 'session' },
        },
      ],
      links: [],
    }),
    [`src/${file}.tsx`]: `import type { ScreenProps } from 'host/contract';
import { useTranslate } from 'host/ui/use-translate.ts';
import { screenTexts } from './texts.ts';

export const texts = [screenTexts];

/** /${screen} */
export default function ${Screen}({ services, controls }: ScreenProps) {
  const { i18n, session } = services;
  const t = useTranslate(i18n, screenTexts);
  return (
    <main className="page" id="main" tabIndex={-1}>
      <div className="cluster">{controls}</div>
      <h1>{t('title')}</h1>
      <p>{t('greeting', { name: session.username$.value })}</p>
    </main>
  );
}
`,
    'locales/zh/screen.json': json({ title: '新页面', greeting: '您好，{name}。' }),
    'locales/en/screen.json': json({ title, greeting: 'Hello, {name}.' }),
    'src/texts.ts': `import { defineTexts } from 'host/ui/texts.ts';
import type zh from '../locales/zh/screen.json';

/** The page downloads the file of its language only; \`{name}\` in a text is replaced by a value. */
export const screenTexts = defineTexts<typeof zh>(
  (language) => import(/* webpackChunkName: "[request]" */ \`../locales/\${language}/screen.json\`),
);
`,
    [`src/${file}.test.tsx`]: `import { expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { createStandInServices } from 'host/stand-ins';
import ${Screen} from './${file}.tsx';

test('greets the signed-in visitor in their language', () => {
  const { services } = createStandInServices({ language: 'en', username: 'anna', token: 'token' });
  render(<${Screen} services={services} language="en" controls={null} />);
  expect(screen.getByText('Hello, anna.')).toBeVisible();
});
`,
    'src/contract.test.tsx': `import { testRemoteContract } from 'host/stand-ins/contract';
import desk from '../desk.json' with { type: 'json' };
import config from '../rspack.config.js?raw';
import { needs } from './testing/needs.ts';
import ${Screen} from './${file}.tsx';

testRemoteContract({
  config,
  routes: desk.routes,
  screens: { './${screen}': ${Screen} },
  needs,
  answers: {},
});
`,
    'src/testing/needs.ts': `import type { HostServices } from 'host/contract';

/** The host services that this remote uses, in alphabetical order. The contract tests forbid all others. */
export const needs = ['i18n', 'session'] as const satisfies readonly (keyof HostServices)[];
`,
    'src/standalone.tsx': `import { createStandInServices } from 'host/stand-ins';
import { openStandInPage } from 'host/stand-ins/page';
import * as screen from './${file}.tsx';

/** The remote as a page of its own, over stand-in services. */
openStandInPage({
  name: '${name}',
  screens: { '/${screen}': screen },
  standIns: createStandInServices({ username: 'anna', token: 'token', answers: {} }),
});
`,
  };
}

/** Settings of a remote in this repository, beside the others. */
export function workspaceFiles({ name, shared }: NewRemote): RemoteFiles {
  return {
    'package.json': json({
      name,
      version: '1.0.0',
      private: true,
      license: 'MIT',
      type: 'module',
      scripts: { build: 'rspack build', dev: 'rspack dev', release: 'node ../api/src/cli/release.ts' },
      dependencies: shared,
      devDependencies: { api: '*', host: '*' },
    }),
    'rspack.config.js': rspackConfig(name, '../rspack.shared.js'),
    'tsconfig.json': json({
      extends: '../tsconfig.web.json',
      compilerOptions: { rootDir: '.', outDir: '.types' },
      include: ['src', 'desk.json', 'locales/zh/*.json'],
      references: [{ path: '../host' }, { path: '../host/ui' }, { path: '../api/tsconfig.contract.json' }],
    }),
    'README.md': readme(name, [
      `npm run dev -w ${name}       # the remote alone; prints its address`,
      'npm run dev                  # the whole desk with all dev servers',
      `npm run unit -- ${name}      # its tests`,
      `npm run release -w ${name} -- --server https://desk.example.org`,
    ]),
  };
}

/**
 * Settings of a remote in a repository of its own. `contract` is the version of the contract package, `port` that of the dev server.
 */
export function repositoryFiles({
  name,
  shared,
  contract,
  port,
}: NewRemote & { contract: string; port: number }): RemoteFiles {
  return {
    ...repositorySettings(name),
    'package.json': json({
      name,
      version: '1.0.0',
      private: true,
      license: 'MIT',
      type: 'module',
      engines: { node: '>=24' },
      scripts: {
        dev: 'rspack dev',
        check: 'tsc && biome check .',
        test: 'NODE_OPTIONS=--experimental-vm-modules jest',
        release: 'desk-release',
      },
      dependencies: shared,
      devDependencies: { [PACKAGE]: `^${contract}` },
    }),
    'rspack.config.js': rspackConfig(name, `${PACKAGE}/rspack`, port),
    '.github/workflows/ci.yml': `on: [push]
jobs:
  check:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with: { node-version: 24, cache: npm }
      - run: npm ci
      - run: npm run check
      - run: npm test
      - if: startsWith(github.ref, 'refs/tags/v')
        run: npm run release -- --version "\${GITHUB_REF_NAME#v}"
        env:
          DESK_URL: \${{ vars.DESK_URL }}
          RELEASE_TOKEN: \${{ secrets.RELEASE_TOKEN }}
`,
    '.gitlab-ci.yml': `image: node:24
check:
  script:
    - npm ci
    - npm run check
    - npm test
release:
  rules: [{ if: $CI_COMMIT_TAG }]
  script:
    - npm ci
    - npm run release -- --version "\${CI_COMMIT_TAG#v}"
`,
    'README.md': readme(
      name,
      [
        'npm install',
        `npm run dev                  # the remote alone: http://127.0.0.1:${port}/`,
        'npm run check && npm test',
        'DESK_URL=https://desk.example.org RELEASE_TOKEN=… npm run release -- --version 1.0.0',
      ],
      `It needs Node.js 24 or newer. The dev server's port is \`port\` in rspack.config.js, or DEV_PORT. With DESK_URL set to a deployed desk, that
desk may also show the dev server's remote by an override. The contract package (\`${PACKAGE}\`) comes from the team's registry, or as a file
from operations (\`npm run pack:contract\`): \`npm install --save-dev ./${PACKAGE}-${contract}.tgz\`.`,
    ),
  };
}

/** Settings of the tools, which the contract package provides. */
export function repositorySettings(name: string): RemoteFiles {
  return {
    'jest.config.js': `import { webProject } from '${PACKAGE}/jest';

export default webProject({ name: '${name}', dir: import.meta.dirname });
`,
    'tsconfig.json': json({ extends: `${PACKAGE}/tsconfig.json`, include: ['src'] }),
    'biome.json': `{ "extends": ["${PACKAGE}/biome"], "files": { "includes": ["src/**", "*.js"] } }\n`,
    '.gitignore': 'node_modules/\ndist/\n',
  };
}

/** 'tickets' of 'mfe-tickets'. */
export function screenOf(name: string): string {
  return name.replace(/^mfe-/, '');
}

/** Name of the screen's file, unlike those of the other files in src/. */
function fileOf(screen: string): string {
  return ['contract', 'standalone', 'texts'].includes(screen) ? `${screen}-screen` : screen;
}

function rspackConfig(name: string, from: string, port?: number): string {
  const screen = screenOf(name);
  return `import { defineRemote } from '${from}';

export default defineRemote({
  name: '${name}',
  dir: import.meta.dirname,
  exposes: { './${screen}': './src/${fileOf(screen)}.tsx' },
  texts: { './${screen}': ['screen'] },${port === undefined ? '' : `\n  port: ${port},`}
});
`;
}

function readme(name: string, commands: readonly string[], more?: string): string {
  return `# ${name}

A remote of the consultation desk. \`desk.json\` declares its routes and menu entries, \`src/\` has its screens and \`locales/\` their texts; the host finds both at run time.

\`\`\`sh
${commands.join('\n')}
\`\`\`
${more ? `\n${more}\n` : ''}
Operators then make the release live with \`npm run compose -- set ${name}@1.0.0\`, and take it away with
\`npm run compose -- remove ${name}\`.
`;
}
