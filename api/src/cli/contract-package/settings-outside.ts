/** This project's tool settings, adapted to a remote's own repository. */

/**
 * The types of the whole API as one file, which remotes built for an earlier contract import; it only exists
 * in the package.
 */
export const ALL_OF_API = 'api/src/all-of-contract.ts';

interface TsConfig {
  compilerOptions: { paths: Record<string, string[]> };
}

/**
 * Derived from tsconfig.web.json for the package's folder; a remote's tsconfig needs only `extends` and
 * `include`.
 */
export function typeScriptSettings({ compilerOptions, ...others }: TsConfig): object {
  // Libraries are installed beside the package, not below it.
  const libraries = Object.entries(compilerOptions.paths).map(([name, files]) => [
    name,
    files.map((file) => file.replace('./node_modules/', '../')),
  ]);
  const paths = {
    ...Object.fromEntries(libraries),
    'host/contract': ['./host/src/contract.ts'],
    'host/stand-ins': ['./host/src/testing/stand-in-services.ts'],
    'host/stand-ins/page': ['./host/src/testing/stand-in-page.tsx'],
    'host/stand-ins/contract': ['./host/src/testing/test-remote-contract.tsx'],
    'api/contract': [`./${ALL_OF_API}`],
    'api/contract/*': ['./api/src/contract/*.ts'],
  };
  // A single program without output, whereas this project has one per workspace.
  const alone = { composite: false, emitDeclarationOnly: false, noEmit: true };
  return { ...others, compilerOptions: { ...compilerOptions, ...alone, paths } };
}

interface BiomeOverride {
  includes: string[];
}

interface BiomeConfig {
  files: object;
  vcs: object;
  $schema: string;
  overrides: BiomeOverride[];
}

/**
 * Derived from biome.json: the general rules and those for remotes, whose files are in the repository's root
 * folder there.
 */
export function biomeRules({ $schema: _, vcs: __, files: ___, overrides, ...rules }: BiomeConfig): object {
  const remotes = overrides.map((override) => ({
    ...override,
    includes: override.includes
      .filter((path) => path.startsWith('mfe-'))
      .map((path) => path.slice(path.indexOf('/') + 1)),
  }));
  return { ...rules, overrides: remotes.filter(({ includes }) => includes.length > 0) };
}
