import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';

const root = path.join(import.meta.dirname, '../..');

/** Licences that allow distribution with an MIT-licensed product, by their SPDX identifiers. */
const allowed = new Set([
  ...['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'BlueOak-1.0.0', 'Zlib'],
  ...['OFL-1.1', 'CC0-1.0'],
]);
/** Packages whose manifest names no SPDX expression, by what is said in their folder. */
const clarified: Record<string, string> = { rgbcolor: 'MIT' };
/** Development packages whose code is bundled into the pages. */
const bundled = /^@module-federation\/(runtime|runtime-core|sdk|error-codes|webpack-bundler-runtime)$/;

interface Component {
  group?: string;
  name: string;
  version?: string;
  licenses?: ({ expression: string } | { license: { id?: string; name?: string } })[];
  properties?: { name: string; value: string }[];
  components?: Component[];
}
interface Package {
  name: string;
  licence: string;
}

function sbom(...args: string[]): { bomFormat: string; specVersion: string; components: Component[] } {
  // .npmrc includes development packages, which would override --omit.
  const env = { ...process.env, npm_config_include: 'prod' };
  const text = execFileSync('npm', ['exec', '--', 'cyclonedx-npm', '--output-reproducible', ...args], {
    cwd: root,
    env,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return JSON.parse(text);
}

function* withNested(components: readonly Component[]): Generator<Component> {
  for (const one of components) {
    yield one;
    yield* withNested(one.components ?? []);
  }
}

function packageOf({ group, name, licenses = [] }: Component): Package {
  const full = group ? `${group}/${name}` : name;
  const named = licenses.map((one) =>
    'expression' in one ? one.expression : (one.license.id ?? one.license.name ?? ''),
  );
  return { name: full, licence: clarified[full] ?? [...new Set(named)].join(' AND ') };
}

let bill: ReturnType<typeof sbom>;
let packages: Package[];
beforeAll(() => {
  bill = sbom('--omit', 'dev');
  const all = [
    ...withNested(bill.components),
    ...[...withNested(sbom().components)].filter((one) => bundled.test(packageOf(one).name)),
  ];
  const ours = new Set(
    (JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { workspaces: string[] })
      .workspaces,
  );
  // What the script of the package `node` installs is in no lock.
  const isOurs = ({ name, properties }: Component) =>
    properties?.some(
      (one) => /^cdx:npm:package:(private|extraneous)$/.test(one.name) && one.value === 'true',
    ) || ours.has(name);
  const found = new Map(
    all.filter((one) => !isOurs(one)).map((one) => [packageOf(one).name, packageOf(one)]),
  );
  packages = [...found.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
});

test('the bill of materials is CycloneDX, and names what runs but not what builds', () => {
  expect(bill).toMatchObject({ bomFormat: 'CycloneDX' });
  const names = new Set(packages.map(({ name }) => name));
  for (const name of ['koa', 'mongoose', 'bson', 'react', '@module-federation/runtime'])
    expect(names).toContain(name);
  for (const name of ['jest', '@rspack/core', 'typescript']) expect(names).not.toContain(name);
});

/** Of an SPDX expression, one alternative of each OR must be allowed. */
const isAllowed = (licence: string) =>
  licence
    .replace(/[()]/g, '')
    .split(' AND ')
    .every((part) => part.split(' OR ').some((id) => allowed.has(id)));

test('every package has a licence that may be distributed', () => {
  expect(packages.filter(({ licence }) => !isAllowed(licence))).toEqual([]);
});

test('THIRD-PARTY.md lists every package, and the notice of the word list', () => {
  const file = path.join(root, 'THIRD-PARTY.md');
  const text = readFileSync(file, 'utf8');
  const groups = Map.groupBy(packages, ({ licence }) => licence);
  const lines = [...groups].sort(([one], [other]) => (one < other ? -1 : 1));
  const list = lines
    .map(([licence, some]) => `- **${licence}**: ${some.map(({ name }) => name).join(', ')}`)
    .join('\n');
  const updated = text.replace(
    /(<!-- The list is generated: .*? -->\n)[\s\S]*(<!-- end of the list -->)/,
    `$1\n${list}\n\n$2`,
  );
  if (process.env.UPDATE_README) writeFileSync(file, updated);
  else expect(text).toBe(updated);
  expect(text).toMatch(/wordfreq[\s\S]*Robyn Speer[\s\S]*CC BY-SA 4\.0/);
});

test('only allowed packages run a script when they are installed', () => {
  const { allowScripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const { packages: locked } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { hasInstallScript?: boolean; optional?: boolean }>;
  };
  const withScripts = Object.entries(locked)
    .filter(([name, { hasInstallScript }]) => hasInstallScript && name.includes('node_modules/'))
    .map(([name]) => name.split('node_modules/').at(-1)!);
  expect(withScripts.filter((name) => !(name in allowScripts))).toEqual([]);
});

test('npm audit knows no vulnerability of what runs', () => {
  const { stdout } = spawnSync('npm', ['audit', '--json', '--include=prod', '--omit=dev'], {
    cwd: root,
    encoding: 'utf8',
    timeout: 120_000,
  });
  const report = JSON.parse(stdout || '{}') as { vulnerabilities?: Record<string, { severity: string }> };
  if (!report.vulnerabilities) {
    console.error(`npm audit could not ask its registry: ${stdout.slice(0, 300)}`);
    return;
  }
  const severe = Object.entries(report.vulnerabilities).filter(([, { severity }]) =>
    ['high', 'critical'].includes(severity),
  );
  expect(severe).toEqual([]);
});
