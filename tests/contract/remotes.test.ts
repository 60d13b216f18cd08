import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from '@jest/globals';

/** Checks the agreements between host and remotes in the sources of both sides. */
const root = path.join(import.meta.dirname, '../..');
const REMOTES = ['mfe-auth', 'mfe-chat', 'mfe-records'];
const FACADES = ['rxjs', 'react-router-dom'];
/** Names that published releases import, although the sources no longer do. */
const ofEarlierReleases: Record<string, string[]> = { rxjs: ['take'] };

test.each(FACADES)('the facade of %s exports exactly what host and remotes import', async (library) => {
  const facade = await readText(`host/src/shared/${library}.ts`);
  const exported = facade.matchAll(/export (?:\{([^}]*)\} from|function (\w+))/g);
  const agreed = [...exported].flatMap(([, list, own = '']) => namesIn(list ?? own));

  const imported = new Set(ofEarlierReleases[library]);
  for (const workspace of ['host', ...REMOTES])
    for (const text of await shippedSources(workspace))
      for (const name of importsFrom(text, library)) imported.add(name);

  expect([...imported].sort()).toEqual(agreed.sort());
});

test.each(REMOTES)('%s imports only the contracts of host and API, and the design system', async (remote) => {
  const asked = new Set<string>();
  for (const text of await shippedSources(remote))
    for (const [, kind = '', from = ''] of text.matchAll(
      /^(import type|import|\} from|export)\b[^'\n]*'((?:host|api|mfe-\w+)\/[^']+)'/gm,
    ))
      asked.add(`${kind} ${from}`);

  expect(asked.size).toBeGreaterThan(0);
  for (const one of asked)
    expect(one).toMatch(
      /^(import type|\} from) (host\/contract|api\/contract\/[a-z-]+)$|^(import|import type|\} from) host\/ui\/[\w/-]+\.tsx?$/,
    );
});

test.each(REMOTES)('%s uses exactly the services that it declares in needs.ts', async (remote) => {
  const read = new Set<string>();
  for (const text of await shippedSources(remote)) for (const name of servicesIn(text)) read.add(name);

  const { needs } = (await import(path.join(root, remote, 'src/testing/needs.ts'))) as { needs: string[] };
  expect([...read].sort()).toEqual([...needs].sort());
});

test.each(REMOTES)(
  'the single bundle of the benchmark contains everything that %s exposes',
  async (remote) => {
    const bundle = await readText('tests/bench/one-bundle/federation.js');
    const exposes = [
      ...(await readText(`${remote}/rspack.config.js`)).matchAll(/'\.(\/[\w-]+)': '\.(\/[^']+)'/g),
    ];

    expect(exposes.length).toBeGreaterThan(0);
    for (const [, module = '', file = ''] of exposes) {
      expect(bundle).toContain(`'${remote}${module}': `);
      expect(bundle).toContain(`'../../../${remote}${file}'`);
    }
  },
);

function readText(file: string): Promise<string> {
  return readFile(path.join(root, file), 'utf8');
}

/** Scripts below src/ that are part of a release. */
async function shippedSources(workspace: string): Promise<string[]> {
  const folder = path.join(root, workspace, 'src');
  const files = (await readdir(folder, { recursive: true })).filter(
    (file) => /\.tsx?$/.test(file) && !/\.test\.|testing\/|shared\/|standalone\.tsx|\.d\.ts$/.test(file),
  );
  return Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')));
}

/** Names imported from a library, including types: a facade does not distinguish types from values. */
function importsFrom(text: string, library: string): string[] {
  return [...text.matchAll(new RegExp(`import (?:type )?\\{([^}]*)\\} from '${library}'`, 'g'))].flatMap(
    ([, list = '']) => namesIn(list),
  );
}

/**
 * Names of HostServices that are used: `services.http`, `useServices().http`, `{ http } = services`, `Pick<HostServices, 'http'>` …
 */
function servicesIn(source: string): string[] {
  const text = source.replaceAll('useServices()', 'services').replaceAll(/'[^']*\.tsx?'/g, '');
  const read = [...text.matchAll(/\bservices\.(\w+\$?)/g)].map(([, name = '']) => name);
  const taken = [
    ...text.matchAll(/\{([^{}]*)\}\s*(?:=\s*(?:\w+\.)?services\b|:\s*HostServices\b)/g),
    ...text.matchAll(/\bservices: \{([^{}]*)\}/g),
  ].flatMap(([, list = '']) => namesIn(list.replace(/:[^,]*/g, '')));
  const typed = [...text.matchAll(/Pick<HostServices,([^>]*)>|HostServices\[([^\]]*)\]/g)].flatMap(
    ([, ...lists]) => [...lists.join('').matchAll(/'([\w$]+)'/g)].map(([, name = '']) => name),
  );
  return [...read, ...taken, ...typed];
}

function namesIn(list: string): string[] {
  return list
    .split(',')
    .map(
      (name) =>
        name
          .replace(/\btype\b/, '')
          .trim()
          .split(' as ')[0] ?? '',
    )
    .filter(Boolean);
}
