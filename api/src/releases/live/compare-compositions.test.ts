import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { PartDiff } from '../../contract/compositions.ts';
import type { ReleaseFileInfo } from '../../contract/releases.ts';
import type { Release } from '../data/release.ts';
import { compareParts } from './compare-compositions.ts';

const file = fc
  .record({ path: fc.constantFrom('a.js', 'b.js', 'c.css', 'd.svg', 'e.js'), content: fc.nat(3) })
  .map(({ path, content }) => ({
    path,
    // Same content, same size.
    size: 10 + content * 7,
    integrity: `sha384-${content}`,
    type: 'text/plain',
    mark: '',
  }));
const part = (name: string) =>
  fc
    .record({
      version: fc.constantFrom('1.0.0', '1.1.0', '2.0.0'),
      contract: fc.constantFrom('1.0.0', '1.1.0'),
      files: fc.uniqueArray(file, { selector: ({ path }) => path, minLength: 1 }),
      exposes: fc.uniqueArray(fc.constantFrom('./a', './b', './c')),
      shared: fc.dictionary(fc.constantFrom('react', 'rxjs'), fc.constantFrom('^19.0.0', '^20.0.0')),
    })
    .map(({ exposes, shared, ...rest }) => ({
      ...rest,
      _id: `${name}@${rest.version}`,
      name,
      exposes: exposes.map((module) => ({ name: module, js: [], css: [] })),
      shared: Object.entries(shared).map(([library, range]) => ({ library, range })),
    }));
const composition = fc
  .tuple(
    part('host'),
    fc.option(part('mfe-auth'), { nil: undefined }),
    fc.option(part('a-first'), { nil: undefined }),
    fc.option(part('mfe-chat'), { nil: undefined }),
  )
  .map((parts) => parts.filter((one) => one !== undefined) as unknown as Release[]);

const partOf = (parts: Release[], name: string) => parts.find((one) => one.name === name);
const filesOf = (release: Release | undefined) =>
  new Map(release?.files.map(({ path, integrity }) => [path, integrity]));
const sizeOf = (parts: Release[]) =>
  parts.flatMap(({ files }) => files).reduce((sum, { size }) => sum + size, 0);

/** The release that results when the difference is applied to it. */
function carriedOut(release: Release | undefined, diff: PartDiff) {
  const files = filesOf(release);
  const key = ({ path, integrity }: ReleaseFileInfo) => [path, integrity] as const;
  for (const [path, integrity] of diff.removed.map(key)) {
    expect(files.get(path)).toBe(integrity);
    files.delete(path);
  }
  expect(files.size).toBe(diff.kept);
  for (const [path, integrity] of diff.added.map(key)) files.set(path, integrity);
  const modules = new Set(release?.exposes.map(({ name }) => name));
  for (const name of diff.exposesRemoved) expect(modules.delete(name)).toBe(true);
  for (const name of diff.exposesAdded) modules.add(name);
  const shared = new Map(release?.shared.map(({ library, range }) => [library, range]));
  for (const { library, from, to } of diff.shared) {
    expect(shared.get(library) ?? null).toBe(from);
    if (to === null) shared.delete(library);
    else shared.set(library, to);
  }
  return { files: new Map([...files].sort()), modules: [...modules].sort(), shared: [...shared].sort() };
}

function described(release: Release | undefined) {
  return {
    files: new Map([...filesOf(release)].sort()),
    modules: release?.exposes.map(({ name }) => name).sort() ?? [],
    shared: release?.shared.map(({ library, range }) => [library, range] as const).sort() ?? [],
  };
}

test('applying a difference to one composition gives the other', () => {
  fc.assert(
    fc.property(composition, composition, (from, to) => {
      const { parts, bytes } = compareParts(from, to);
      for (const diff of parts) {
        const [before, after] = [partOf(from, diff.name), partOf(to, diff.name)];
        expect([diff.from, diff.to]).toEqual([before?.version ?? null, after?.version ?? null]);
        expect(diff.contract).toEqual({ from: before?.contract ?? null, to: after?.contract ?? null });
        expect(carriedOut(before, diff)).toEqual(described(after));
      }
      expect(bytes).toBe(sizeOf(to) - sizeOf(from));
      const names = new Set([...from, ...to].map(({ name }) => name));
      expect(parts.map(({ name }) => name)).toEqual([
        'host',
        ...[...names].filter((name) => name !== 'host').sort(),
      ]);
    }),
  );
});

test('the reverse comparison is the exact inverse, and equal parts have no lists', () => {
  fc.assert(
    fc.property(composition, composition, (from, to) => {
      const there = compareParts(from, to);
      const back = compareParts(to, from);
      expect(back.bytes + there.bytes).toBe(0);
      for (const [index, one] of there.parts.entries()) {
        const other = back.parts[index]!;
        expect([other.added, other.removed, other.exposesAdded, other.exposesRemoved]).toEqual([
          one.removed,
          one.added,
          one.exposesRemoved,
          one.exposesAdded,
        ]);
      }
      for (const same of compareParts(from, from).parts)
        expect(same).toMatchObject({
          added: [],
          removed: [],
          bytes: 0,
          exposesAdded: [],
          exposesRemoved: [],
          shared: [],
        });
    }),
  );
});
