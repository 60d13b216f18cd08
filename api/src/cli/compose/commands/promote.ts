import type {
  CheckReport,
  ChosenRelease,
  CompositionInfo,
  EnvironmentInfo,
  PointerInfo,
  PromotedFrom,
  SetComposition,
} from '../../../contract/compositions.ts';
import type { ReleaseDetails, ReleaseFileInfo, ReleaseUpload } from '../../../contract/releases.ts';
import { createSay } from '../../../i18n/texts-of.ts';
import { integrityOf } from '../../../releases/data/canonical-hash.ts';
import { byName, partsOf } from '../../../releases/data/changes-between.ts';
import { describeRelease, ReleaseDescription } from '../../../releases/data/release-description.ts';
import { assertSendable, isPlainHttp, serverOf } from '../../desk-settings.ts';
import { CommandFailure, Refused } from '../../failure.ts';
import { createReleaseClient, type ReleaseClient } from '../../release/release-client.ts';
import { registerRelease, sendRelease } from '../../release/send-release.ts';
import { type CommandContext, readPointer } from '../context/command-context.ts';
import { formatChange, shortId } from '../context/format.ts';
import { createOpsClient } from '../context/ops-client.ts';
import { formatReport } from './check.ts';
import { readEnvironments } from './list.ts';
import { formatMoved } from './set.ts';
import { indent } from './table.ts';

export interface PromoteOptions {
  from: string;
  to?: string;
  fromToken?: string;
  reason?: string;
  ifRevision?: number;
  dryRun?: boolean;
  allowWeakerGuard?: boolean;
}

/** The change that a promotion makes in the target. */
interface Selection {
  parts: ChosenRelease[];
  /** Remotes of the target that the source does not have, if everything is promoted. */
  without: string[];
}

/** `compose promote --from staging [remote…]`: makes releases that are live there live here, and first copies them if needed. */
export async function promote(context: CommandContext, named: readonly string[], options: PromoteOptions) {
  const { client, say, author } = context;
  const all = await readEnvironments(context);
  const own = all.find(({ isOwn }) => isOwn)?.name ?? '';
  assertTarget(own, options, context);
  const before = await readPointer(context);
  const source = await readSource(context, options, { own, all });
  const selection = select(source.composition, before?.composition ?? null, named, context);
  const missing = source.other ? await findMissing(selection.parts, context) : [];
  const change = {
    releases: selection.parts.map(({ release }) => release),
    without: selection.without,
    author,
    reason: options.reason ?? `compose promote --from ${options.from} ${named.join(' ')}`.trim(),
    revision: options.ifRevision ?? before?.revision ?? 0,
    ...(options.allowWeakerGuard ? { allowWeakerGuard: true } : {}),
  } satisfies SetComposition;
  const title = formatSource(source.promotedFrom, own, context);
  if (options.dryRun) return tryOut({ title, missing, before, selection, change }, context);
  if (source.other) await copyReleases(missing, source.other, context);
  const { promotedFrom } = source;
  const after = await client.post<PointerInfo>('/ops/pointer', { ...change, promotedFrom });
  context.answer(after, () =>
    [
      title,
      after.revision === before?.revision ? say('alreadyLive') : formatMoved(before, after, context),
    ].join('\n'),
  );
  return 0;
}

/** A server changes only its own environment, with its own settings. */
function assertTarget(own: string, { to }: PromoteOptions, { client, say }: CommandContext): void {
  if (to === undefined || isAddress(to) || to === own) return;
  throw new CommandFailure(2, say('otherTarget', { to, own, server: client.server }));
}

function select(
  source: CompositionInfo,
  target: CompositionInfo | null,
  named: readonly string[],
  { say }: CommandContext,
): Selection {
  const parts = partsOf(source);
  const names = parts.map(({ name }) => name);
  const unknown = named.find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new CommandFailure(2, say('notInSource', { name: unknown, names: names.join(', ') }));
  if (named.length > 0) return { parts: parts.filter(({ name }) => named.includes(name)), without: [] };
  const gone = (target?.remotes ?? []).map(({ name }) => name).filter((name) => !names.includes(name));
  return { parts, without: gone };
}

function formatSource(
  { environment, server, composition, revision }: PromotedFrom,
  own: string,
  { say }: CommandContext,
): string {
  const from = server === undefined ? environment : `${environment} (${server})`;
  return say('promotionTitle', { from, to: own, id: shortId(composition), revision });
}

interface Attempt {
  title: string;
  missing: readonly ChosenRelease[];
  before: PointerInfo | null;
  selection: Selection;
  change: SetComposition;
}

/** Changes nothing: releases that would first have to be copied cannot be checked yet. */
async function tryOut({ title, missing, before, selection, change }: Attempt, context: CommandContext) {
  const { client, say } = context;
  const toCopy = missing.map(({ release }) => release);
  const report = toCopy.length > 0 ? null : await client.post<CheckReport>('/ops/check', change);
  context.answer({ toCopy, report }, () => {
    const live = byName(partsOf(before?.composition));
    const changed = selection.parts.filter(({ name, release }) => live.get(name)?.release !== release);
    const changes = [
      ...changed.map(({ name, version }) => ({ name, from: live.get(name)?.version ?? null, to: version })),
      ...selection.without.map((name) => ({ name, from: live.get(name)?.version ?? null, to: null })),
    ];
    return [
      title,
      say('dryRun'),
      ...(changes.length > 0
        ? changes.map((one) => indent(formatChange(one, say)))
        : [indent(say('sameReleases'))]),
      '',
      report ? formatReport(report, context) : say('wouldCopy', { names: toCopy.join(', ') }),
    ].join('\n');
  });
  return report && !report.isFine ? 1 : 0;
}

/** Releases that the target does not have. Throws if it has one of them with other content. */
async function findMissing(releases: readonly ChosenRelease[], { client, say }: CommandContext) {
  const found = await Promise.all(
    releases.map(({ release }) =>
      client
        .get<ReleaseDetails>(`/ops/releases/${encodeURIComponent(release)}`)
        .catch((cause) =>
          cause instanceof Refused && cause.status === 404 ? undefined : Promise.reject(cause),
        ),
    ),
  );
  const other = releases.find(({ digest }, index) => found[index] && found[index].digest !== digest);
  if (other)
    throw new CommandFailure(1, say('otherContent', { release: other.release, server: client.server }), {
      error: 'version_taken',
    });
  return releases.filter((_, index) => !found[index]);
}

/**
 * Copies releases from another server, unchanged: nothing is built, and each file and description is compared with
 * its hash. Publishing does not change the live composition. Running it again after an interruption continues.
 */
async function copyReleases(
  releases: readonly ChosenRelease[],
  from: { server: string; token: string },
  context: CommandContext,
): Promise<void> {
  const { client, token, language, progress, say } = context;
  const sayRelease = createSay('cli-release', language);
  const connect = (desk: { server: string; token: string }) =>
    createReleaseClient({
      ...desk,
      language,
      say: sayRelease,
      progress,
      signal: new AbortController().signal,
    });
  const source = connect(from);
  const target = connect({ server: client.server, token });
  for (const chosen of releases) {
    progress(say('copying', { release: chosen.release, server: from.server }));
    const { address, ...upload } = await fromSource(from.server, context, () =>
      source.upload(chosen.release),
    );
    assertSame(upload, chosen, from.server, context);
    const sending = { client: target, say: sayRelease, progress };
    if (address !== undefined) await registerRelease(upload, address, sending);
    else
      await sendRelease(
        {
          upload,
          read: (path) =>
            fromSource(from.server, context, () =>
              readVerified(source, chosen, fileIn(upload, path), context),
            ),
        },
        sending,
      );
  }
}

/** Throws unless the description has the digest of the composition's release. */
function assertSame(
  upload: Omit<ReleaseUpload, 'address'>,
  { release, digest }: ChosenRelease,
  server: string,
  { say }: CommandContext,
): void {
  const parsed = ReleaseDescription.safeParse(upload);
  const isSame =
    parsed.success &&
    `${parsed.data.name}@${parsed.data.version}` === release &&
    describeRelease(parsed.data).digest === digest;
  if (!isSame)
    throw new CommandFailure(1, say('notTheRelease', { release, server }), { error: 'check_failed' });
}

function fileIn({ files }: Pick<ReleaseUpload, 'files'>, path: string) {
  const file = files.find((listed) => listed.path === path);
  if (!file) throw new Error(`the target asked for ${path}, which is not among the files of the release`);
  return file;
}

async function readVerified(
  source: ReleaseClient,
  { release }: ChosenRelease,
  file: Pick<ReleaseFileInfo, 'path' | 'size' | 'integrity'>,
  { say }: CommandContext,
): Promise<Buffer> {
  const bytes = await source.read(release, file);
  if (bytes.length === file.size && integrityOf(bytes) === file.integrity) return bytes;
  throw new CommandFailure(1, say('notTheFile', { release, path: file.path }), { error: 'check_failed' });
}

/** Where a promotion takes its releases from. */
export interface PromotionSource {
  promotedFrom: PromotedFrom;
  composition: CompositionInfo;
  /** Set if it is another server. */
  other?: { server: string; token: string };
}

/** Whether an environment is given by the address of its server instead of by its name. */
export function isAddress(given: string): boolean {
  return given.includes('://');
}

/**
 * Reads the live composition of the environment `from`: the name of another one in the target's database, or the address
 * of another server. `own` is the target's environment, `all` are the environments of its database.
 */
export async function readSource(
  context: CommandContext,
  { from, fromToken }: { from: string; fromToken?: string },
  { own, all }: { own: string; all: readonly EnvironmentInfo[] },
): Promise<PromotionSource> {
  if (isAddress(from)) return readServer(context, from, fromToken);
  const { say } = context;
  if (from === own) throw new CommandFailure(2, say('promoteToItself', { name: own }));
  const found = all.find(({ name }) => name === from);
  if (!found?.composition) {
    const names = all.filter(({ name }) => name !== own).map(({ name }) => name);
    throw new CommandFailure(2, say('noEnvironment', { name: from, names: names.join(', ') || '—' }));
  }
  const { composition, revision } = found;
  return { promotedFrom: { environment: from, composition: composition.id, revision }, composition };
}

async function readServer(context: CommandContext, address: string, fromToken: string | undefined) {
  const { say, language, env, client } = context;
  const server = serverOf({ server: address }, env, say, '--from');
  if (server === client.server) throw new CommandFailure(2, say('promoteToItself', { name: server }));
  const token = fromToken?.trim() || env.FROM_TOKEN?.trim();
  // The target's token is never sent to another server.
  if (!token) throw new CommandFailure(3, say('noFromToken', { server }), { error: 'ops_token_wrong' });
  assertSendable(token, fromToken?.trim() ? '--from-token' : 'FROM_TOKEN', language);
  if (isPlainHttp(server)) context.progress(say('plainHttp', { server }));
  const source = createOpsClient({ server, token, language, say });
  const { composition, revision, environment } = await fromSource(server, context, () =>
    source.get<PointerInfo>('/ops/pointer'),
  );
  if (!environment || !composition.host.digest)
    throw new CommandFailure(3, say('notADesk', { server, status: 200 }), { error: 'unavailable' });
  const promotedFrom = { environment, server, composition: composition.id, revision };
  return { promotedFrom, composition, other: { server, token } };
}

/** Runs `work` on the source's server; refusals name that server instead of the target's. */
export async function fromSource<T>(server: string, { say }: CommandContext, work: () => Promise<T>) {
  try {
    return await work();
  } catch (thrown) {
    if (!(thrown instanceof Refused)) throw thrown;
    const { status, body } = thrown;
    const text =
      status === 401 || status === 403
        ? say('fromTokenWrong', { server, msg: body.msg })
        : say('serverSays', { server, status, msg: body.msg, id: body.requestId });
    throw new CommandFailure(3, text, body);
  }
}
