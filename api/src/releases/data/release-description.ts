import semver from 'semver';
import { z } from 'zod';
import type { ReleaseUpload, RouteDeclaration, StandardBuild } from '../../contract/releases.ts';
import { because } from '../../errors/field-reason.ts';
import { keySegments } from '../../files/storage/file-store.ts';
import { listOf, textsOf } from '../../i18n/texts-of.ts';
import { canonicalHash } from './canonical-hash.ts';
import type { Release, SharedLibrary } from './release.ts';
import { ENCODINGS, encodedKey, mediaType } from './release-keys.ts';

/** Bytes of one file and of all, number of files. A file is sent from memory. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;
const MAX_RELEASE_BYTES = 64 * 1024 * 1024;
export const MAX_FILES = 1000;

/** Version of the host contract since which the host opens remotes that `defineRemote` did not build. */
export const STANDARD_SINCE = '1.6.0';

/** A release without its address and timestamps. */
export type DescribedRelease = Omit<
  Release,
  '_id' | 'base' | 'createdAt' | 'publishedAt' | 'publishedBy' | 'removed'
>;

const textOf = textsOf('releases');

const Name = z.string().regex(/^[a-z][a-z0-9-]{0,63}$/, 'must be a name such as mfe-chat');
const Version = z
  .string()
  .max(64)
  .refine(isVersion, because(textOf('version')));
const Path = z.string().min(1).max(400);
const Assets = z.strictObject({
  js: z.array(Path).max(MAX_FILES),
  css: z.array(Path).max(MAX_FILES),
  texts: boundedRecord(z.string().regex(/^[a-z]{2,8}$/), z.array(Path).max(100), 100).exactOptional(),
});
const textLike = (pattern: RegExp, max: number, message?: string) =>
  z.string().max(max).regex(pattern, message);
const Module = textLike(/^\.(\/[\w@-][\w./@-]*)?$/, 200, 'must be a module such as ./chat');
const Range = z
  .string()
  .max(200)
  .refine((range) => semver.validRange(range) !== null, because(textOf('range')));
const Library = textLike(/^(@[\w.-]+\/)?[\w.-]+(\/[\w./-]+)?$/, 214);
/**
 * First segments of paths below /chatbot that no screen may have: the server answers the first three itself, and
 * the others would look like addresses of the API.
 */
const RESERVED = ['releases', 'override', 'preview', 'api', 'admin', 'ops'];
const reservedText = textOf('reserved_path', { paths: listOf(RESERVED.map((segment) => `/${segment}`)) });
export const RoutePath = textLike(
  /^(\/[a-z0-9][a-z0-9-]*)+$/,
  200,
  'must be a path below /chatbot such as /history',
).refine((path) => !RESERVED.includes(path.split('/')[1] ?? ''), because(reservedText));
const Title = z.string().trim().min(1).max(40);
const Localized = z.object({ zh: Title, en: Title }).catchall(Title);
const Guard = z.enum(
  ['public', 'session'],
  'must be public or session: there are no roles, and permissions are checked by the API',
);
const RouteDeclarationSchema = z.strictObject({
  path: RoutePath,
  module: Module,
  guard: Guard,
  title: Localized,
  layout: z.enum(['navigation', 'plain']).exactOptional(),
  menu: z
    .strictObject({
      icon: z.string().regex(/^[a-z][a-z-]{0,39}$/, 'must be the name of a symbol, such as records'),
      order: z.number().min(0).max(1000),
      audience: z.enum(['public', 'session', 'operator']).exactOptional(),
      badge: z
        .strictObject({
          url: textLike(/^\/api\/[\w./-]+$/, 200, 'must be an address below /api/'),
          field: z.string().regex(/^\w{1,60}$/),
          label: Localized,
          isCondition: z.literal(true).exactOptional(),
        })
        .exactOptional(),
    })
    .exactOptional(),
}) satisfies z.ZodType<RouteDeclaration>;
const StandardSchema = z.strictObject({
  type: z.enum(['module', 'script']),
  chunks: z
    .string()
    .regex(/^[\w$.@/:-]{1,200}$/, 'must be the name of a global variable')
    .exactOptional(),
  own: boundedRecord(Library, z.string().min(1).max(64), 200),
}) satisfies z.ZodType<StandardBuild>;
/**
 * A release as described by a build or an upload. Ensures semver versions, paths that are safe on any file
 * system, sizes within the limits, and that everything named is among the files.
 */
export const ReleaseDescription = z
  .strictObject({
    name: Name,
    version: Version,
    container: z.string().regex(/^([A-Za-z_$@][\w$@./-]{0,99})?$/),
    contract: Version,
    entry: Path,
    entryFiles: Assets,
    exposes: boundedRecord(Module, Assets, 100),
    shared: boundedRecord(Library, Range, 100),
    routes: z.array(RouteDeclarationSchema).max(200),
    links: z.array(RoutePath).max(200).exactOptional(),
    standard: StandardSchema.exactOptional(),
    facades: z.array(Library).max(100).exactOptional(),
    template: z.string().max(128 * 1024),
    styleMarks: boundedRecord(Path, z.string().max(300), MAX_FILES),
    firstStates: z
      .array(
        z.strictObject({
          path: z.string().regex(/^(navigation|plain|(\/[a-z0-9][a-z0-9-]*)+(\?\w{1,40})?)$/),
          language: z.string().regex(/^[a-z]{2,8}$/),
          file: Path,
        }),
      )
      .max(200)
      .exactOptional(),
    commit: z
      .string()
      .regex(/^[0-9a-f]{7,64}(-dirty)?$/, 'must be a git commit hash')
      .nullable(),
    files: z
      .array(
        z.strictObject({
          path: Path,
          size: z.number().int().min(0).max(MAX_FILE_BYTES),
          integrity: z.string().regex(/^sha384-[A-Za-z0-9+/]{64}$/, 'must be sha384-… in base64'),
        }),
      )
      .min(1)
      .max(MAX_FILES),
  })
  .superRefine((description, context) => {
    const refuse: Refuse = (path, ...about) => {
      const { error, params } = because(textOf(...about));
      context.addIssue({ code: 'custom', path, message: error, params });
    };
    checkFiles(description, refuse);
    checkNamed(description, refuse);
    checkRoutes(description, refuse);
    checkKind(description, refuse);
  });

export type ReleaseDescription = z.infer<typeof ReleaseDescription>;

/** Adds types, order and digest, which depend only on the content of the release. */
export function describeRelease(description: Omit<ReleaseUpload, 'address'>): DescribedRelease {
  const { name, version, commit, container, contract, entry, entryFiles, template, standard } = description;
  const { styleMarks, links = [], facades = [], firstStates = [] } = description;
  const content = {
    ...{ container, contract, entry, entryFiles, template },
    exposes: Object.entries(description.exposes).map(([module, assets]) => ({ name: module, ...assets })),
    shared: librariesOf(description.shared),
    routes: description.routes.map((route) => ({ ...route, remote: name })),
    // Omitted if empty, so that the digests of earlier releases do not change.
    ...(links.length > 0 ? { links } : {}),
    ...(facades.length > 0 ? { facades } : {}),
    ...(standard ? { standard: { ...standard, own: librariesOf(standard.own) } } : {}),
    ...(firstStates.length > 0 ? { firstStates } : {}),
    files: description.files
      .map(({ path, size, integrity }) => ({
        path,
        size,
        integrity,
        type: mediaType(path),
        // A file may be named 'constructor'.
        mark: Object.hasOwn(styleMarks, path) ? (styleMarks[path] ?? '') : '',
      }))
      .sort((a, b) => (a.path < b.path ? -1 : 1)),
  };
  return { name, version, commit, ...content, digest: canonicalHash(content) };
}

type Refuse = (path: (string | number)[], ...about: Parameters<typeof textOf>) => void;

function checkFiles({ name, version, files }: ReleaseDescription, refuse: Refuse): void {
  const seen = new Map<string, string>();
  const folders = new Set<string>();
  for (const [index, { path }] of files.entries()) {
    const at = ['files', index, 'path'];
    if (!isSafe(path, { name, version })) {
      refuse(at, 'relative_path', { path: JSON.stringify(path) });
      continue;
    }
    // On case-insensitive file systems these would be one file.
    const plain = path.toLowerCase();
    const other = seen.get(plain);
    if (other !== undefined) refuse(at, 'same_but_case', { other, path });
    seen.set(plain, path);
    const segments = plain.split('/');
    for (let end = 1; end < segments.length; end++) folders.add(segments.slice(0, end).join('/'));
  }
  const both = files.findIndex(({ path }) => folders.has(path.toLowerCase()));
  if (both !== -1) refuse(['files', both, 'path'], 'file_and_folder', { path: files[both]?.path });
  const size = files.reduce((sum, file) => sum + file.size, 0);
  if (size > MAX_RELEASE_BYTES) refuse(['files'], 'max_bytes', { limit: MAX_RELEASE_BYTES, size });
}

/** Whether the path is safe below the release's folder, also as a compressed file. */
function isSafe(path: string, release: { name: string; version: string }): boolean {
  try {
    keySegments(path);
    for (const encoding of ENCODINGS) keySegments(encodedKey(release, path, encoding));
    return true;
  } catch {
    return false;
  }
}

function checkNamed(description: ReleaseDescription, refuse: Refuse): void {
  const known = new Set(description.files.map(({ path }) => path));
  const check = (paths: string[], ...at: string[]) => {
    const missing = paths.find((path) => !known.has(path));
    if (missing !== undefined) refuse(at, 'unknown_file', { file: missing });
  };
  check([description.entry], 'entry');
  check(filesOf(description.entryFiles), 'entryFiles');
  for (const [module, assets] of Object.entries(description.exposes))
    check(filesOf(assets), 'exposes', module);
  check(Object.keys(description.styleMarks), 'styleMarks');
  check(description.firstStates?.map(({ file }) => file) ?? [], 'firstStates');
  if (!/\.m?js$/.test(description.entry)) refuse(['entry'], 'script');
}

function checkRoutes({ name, routes, exposes }: ReleaseDescription, refuse: Refuse): void {
  const paths = new Set<string>();
  for (const [index, { path, module }] of routes.entries()) {
    if (paths.has(path)) refuse(['routes', index, 'path'], 'path_again', { path });
    paths.add(path);
    // The host's own screens are chunks of the host, not exposed modules.
    if (name !== 'host' && !Object.hasOwn(exposes, module))
      refuse(['routes', index, 'module'], 'unknown_module', { module });
  }
}

function librariesOf(versions: Record<string, string>): SharedLibrary[] {
  return Object.entries(versions).map(([library, range]) => ({ library, range }));
}

function checkKind(description: ReleaseDescription, refuse: Refuse): void {
  const { name, container, contract, standard, facades, template } = description;
  if (standard?.type !== 'module' && !/^[\w$]*$/.test(container)) refuse(['container'], 'identifier');
  if (standard && semver.lt(contract, STANDARD_SINCE))
    refuse(['contract'], 'standard_contract', { since: STANDARD_SINCE, contract });
  if (name === 'host') {
    if (!template.includes('<!--head-->')) refuse(['template'], 'template_head');
    if (container !== '') refuse(['container'], 'no_container');
    if (standard) refuse(['standard'], 'remotes_only');
    return;
  }
  if (container === '') refuse(['container'], 'container');
  if (template !== '') refuse(['template'], 'host_only');
  if (facades) refuse(['facades'], 'host_only');
}

function filesOf({ js, css, texts = {} }: z.infer<typeof Assets>): string[] {
  return [...js, ...css, ...Object.values(texts).flat()];
}

/** A version as defined by semver.org, without a prefix. */
function isVersion(text: string): boolean {
  return /^\d/.test(text) && semver.parse(text)?.raw === text;
}

function boundedRecord<K extends z.ZodString, V extends z.ZodType>(key: K, value: V, most: number) {
  return z
    .record(key, value)
    .refine((record) => Object.keys(record).length <= most, because(textOf('max_entries', { count: most })));
}
