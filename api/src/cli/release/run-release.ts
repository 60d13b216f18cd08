import { isDeepStrictEqual } from 'node:util';
import type { Command } from 'commander';
import semver from 'semver';
import type { Language } from '../../contract/language.ts';
import type { ReleaseUpload } from '../../contract/releases.ts';
import { createSay } from '../../i18n/texts-of.ts';
import { describeRelease } from '../../releases/data/release-description.ts';
import type { BuildToSend } from '../../releases/publish/read-build.ts';
import { isSourceMap } from '../../releases/publish/source-maps.ts';
import { assertSendable, findToken, isPlainHttp, serverOf } from '../desk-settings.ts';
import { CommandFailure, Refused } from '../failure.ts';
import { bytes } from '../format-bytes.ts';
import { createProgram, languageNames, languageOf, languageOption, runProgram } from '../program.ts';
import type { RunDeps } from '../run-deps.ts';
import { buildRelease, type ReleaseOptions } from './build-release.ts';
import { createReleaseClient, type ReleaseClient, type SayRelease } from './release-client.ts';
import { registerRelease, sendRelease } from './send-release.ts';

export interface RunReleaseDeps extends RunDeps {
  /** Name of the command in its help; default `npm run release -w <workspace> --`. */
  command?: string;
  root: string;
  /** The workspace's folder, or that of a remote in its own repository. */
  cwd: string;
  /** Interrupts it; running it again resumes. */
  signal: AbortSignal;
  /** Waits between attempts, in ms. */
  pause?: (ms: number) => Promise<unknown>;
}

/** Builds and publishes; resolves to the exit code. Errors have been printed. */
export async function runRelease(deps: RunReleaseDeps): Promise<number> {
  const { argv, command = 'npm run release -w <workspace> --', env, out, err, signal } = deps;
  const language = languageOf(argv, env);
  const say = createSay('cli-release', language);
  const fail = ({ body, message }: CommandFailure, asJson = false) =>
    err(asJson ? `${JSON.stringify(body)}\n` : `${message}\n`);
  const program = describeProgram(createProgram(command, { out, err: () => undefined }), say, language);
  const exitCode = await runProgram(program, argv, language, (message) =>
    fail(new CommandFailure(2, `${message}\n${say('seeHelp')}`), argv.includes('--json')),
  );
  if (exitCode !== undefined) return exitCode;
  const options = program.opts<ReleaseOptions>();
  try {
    await release(options, { language, say }, deps);
    return 0;
  } catch (thrown) {
    const failure = signal.aborted ? new CommandFailure(1, say('stopped')) : thrown;
    if (!(failure instanceof CommandFailure)) throw failure;
    fail(failure, options.json);
    return failure.exitCode;
  }
}

async function release(
  options: ReleaseOptions,
  { language, say }: { language: Language; say: SayRelease },
  deps: RunReleaseDeps,
): Promise<void> {
  const { env, root, cwd, out, err, signal, pause } = deps;
  const began = performance.now();
  const progress = (text: string) => options.json || err(`${text}\n`);
  const tell = (body: object, text: string) =>
    out(
      `${options.json ? JSON.stringify({ ...body, tookMs: Math.round(performance.now() - began) }, null, 2) : text}\n`,
    );

  assertOptions(options, say);
  const server = serverOf(options, env, say);
  // Before the build, so that a missing token is reported without waiting for it.
  const needToken = async () => {
    const { RELEASE_TOKEN, OPS_TOKEN } = env;
    const given = { '--token': options.token, RELEASE_TOKEN, OPS_TOKEN };
    const found = await findToken(server, given, { env, root }, (path, why) =>
      say('noToken', { why: why === 'notLocal' ? say('notLocal') : say('noTokenFile', { path }) }),
    );
    assertSendable(found.value, found.from, language);
    return found;
  };
  const token = options.dryRun ? undefined : await needToken();
  if (token && isPlainHttp(server)) progress(say('plainHttp', { server }));
  const context = { language, say, progress, signal };
  const build = await buildRelease(options, { root, cwd, ...context });
  const about = describe(build);
  const { id, contract, commit, fileCount: files, size } = about;
  const made = commit?.slice(0, 8) ?? say('noCommit');
  progress(say('built', { id, files, size: bytes(size), contract, commit: made }));
  if (commit?.endsWith('-dirty')) progress(say('dirty', { commit }));
  if (about.name !== 'host' && Object.keys(build.upload.routes).length === 0)
    progress(say('noRoutes', { id }));

  const connect = (value: string) => createReleaseClient({ server, token: value, pause, ...context });
  if (!token) {
    const found = await dryRun(build, {
      say,
      connect: async () => connect((await needToken()).value),
    });
    tell({ ...about, status: found.status }, found.text);
    if (found.status === 'unfit') throw new CommandFailure(1, say('hostAdvice'), { error: 'check_failed' });
    if (found.status === 'taken') throw new CommandFailure(1, say('newVersion'), { error: 'version_taken' });
    return;
  }
  const client = connect(token.value);
  try {
    const isNew = (await client.find(id)) === undefined;
    const unfit = isNew && !options.force ? await mismatchOf(build.upload, client, say) : undefined;
    if (unfit) throw new CommandFailure(1, unfit, { error: 'check_failed' });
    const sending = { client, say, progress };
    const sent = await (options.address === undefined
      ? sendRelease({ ...build, read: async (path) => build.contents.get(path) ?? Buffer.alloc(0) }, sending)
      : registerRelease(withoutSourceMaps(build.upload), options.address, sending));
    const base = options.address ?? server + ((await client.find(sent.id))?.base ?? '');
    const { status, sentFiles: count } = sent;
    const text = say(status, { id, base, count });
    tell({ ...about, base, ...sent }, status === 'published' ? `${text}\n${say('next', { id })}` : text);
  } catch (thrown) {
    if (!(thrown instanceof Refused)) throw thrown;
    const isTaken = thrown.body.error === 'version_taken';
    const different = isTaken ? await differencesFrom(build.upload, client) : [];
    throw explainRefusal(thrown, { from: token.from, name: about.name, different }, say);
  }
}

/** Throws if the options are invalid, before anything is built. */
function assertOptions({ version, address }: ReleaseOptions, say: SayRelease): void {
  if (version !== undefined && (semver.parse(version)?.raw !== version || !/^\d/.test(version)))
    throw new CommandFailure(2, say('badVersion', { given: version }));
  const isFolder =
    address === undefined ||
    (URL.canParse(address) && /^https?:\/\//.test(address) && new URL(address).href === address);
  if (!isFolder || address?.endsWith('/') === false)
    throw new CommandFailure(2, say('badAddress', { given: address ?? '' }));
}

function describeProgram(program: Command, say: SayRelease, language: Language): Command {
  return program
    .description(say('about'))
    .option('--server <address>', say('optionServer'))
    .option('--token <token>', say('optionToken'))
    .option('--version <version>', say('optionVersion'))
    .option('--folder <folder>', say('optionFolder'))
    .option('--name <name>', say('optionName'))
    .option('--desk <file>', say('optionDesk'))
    .option('--route <fields>', say('optionRoute'), (route: string, earlier: string[] = []) => [
      ...earlier,
      route,
    ])
    .option('--address <address>', say('optionAddress'))
    .option('--force', say('optionForce'))
    .option('--dry-run', say('optionDryRun'))
    .option('--json', say('optionJson'))
    .option('--lang <language>', say('optionLang', { languages: languageNames }), languageOption(language))
    .helpOption('-h, --help', say('optionHelp'))
    .addHelpText('after', say('helpAfter'))
    .allowExcessArguments(false);
}

function describe({ upload }: BuildToSend) {
  const { name, version, contract, commit, files } = upload;
  const size = files.reduce((sum, file) => sum + file.size, 0);
  return { id: `${name}@${version}`, name, version, contract, commit, fileCount: files.length, size };
}

/** Source maps of a self-hosted release would have to be public to be checked, so they are omitted. */
function withoutSourceMaps(upload: ReleaseUpload): ReleaseUpload {
  return { ...upload, files: upload.files.filter(({ path }) => !isSourceMap(path)) };
}

/** The server's message, with a solution. */
function explainRefusal(
  { status, body }: Refused,
  { from, name, different }: { from: string; name: string; different: readonly string[] },
  say: SayRelease,
): CommandFailure {
  const findings = (body.findings ?? []).map(({ message, advice }) => `  ${message}\n    ${advice}`);
  const lines = [body.msg, ...findings];
  if (status === 401) lines.push(say('tokenFrom', { from }));
  if (status === 403) lines.push(say('tokenForOther', { from, name }));
  if (different.length > 0) lines.push(say('differsIn', { different: different.join(', ') }));
  if (body.error === 'version_taken') lines.push(say('newVersion'));
  const isOutside = status === 401 || status === 403 || status >= 500 || status === 429;
  return new CommandFailure(isOutside ? 3 : 1, lines.join('\n'), body);
}

interface DryRun {
  /** `unfit`: the live host could not open it. `unasked`: the build is valid, but the server could not be asked. */
  status: 'new' | 'same' | 'taken' | 'unfit' | 'unasked';
  text: string;
}

/** Predicts the result of publishing `build`. Sends no file; without a token or a server it still checks the build. */
async function dryRun(
  { upload }: BuildToSend,
  { say, connect }: { say: SayRelease; connect(): Promise<ReleaseClient> },
): Promise<DryRun> {
  const id = `${upload.name}@${upload.version}`;
  try {
    const client = await connect();
    const existing = await client.find(id);
    const unfit = existing ? undefined : await mismatchOf(upload, client, say);
    if (unfit) return { status: 'unfit', text: unfit };
    if (!existing) return { status: 'new', text: say('dryNew', { id }) };
    if (existing.digest === describeRelease(upload).digest)
      return { status: 'same', text: say('drySame', { id }) };
    const different = (await differencesFrom(upload, client)).join(', ');
    return { status: 'taken', text: say('dryTaken', { id, different }) };
  } catch (cause) {
    if (!(cause instanceof CommandFailure || cause instanceof Refused)) throw cause;
    return { status: 'unasked', text: say('dryUnasked', { why: cause.message }) };
  }
}

/** Why the live host could not open it, asked before a version is used up; a check decides later. */
async function mismatchOf({ name, contract, shared }: ReleaseUpload, client: ReleaseClient, say: SayRelease) {
  if (name === 'host') return undefined;
  const host = await client.liveHost();
  if (!host) return undefined;
  const faults = Object.entries(shared)
    .filter(([library, range]) => !semver.satisfies(host.shared[library] ?? '', range))
    .map(([library, range]) => say('wantsLibrary', { library, range, has: host.shared[library] ?? '—' }));
  if (!semver.satisfies(host.contract, `^${contract}`))
    faults.unshift(say('wantsContract', { contract, has: host.contract }));
  if (faults.length === 0) return undefined;
  return [
    say('hostMismatch', { host: host.id }),
    ...faults.map((fault) => `  ${fault}`),
    say('hostAdvice'),
  ].join('\n');
}

/** Maximum number of paths listed. */
const named = 3;

/** The differences between two builds of one version: fields of release.json, such as `routes`, and paths of files. */
function differencesOf(ours: ReleaseUpload, theirs: ReleaseUpload): string[] {
  const [a, b] = [describeRelease(ours), describeRelease(theirs)];
  if (a.digest === b.digest) return [];
  const { name: _, version: __, commit: ___, digest: ____, files, ...fields } = { ...b, ...a };
  const others = (Object.keys(fields) as (keyof typeof fields)[]).filter(
    (field) => !isDeepStrictEqual(a[field], b[field]),
  );
  const byPath = ({ files }: typeof a) => new Map(files.map((file) => [file.path, file]));
  const [mine, known] = [byPath(a), byPath(b)];
  const paths = [...new Set([...known.keys(), ...mine.keys()])].filter(
    (path) => !isDeepStrictEqual(mine.get(path), known.get(path)),
  );
  return [...others, ...paths.slice(0, named), ...(paths.length > named ? ['…'] : [])];
}

/** The same for the published release of that version; empty if the server does not say. */
async function differencesFrom(upload: ReleaseUpload, client: ReleaseClient): Promise<string[]> {
  try {
    return differencesOf(upload, await client.upload(`${upload.name}@${upload.version}`));
  } catch (cause) {
    if (cause instanceof Refused) return [];
    throw cause;
  }
}
